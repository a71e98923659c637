import type { Json } from '../../engine/values/index.js';
import type { Build } from './build.js';
import type { DocumentedCall } from './contract.js';
import { listOr, type Node, objectOr, successOf, textOr } from './document.js';
import { escapedTemplate } from './fields.js';
import { listShape } from './shapes.js';
import { responseSchema } from './survey.js';
import { SAMPLE_TIME } from './times.js';
import { plain, schemaTypeName } from './types.js';
import { alternatives, together } from './unions.js';

const SIZE =
  /^(?:limit|per_?page|page_?size|page_?limit|items_?per_?page|size|count|first|max_?results|max_?items|max|num_?results|results_?per_?page|\$?top|rows|page\[(?:size|limit)\])$/i;
const AFTER =
  /^(?:cursor|after|starting_?after|page_?token|next_?page_?token|next_?token|next_?cursor|next|start_?cursor|page_?cursor|iterator|marker|start_?key|bookmark|continuation_?token|continuation|scroll_?id|position|page_?info|after_?cursor|page\[(?:cursor|after)\])$/i;
const BEFORE = /^(?:before|ending_?before|prev_?cursor|previous|before_?cursor|page\[before\])$/i;
const OFFSET = /^(?:offset|\$?skip|from|start|start_?at|start_?index|first_?result|page_?offset|page\[offset\])$/i;
const PAGE = /^(?:page|page_?number|page_?num|page_?no|current_?page|p|page_?index|page\[number\])$/i;

/** Maximum page size, if the document declares only a minimum. */
const LARGEST_PAGE = 1000;

/** The kind of paging that a query parameter belongs to, by its name and type. */
function pagingPattern(parameter: Node): RegExp | undefined {
  const name = textOr(parameter['name']);
  const type = schemaTypeName(objectOr(parameter['schema']));
  if (parameter['in'] !== 'query' || type === 'array' || type === 'object' || type === 'boolean') return undefined;
  return [SIZE, AFTER, BEFORE, OFFSET, PAGE].find(
    (pattern) =>
      pattern.test(name) && (type !== 'string' || ![SIZE, OFFSET, PAGE].includes(pattern) || isDigits(parameter)),
  );
}

/** Whether a string parameter contains a number. */
function isDigits(parameter: Node): boolean {
  const schema = objectOr(parameter['schema']);
  const shown = parameter['example'] ?? schema['example'] ?? schema['default'];
  return !('format' in schema) && (shown === undefined || /^\d+$/.test(String(shown)));
}

/** Whether a parameter controls paging, and is therefore no filter. */
export function isPaging(parameter: Node): boolean {
  return pagingPattern(parameter) !== undefined;
}

/** Whether a parameter contains the position at which a list continues. */
export function isCursor(name: string): boolean {
  return [AFTER, BEFORE, OFFSET, PAGE].some((pattern) => pattern.test(name));
}

/** Paging of one list operation, as its `lists:`. */
interface Listing {
  readonly lists: Readonly<Record<string, unknown>>;
  /** Envelope keys with a constant value, since their meaning is unknown. */
  readonly fixed: readonly string[];
}

/**
 * Derives how a list is requested and returned.
 * @param whole response members of a new object
 * @param names keys that can contain the items
 * @returns undefined if the document doesn't accept a list of such objects
 */
export function listingOf(
  build: Build,
  call: DocumentedCall,
  whole: Readonly<Record<string, Json>>,
  names: readonly string[],
): Listing | undefined {
  const schema = responseSchema(build.document, call);
  const shape = listShape(build.document, schema, names);
  if (shape === undefined) return undefined;
  const query = call.parameters.filter((each) => pagingPattern(each) !== undefined);
  const named = (pattern: RegExp): string | undefined => {
    const found = query.find((each) => pagingPattern(each) === pattern);
    return found && textOr(found['name']);
  };
  const way = wayOf(named);
  if (
    way.pages !== undefined &&
    startsAtZero(
      build,
      query.find((each) => each['name'] === way.pages?.param),
    )
  )
    way.pages.first = 0;
  const isToken = way.token !== undefined;
  const isUnion = alternatives(plain(build.document, shape.items).schema).length > 0;
  const full = envelopeOf(build, schema, shape.key, shape.envelope, whole, isToken, '${data}', isUnion);
  const shown = full === undefined ? membersShown(build, shape.items, whole) : whole;
  const pick = `\${data.map(item, pick(item, [${Object.keys(shown)
    .map((name) => `'${name}'`)
    .join(', ')}]))}`;
  const envelope = full ?? envelopeOf(build, schema, shape.key, shape.envelope, shown, isToken, pick, false);
  if (envelope === undefined) return undefined;
  const headers = headersOf(build, call);
  return {
    lists: { envelope: envelope.template, ...sizeOf(build, call, named(SIZE)), ...way, ...headers },
    fixed: envelope.fixed,
  };
}

