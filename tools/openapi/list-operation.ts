import type { Build } from './build.js';
import { objectOr, textOr } from './document.js';
import { snake } from './names.js';
import type { ShownObjects } from './objects.js';
import { isPaging, listingOf } from './paging.js';
import { clean } from './params.js';
import type { Remarks } from './questions.js';
import { statusOf, stubResponse } from './responses.js';
import { deletionMark } from './soft-delete.js';
import type { Placed, SurveyedResource } from './survey.js';
import { isTimestamp, plain, schemaTypeName, shortType, typeOf } from './types.js';

/** Builds a list operation: paging, filters, and the envelope around the items. */
export function listOperation(
  build: Build,
  found: SurveyedResource,
  objects: ShownObjects,
  remarks: Remarks,
  placed: Placed,
  head: object,
  params: Record<string, unknown>,
  inRoute: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const listing = listingOf(build, placed.call, objects.whole, objects.names);
  if (listing === undefined) {
    remarks.notes.push(
      `${placed.name}: returns what the document shows: its items are not what the other calls return`,
    );
    remarks.questions.push({
      at: ['operations', placed.name],
      ask: `What do the items of \`${placed.name}\` have in common with the responses of the other calls?`,
      write: 'lists: { envelope: { data: =data } }',
      calls: 1 + build.examplesOf(placed.call).length,
    });
    return {
      ...head,
      kind: 'action',
      ...(Object.keys(params).length > 0 ? { params } : {}),
      ...stubResponse(build, placed.call, remarks.notes),
    };
  }
  for (const key of listing.fixed)
    remarks.notes.push(`${placed.name}: the key '${key}' of its responses is the same every time`);
  const mark = deletionMark(found, objects);
  const filters: Record<string, unknown> = {};
  for (const [param, field] of objects.parents) {
    const own = inRoute.get(param) ?? snake(param);
    if (!(own in params)) continue;
    delete params[own];
    filters[own] = field === own ? {} : { field };
  }
  for (const each of placed.call.parameters) {
    const name = textOr(each['name']);
    if (each['in'] !== 'query' || !(name in params)) continue;
    if (isPaging(each)) {
      delete params[name];
      continue;
    }
    const field = name === mark?.param ? undefined : filtered(build, objects, name, each['schema']);
    const members = field === undefined ? filteredMembers(build, objects, each['schema']) : [];
    if (members.length > 0) {
      const type = params[name];
      delete params[name];
      filters[name] = { ...objectOr(type), where: membersMatch(members) };
    } else if (field === undefined && name !== mark?.param)
      remarks.notes.push(`${placed.name}: the parameter '${name}' is accepted and does nothing`);
    else if (field !== undefined) {
      delete params[name];
      const type = shortType(
        clean({
          ...typeOf(build.document, each['schema'], 'param'),
          ...(each['required'] === true ? { required: true } : {}),
        }),
      );
      const own = typeof type === 'string' ? { type } : type;
      filters[name] = { ...(isArray(own) ? { many: true } : own), ...(field === name ? {} : { field }) };
    }
  }
  const asks = mark?.param !== undefined && mark.param in params && /^\w+$/.test(mark.param);
  const isAlso = /^(?:include|with|show)/i.test(mark?.param ?? '');
  const wanted = `params.${mark?.param} == true`;
  const where =
    mark && (asks ? (isAlso ? `${wanted} || ${mark.there}` : `(${wanted}) != (${mark.there})`) : mark.there);
  return {
    ...head,
    ...statusOf(build, placed.call),
    ...(where === undefined ? {} : { where }),
    ...(Object.keys(filters).length > 0 ? { filters } : {}),
    ...(Object.keys(params).length > 0 ? { params } : {}),
    lists: listing.lists,
  };
}

/** The stored field that a list parameter filters by. */
function filtered(build: Build, objects: ShownObjects, name: string, schema: unknown): string | undefined {
  const field = [...objects.fields.keys()].find((key) => key === name || snake(key) === snake(name));
  if (field === undefined) return undefined;
  const { document } = build;
  const { schema: whole } = plain(document, schema);
  const asked = schemaTypeName(schemaTypeName(whole) === 'array' ? plain(document, whole['items']).schema : whole);
  const kept = objects.fields.get(field);
  const isScalar = ['string', 'boolean', 'integer'].includes(asked);
  const stored = kept !== undefined && typeof kept.type === 'object' && 'const' in kept.type ? undefined : kept;
  return stored &&
    isScalar &&
    asked === schemaTypeName(plain(document, stored.schema).schema) &&
    !isTimestamp(stored.type)
    ? field
    : undefined;
}

/** Members of an object parameter, such as `filter[name]`, with the stored fields that they filter by. */
function filteredMembers(build: Build, objects: ShownObjects, schema: unknown): (readonly [string, string])[] {
  const { schema: whole } = plain(build.document, schema);
  if (schemaTypeName(whole) !== 'object') return [];
  return Object.entries(objectOr(whole['properties'])).flatMap(([member, own]) => {
    const field = filtered(build, objects, member, own);
    return field === undefined || !/^[A-Za-z_]\w*$/.test(member) || !/^[A-Za-z_]\w*$/.test(field)
      ? []
      : [[member, field] as const];
  });
}

/** The condition for items that match every given member of a filter. */
function membersMatch(members: readonly (readonly [string, string])[]): string {
  return members.map(([member, field]) => `(value.${member} == null || item.${field} == value.${member})`).join(' && ');
}

function isArray(type: unknown): boolean {
  return typeof type === 'object' && type !== null && 'type' in type && type.type === 'array';
}
