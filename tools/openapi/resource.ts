import { bodyOf, type Document, list, type Node, object, parametersOf, successOf, text } from './document.js';
import { singular, snake } from './names.js';
import { isPaging } from './paging.js';
import { type Found, itemShape, listShape, requiredOf } from './survey.js';
import { plain, short, typeName, typeOf } from './types.js';

/** A resource file, and what a person must still decide about it. */
export interface ResourceBuilt {
  readonly file: Record<string, unknown>;
  readonly notes: readonly string[];
  /** Name of the format that its ids have. */
  readonly idFormat: string;
}

interface Build {
  readonly found: Found;
  readonly document: Document;
  readonly basePath: string;
  readonly refs: ReadonlyMap<string, string>;
  readonly notes: string[];
  /** Parameters of the collection's own path. */
  readonly parents: readonly string[];
  readonly wrapper: string | undefined;
  readonly fields: Record<string, unknown>;
  readonly title: string;
}

/**
 * Builds a resource from its calls.
 * @param refs names of texts that are ids (`customer_id`) and the resources they lead to
 */
export function buildResource(
  found: Found,
  document: Document,
  basePath: string,
  refs: ReadonlyMap<string, string>,
): ResourceBuilt {
  const notes: string[] = [];
  const item = itemOf(found);
  if (!item) notes.push('no answer of the document shows an object of it; its fields are those of its create call');
  const body = found.calls.flatMap(({ kind, call }) =>
    kind === 'create' ? [bodyOf(call.operation['requestBody'])?.schema] : [],
  )[0];
  const schema = item?.schema ?? plain(body).schema;
  const title = snake(document.nameOf(item?.original) ?? found.name).replaceAll('_', ' ');
  const parents = [...found.path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => snake(name));
  const build: Build = { found, document, basePath, refs, notes, parents, wrapper: item?.key, fields: {}, title };
  const id = idOf(build, schema);
  const create = found.calls.find(({ kind }) => kind === 'create');
  const required = requiredOf(plain(bodyOf(create?.call.operation['requestBody'])?.schema).schema);
  addFields(build, schema, id.field, required);
  for (const parent of parents) build.fields[parent] ??= { ...refType(build, parent), nullable: true, hidden: true };
  const order = Object.entries(build.fields).find(
    ([name, type]) => /^(?:created|created_?at|creation_?date|date_?created)$/i.test(name) && isTimestamp(type),
  )?.[0];
  const operations: Record<string, unknown> = {};
  for (const each of found.calls) operations[each.name] = operationOf(build, each);
  return {
    file: {
      resource: found.name,
      collection: found.collection,
      ...(title === found.name ? {} : { title }),
      id: { ...(id.prefix === '' ? {} : { prefix: id.prefix }), format: id.format },
      ...(order === undefined ? {} : { order }),
      ...(parents.length > 0 ? { indexes: parents } : {}),
      fields: { ...id.fields, ...build.fields },
      operations,
    },
    notes,
    idFormat: id.format,
  };
}

/** The schema of one object: of retrieve, else create, update, or an item of the list. */
function itemOf({ calls }: Found): ReturnType<typeof itemShape> {
  for (const kind of ['retrieve', 'create', 'update', 'list'] as const) {
    for (const each of calls.filter((call) => call.kind === kind)) {
      const answer = successOf(each.call.operation)?.body?.schema;
      const shape =
        kind === 'list'
          ? { schema: plain(listShape(answer)?.items).schema, key: undefined, original: listShape(answer)?.items }
          : itemShape(answer);
      if (shape && Object.keys(object(shape.schema['properties'])).length > 0) return shape;
    }
  }
  return undefined;
}