/** Paging headers of list responses. */
const HEADERS: readonly (readonly [RegExp, string])[] = [
  [/^link$/i, '${link}'],
  [/^x-(?:total|total-count|count|total-results|pagination-total)$|^total-count$/i, '${total_count}'],
  [/^x-(?:total-pages|pages|page-count)$/i, '${pages}'],
  [/^x-(?:per-page|page-size)$/i, '${size}'],
  [/^x-(?:page|current-page)$/i, '${page}'],
  [/^x-next-(?:cursor|token)$/i, '${next_cursor}'],
];

/** Paging headers that the document declares for a list. */
function headersOf({ document }: Build, { operation }: DocumentedCall): { headers?: Record<string, string> } {
  const named = Object.keys(objectOr(successOf(document, operation)?.response['headers']));
  const known = named.flatMap((name) => {
    const value = HEADERS.find(([pattern]) => pattern.test(name))?.[1];
    return value === undefined ? [] : [[name, value] as const];
  });
  return known.length === 0 ? {} : { headers: Object.fromEntries(known) };
}

/** Whether pages are counted from zero, according to the default or minimum. */
function startsAtZero({ document }: Build, parameter: Node | undefined): boolean {
  const { schema } = plain(document, objectOr(parameter)['schema']);
  return (schema['default'] ?? schema['minimum']) === 0;
}

function wayOf(named: (pattern: RegExp) => string | undefined): {
  cursors?: Record<string, string>;
  offset?: string;
  pages?: { param: string; first?: number };
  token?: string;
} {
  const [after, before, offset, page] = [AFTER, BEFORE, OFFSET, PAGE].map(named);
  if (after !== undefined && /after/i.test(after))
    return { cursors: { after, ...(before === undefined ? {} : { before }) } };
  if (after !== undefined) return { token: after };
  if (offset !== undefined) return { offset };
  if (page !== undefined) return { pages: { param: page } };
  return {};
}

function sizeOf(build: Build, call: DocumentedCall, param: string | undefined): Record<string, unknown> {
  if (param === undefined) return {};
  const schema = plain(
    build.document,
    objectOr(call.parameters.find((each) => each['name'] === param))['schema'],
  ).schema;
  const number = (key: string): number | undefined => (Number.isInteger(schema[key]) ? Number(schema[key]) : undefined);
  const [least, most] = [number('minimum'), number('maximum')];
  // Declared limits reject other values. Without a maximum, any valid page size is accepted.
  const rejects = least !== undefined || most !== undefined;
  const max = most ?? Math.max(rejects ? LARGEST_PAGE : 100, number('default') ?? 0);
  const size = { param, default: Math.max(1, number('default') ?? Math.min(20, max)), min: least ?? 1, max };
  return { size: { ...size, ...(rejects ? { beyond: 'reject' } : {}) } };
}

/** The members of an object that list items show, if they are fewer than in other responses. */
function membersShown(
  build: Build,
  items: unknown,
  whole: Readonly<Record<string, Json>>,
): Readonly<Record<string, Json>> {
  const { document, sampler } = build;
  const named = objectOr(together(document, items).schema['properties']);
  return Object.fromEntries(
    Object.entries(whole).filter(
      ([name, value]) => name in named && /^[\w.-]+$/.test(name) && sampler.accepts(named[name], value),
    ),
  );
}

interface Member {
  readonly template: unknown;
  readonly value: Json;
}

function envelopeOf(
  build: Build,
  schema: unknown,
  key: string | undefined,
  properties: Readonly<Record<string, unknown>>,
  whole: Readonly<Record<string, Json>>,
  token: boolean,
  data: string,
  isUnion: boolean,
): { readonly template: unknown; readonly fixed: string[] } | undefined {
  const { document, sampler } = build;
  if (key === undefined)
    return (isUnion || sampler.accepts(schema, [whole])) && sampler.accepts(schema, [])
      ? { template: data, fixed: [] }
      : undefined;
  const sample = objectOr(sampler.of(schema)) as Readonly<Record<string, Json>>;
  const required = new Set(plain(document, schema).schema['required'] as unknown[] | undefined);
  const template: Record<string, unknown> = {};
  const value: Record<string, Json> = {};
  const fixed: string[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const known = name === key ? { template: data, value: [whole] as Json } : memberOf(build, name, property, token);
    // Clients read the keys of an envelope without checking that they exist.
    const member =
      known ??
      (required.size === 0 && schemaTypeName(plain(document, property).schema) === 'object'
        ? { template: {}, value: {} }
        : undefined);
    if (member !== undefined && (name === key || sampler.accepts(property, member.value))) {
      template[name] = member.template;
      value[name] = member.value;
    } else if (required.has(name) && sample[name] !== undefined) {
      template[name] = escapedTemplate(sample[name]);
      value[name] = sample[name];
      if (!/^(?:object|type)$/.test(name)) fixed.push(name);
    }
  }
  // Items with alternatives depend on the request.
  return (isUnion || sampler.accepts(schema, value)) && sampler.accepts(schema, { ...value, [key]: [] })
    ? { template, fixed }
    : undefined;
}