/** What is known of ids: the field that shows them, prefix and format. */
function idOf(
  { found, notes, title }: Build,
  schema: Node,
): { field: string; prefix: string; format: string; fields: Record<string, unknown> } {
  const properties = object(schema['properties']);
  const param = found.idParam ?? 'id';
  const candidates = ['id', param, `${found.name}_id`, `${found.name}Id`, 'uuid', 'key', 'slug'];
  const field =
    candidates.find((name) => name in properties) ??
    Object.keys(properties).find((name) => snake(name) === snake(param)) ??
    'id';
  const own = plain(properties[field]).schema;
  const fields: Record<string, unknown> =
    field === 'id' && 'id' in properties ? {} : { id: { type: 'string', hidden: true } };
  if (field !== 'id') fields[field] = { type: 'string', view: '${self.id}' };
  if (typeName(own) === 'integer')
    notes.push(`ids of a ${title} are numbers in the document; the pack makes them of text`);
  const example = text(
    own['example'] ?? list(own['examples'])[0] ?? object(schema['example'])[field] ?? exampleIn(found, field),
  );
  if (own['format'] === 'uuid' || /^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(example))
    return { field, prefix: '', format: 'uuid', fields };
  const [, prefix] = /^([A-Za-z]+[_-])[0-9A-Za-z]{3,}$/.exec(example) ?? [];
  if (prefix === undefined) notes.push(`no example shows how ids of a ${title} look`);
  return { field, prefix: prefix ?? '', format: 'plain', fields };
}

function exampleIn({ calls }: Found, field: string): unknown {
  for (const { call } of calls) {
    const example = successOf(call.operation)?.body?.example;
    const found = object(example)[field] ?? Object.values(object(example)).map((each) => object(each)[field])[0];
    if (typeof found === 'string') return found;
  }
  return undefined;
}

function addFields(build: Build, schema: Node, idField: string, required: ReadonlySet<unknown>): void {
  const answered = requiredOf(schema);
  for (const [name, property] of Object.entries(object(schema['properties']))) {
    if (name === idField || name === 'id') continue;
    const type = { ...typeOf(property, 'field'), ...refType(build, name, property) };
    if ('const' in type || type['type'] === 'any') build.fields[name] = short(type);
    else
      build.fields[name] = short(
        withDefault(build, name, type, plain(property).schema, required.has(name), answered.has(name)),
      );
  }
}

/** Says what a field is while nothing has set it. */
function withDefault(
  build: Build,
  name: string,
  type: Record<string, unknown>,
  schema: Node,
  given: boolean,
  answered: boolean,
): Record<string, unknown> {
  if (type['type'] === 'timestamp' && type['nullable'] !== true && /creat|updat|modif/i.test(name)) {
    return { ...type, default: '${now}', ...(/updat|modif/i.test(name) ? { touch: true } : {}) };
  }
  if ('default' in schema && schema['default'] !== null) return { ...type, default: schema['default'] };
  if (given || type['nullable'] === true || ['map', 'array'].includes(String(type['type']))) return type;
  if (!answered) return { ...type, optional: true };
  const values = list(type['enum']);
  if (values.length > 0) {
    build.notes.push(
      `${name}: starts as ${String(values[0])}; which transitions lead to ${values.slice(1).join(', ')}? (a \`machine:\`)`,
    );
    return { ...type, default: values[0] };
  }
  build.notes.push(`${name}: the document does not say what it is at first; null here`);
  return { ...type, nullable: true };
}

function refType({ refs, found }: Build, name: string, property?: unknown): Record<string, unknown> {
  const target = refs.get(snake(name));
  const isText = property === undefined || typeName(plain(property).schema) === 'string';
  if (target === undefined || target === found.name || !isText) return property === undefined ? { type: 'string' } : {};
  return { type: undefined, ref: target };
}

function isTimestamp(type: unknown): boolean {
  return type === 'timestamp' || object(type)['type'] === 'timestamp';
}

function operationOf(build: Build, { kind, name, call }: Found['calls'][number]): Record<string, unknown> {
  const { found, basePath, wrapper, notes } = build;
  const success = successOf(call.operation);
  const route = `${call.method.toUpperCase()} ${basePath}${routeOf(call.path, kind === 'list' || kind === 'create' ? undefined : found)}`;
  const made: Record<string, unknown> = name === kind || kind === 'action' ? {} : { kind };
  made['route'] = route;
  if (success && success.status !== 200) made['status'] = success.status;
  const params = paramsOf(build, kind, call);
  if (kind === 'list') Object.assign(made, listParams(build, call));
  else if (Object.keys(params).length > 0 || kind === 'create' || kind === 'update') made['params'] = params;
  if (kind === 'action') {
    notes.push(`${name}: answers the object unchanged; write what it does (\`do:\`)`);
    made['return'] = wrapper === undefined ? '${rest(self)}' : { [wrapper]: '${rest(self)}' };
  } else if (wrapper !== undefined && kind !== 'list' && kind !== 'delete')
    made['return'] = { [wrapper]: '${rest(self)}' };
  return made;
}

/** The path with the pack's names for its parameters; the last one of a resource's own calls is `{id}`. */
function routeOf(path: string, owner: Found | undefined): string {
  const prefix = owner?.path.length ?? Infinity;
  return path.replace(/\{([^{}]+)\}/g, (_, name: string, at: number) =>
    at > prefix - 1 && at <= prefix + 1 ? '{id}' : `{${snake(name)}}`,
  );
}

function paramsOf(build: Build, kind: string, call: Found['calls'][number]['call']): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const parent of build.parents) params[parent] = clean({ ...refType(build, parent), required: true });
  const schema = plain(bodyOf(call.operation['requestBody'])?.schema).schema;
  const required = kind === 'update' && call.method !== 'put' ? new Set<unknown>() : requiredOf(schema);
  for (const [name, property] of Object.entries(object(schema['properties']))) {
    if (plain(property).schema['readOnly'] === true || name === 'id') continue;
    const type = clean({ ...typeOf(property, 'param'), ...refType(build, name, property) });
    if (required.has(name)) type['required'] = true;
    params[name] = short(type);
  }
  for (const each of parametersOf(call.item, call.operation)) {
    const name = text(each['name']);
    if (each['in'] === 'query' && !(name in params)) params[name] = short(clean(typeOf(each['schema'], 'param')));
  }
  return params;
}

function listParams(build: Build, call: Found['calls'][number]['call']): Record<string, unknown> {
  const filters: Record<string, unknown> = {};
  const params: Record<string, unknown> = {};
  for (const parent of build.parents) filters[parent] = {};
  for (const each of parametersOf(call.item, call.operation)) {
    const name = text(each['name']);
    if (each['in'] !== 'query' || isPaging(name)) continue;
    const field = name in build.fields ? name : Object.keys(build.fields).find((key) => snake(key) === snake(name));
    const isList = typeName(plain(each['schema']).schema) === 'array';
    if (field !== undefined && !isList && object(build.fields[field])['view'] === undefined)
      filters[name] = field === name ? {} : { field };
    else {
      params[name] = short(clean(typeOf(each['schema'], 'param')));
      build.notes.push(`list: the parameter '${name}' is accepted and does nothing`);
    }
  }
  return {
    ...(Object.keys(filters).length > 0 ? { filters } : {}),
    ...(Object.keys(params).length > 0 ? { params } : {}),
  };
}

function clean(type: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(type).filter(([, value]) => value !== undefined));
}

/** Names of texts that are probably ids, such as `customer_id`, and their resources. */
export function likelyRefs(found: readonly Found[]): Map<string, string> {
  const refs = new Map<string, string>();
  for (const { name, idParam } of found) {
    refs.set(`${name}_id`, name);
    if (idParam !== undefined && snake(idParam) !== 'id') refs.set(snake(idParam), name);
    refs.set(`${singular(name)}_id`, name);
  }
  return refs;
}