/** The value of an envelope key, by its name and type, and an example of it. */
function memberOf(build: Build, name: string, property: unknown, token: boolean): Member | undefined {
  const { schema, nullable } = plain(build.document, property);
  const type = schemaTypeName(schema);
  if ('const' in schema) return { template: schema['const'], value: schema['const'] as Json };
  const values: unknown = schema['enum'];
  if (Array.isArray(values) && values.length === 1) return { template: values[0], value: values[0] as Json };
  const url = schema['format'] === 'uri' || /_?ur[li]$|^(?:next|prev|previous|first|last)$/i.test(name);
  if (type === 'boolean' && /more|next/i.test(name)) return { template: '${has_more}', value: false };
  if (type === 'boolean' && /^(?:is_?)?(?:done|last|last_?page|complete|exhausted|end)$/i.test(name))
    return { template: '${!has_more}', value: true };
  if (type === 'integer' || type === 'number') return numberOf(name, nullable);
  if (type === 'string' && url && /next|prev|first|last/i.test(name) && (nullable || !/next|prev/i.test(name))) {
    const which = /prev/i.test(name)
      ? 'prev_url'
      : /first/i.test(name)
        ? 'first_url'
        : /last/i.test(name)
          ? 'last_url'
          : 'next_url';
    return { template: `\${${which}}`, value: /next|prev/.test(which) ? null : 'http://localhost/things' };
  }
  if (
    type === 'string' &&
    /next|cursor|token|after|iterator|marker|bookmark|continuation/i.test(name) &&
    !/prev|before/i.test(name)
  ) {
    const name_ = token ? 'next_token' : 'next_cursor';
    return nullable ? { template: `\${${name_}}`, value: null } : { template: `\${default(${name_}, '')}`, value: '' };
  }
  if (type === 'string' && /^(?:url|path|href|self)$/i.test(name)) return { template: '${url}', value: '/things' };
  if (type === 'string' && schema['format'] === 'date-time') return { template: '${now}', value: SAMPLE_TIME };
  const end = /^(?:first|last)_?id$/i.exec(name);
  if (end && (type === 'string' || type === '')) {
    const at = /^first/i.test(name) ? '0' : 'size(data) - 1';
    const none = nullable ? 'null' : "''";
    return { template: `\${size(data) == 0 ? ${none} : data[${at}].id}`, value: nullable ? null : '' };
  }
  if (nullable) return { template: null, value: null };
  const shown = [
    schema['example'],
    listOr(schema['examples'])[0],
    schema['default'],
    name === 'object' ? 'list' : undefined,
  ].find((each) => typeof each === 'string');
  if (type === 'string' && /^(?:object|type|kind|entity)$/i.test(name) && shown !== undefined)
    return { template: shown, value: shown as Json };
  const inner = objectOr(schema['properties']);
  if (type !== 'object' || Object.keys(inner).length === 0) return undefined;
  const members = Object.entries(inner).flatMap(([key, each]) => {
    const member = memberOf(build, key, each, token);
    return member === undefined || !build.sampler.accepts(each, member.value) ? [] : [[key, member] as const];
  });
  if (members.length === 0) return undefined;
  return {
    template: Object.fromEntries(members.map(([key, { template }]) => [key, template])),
    value: Object.fromEntries(members.map(([key, { value }]) => [key, value])),
  };
}

function numberOf(name: string, nullable: boolean): Member | undefined {
  const neighbour = /^(next|prev(?:ious)?)_?(page|offset)/i.exec(name);
  if (neighbour) return neighbourOf(/^n/i.test(neighbour[1]), neighbour[2], nullable);
  if (/pages/i.test(name)) return { template: '${pages}', value: 1 };
  if (/total|count/i.test(name)) return { template: '${total_count}', value: 1 };
  if (/offset|skip/i.test(name)) return { template: '${offset}', value: 0 };
  if (/size|limit|per/i.test(name)) return { template: '${size}', value: 20 };
  if (/page/i.test(name)) return { template: '${page}', value: 1 };
  return undefined;
}

/** The number or offset of the next or previous page. Null or 0 if there is none, so that a client's loop ends. */
function neighbourOf(isNext: boolean, by: string, nullable: boolean): Member {
  const none = nullable ? 'null' : '0';
  const isPage = /page/i.test(by);
  const next = `has_more ? ${isPage ? 'page + 1' : 'offset + size'} : ${none}`;
  const before = isPage ? `page > 1 ? page - 1 : ${none}` : `offset > size ? offset - size : ${none}`;
  return { template: `\${${isNext ? next : before}}`, value: nullable ? null : 0 };
}
