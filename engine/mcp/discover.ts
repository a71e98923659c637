import { isObject, type Json, type JsonObject } from '../values/index.js';
import { type DiscoverPlan, operationTitle, fileOf, PLAIN_DISCOVERY, type Program } from '../program/index.js';
import { type OperationTool, toolParameters } from './tool.js';
import { isReading, rank, searchWords } from './words.js';

/** An operation that agents can find by a search, and call by its id. */
export interface Entry {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly note: string | null;
  readonly tags: readonly string[];
  readonly permissions: readonly string[];
  /** The error for an operation that is not called; null: `returns` is its fixed result, or `tool` is called. */
  readonly rejects: string | null;
  readonly returns: Json;
  /** Names of parameters in the operation's path, by the name that agents use. */
  readonly names: ReadonlyMap<string, string>;
  /** The tool that calls the operation; null if the pack doesn't have the operation. */
  readonly tool: OperationTool | null;
}

/** The part of the call in which a parameter is sent. */
type Place = 'path' | 'query' | 'body';
const PLACES: readonly Place[] = ['path', 'query', 'body'];

/** The operations of a pack by id, for agents that search them by words. */
export class Discovery {
  readonly plan: DiscoverPlan;
  readonly #entries: ReadonlyMap<string, Entry>;

  constructor(
    private readonly program: Program,
    generated: readonly OperationTool[],
  ) {
    this.plan = program.mcp?.discover ?? PLAIN_DISCOVERY;
    this.#entries = new Map(entriesOf(this.plan, generated).map((each) => [each.id, each]));
  }

  find(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  /** Searches operations, best match first. @param intent the kind of action @param words of the subject */
  search(intent: string, words: string, limit: number): Json {
    const found = rank(
      [...this.#entries.values()],
      { intent, words },
      ({ id, path, title, tags, tool }) => ({
        strong: [
          ...searchWords(path.replace(/^\/v\d+(?=\/)/, '').replace(/\{[^}]*\}/g, '')),
          ...searchWords(title),
          ...tags.flatMap(searchWords),
        ],
        weak: [
          ...searchWords(id),
          ...searchWords(tool?.operation.resource.title ?? ''),
          ...searchWords(tool === null ? '' : (fileOf(tool.operation)?.description ?? '')),
        ],
      }),
      0.4,
      ({ title, method }, verbs) =>
        verbs.has(searchWords(title)[0] ?? '') ? 2 : isReading(verbs) === (method === 'GET') ? 1 : 0,
    );
    return {
      operations: found.slice(0, limit).map(({ id, method, path, title, note }) => ({
        id,
        method,
        path,
        summary: title,
        ...(note === null ? {} : { note }),
      })),
    };
  }

  details(entry: Entry): Json {
    const { id, method, path, title, description, tags, permissions, note } = entry;
    const segments = path.split('/').filter((each) => each !== '' && !each.startsWith('{'));
    const keywords = [
      ...segments,
      ...segments.flatMap((each) => each.split('_')),
      method.toLowerCase(),
      ...searchWords(title).slice(0, 1),
      ...tags,
    ];
    return {
      id,
      method,
      path,
      summary: title,
      description,
      tags: [...tags],
      keywords: [...new Set(keywords)],
      parameters: this.#parameters(entry),
      permissions: [...permissions],
      ...(note === null ? {} : { note }),
    };
  }

  /** Returns the missing parameters of the first part of a call (path, query, body) that lacks required ones. */
  missing(entry: Entry, given: JsonObject): { readonly place: Place; readonly names: string } | undefined {
    const parameters = this.#parameters(entry);
    for (const place of PLACES) {
      const names = Object.entries(parameters[place])
        .filter(([name, each]) => isObject(each) && each['required'] === true && (given[name] ?? null) === null)
        .map(([name]) => name);
      if (names.length > 0) return { place, names: names.join(', ') };
    }
    return undefined;
  }

  #parameters({ tool, names }: Entry): Record<Place, JsonObject> {
    const made: Record<Place, Record<string, Json>> = { path: {}, query: {}, body: {} };
    if (tool === null) return made;
    const { operation, route } = tool;
    const shown = new Map([...names].map(([name, own]) => [own, name]));
    const rest: Place = route.method === 'GET' || route.method === 'DELETE' ? 'query' : 'body';
    for (const [name, { schema, required }] of toolParameters(this.program, operation, route))
      made[route.names.includes(name) ? 'path' : rest][shown.get(name) ?? name] = described(schema, required);
    const { expansion } = this.program.model.settings;
    if (expansion !== null && !route.names.includes(expansion.param)) made[rest][expansion.param] ??= EXPANSION;
    for (const place of PLACES) made[place] = sorted(made[place]);
    return made;
  }
}

const EXPANSION: JsonObject = {
  type: 'array',
  items: { type: 'string', description: '', required: false },
  description: 'Names of fields whose objects are returned whole.',
  required: false,
};

function sorted(parameters: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(Object.entries(parameters).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

function entriesOf({ operations, byId }: DiscoverPlan, generated: readonly OperationTool[]): Entry[] {
  if (operations === null)
    return generated.map((tool) => entryOf(tool.name, tool, tool.operation.resource.collection, byId));
  return [...operations].map(([id, { operation, call, title, note, tags, permissions, rejects, returns }]) => {
    const tools = generated.filter((each) => each.operation === operation);
    const tool =
      tools.find(({ route }) => call === null || `${route.method} ${route.path}` === call) ?? tools.at(0) ?? null;
    const [method, path] = (call ?? '').split(' ', 2);
    const usual =
      tool === null
        ? {
            id,
            method,
            path,
            title: id,
            description: '',
            note: null,
            tags: [],
            permissions: [],
            rejects: null,
            returns: null,
            names: NO_NAMES,
            tool,
          }
        : entryOf(id, tool, tool.operation.resource.name, byId);
    return {
      ...usual,
      title: title ?? usual.title,
      note,
      tags: tags.length > 0 ? tags : usual.tags,
      permissions,
      rejects,
      returns,
    };
  });
}

function entryOf(id: string, tool: OperationTool, tag: string, byId: boolean): Entry {
  const { operation, route } = tool;
  const description = fileOf(operation)?.description ?? `${operationTitle(operation)}.`;
  const last = route.names.at(-1);
  const shown = (name: string): string => (byId && name !== 'id' ? (name === last ? 'id' : `${name}_id`) : name);
  const names = new Map(route.names.filter((name) => shown(name) !== name).map((name) => [shown(name), name]));
  const path = route.path.replaceAll('+}', '}').replace(/\{(\w+)\}/g, (_, name: string) => `{${shown(name)}}`);
  const title = operationTitle(operation);
  return {
    ...{ id, method: route.method, path, title, description, note: null, tags: [tag], permissions: [] },
    ...{ rejects: null, returns: null, names, tool },
  };
}

/** Simplifies a parameter's JSON Schema to one type, and adds whether the parameter is required. */
function described(schema: Json, required: boolean): JsonObject {
  if (!isObject(schema)) return { type: 'string', description: '', required };
  const { anyOf } = schema;
  if (Array.isArray(anyOf)) {
    const { description = '', ...first } = described(firstOf(anyOf), required);
    return { ...first, description: schema['description'] ?? description };
  }
  const { type = 'string', description = '', enum: values, properties, items, required: inner } = schema;
  const names = Array.isArray(inner) ? inner : [];
  return {
    type: firstType(type),
    ...(items === undefined ? {} : { items: described(items, false) }),
    description,
    required,
    ...(values === undefined ? {} : { enum: values }),
    ...(isObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [name, described(each, names.includes(name))]),
          ),
        }
      : {}),
  };
}

/** Returns the type in a JSON Schema; if it is a list of types, the first. */
export function firstType(type: Json): Json {
  return Array.isArray(type) ? ((type as readonly Json[])[0] ?? 'string') : type;
}

/** Selects one variant of a union in a JSON Schema: the first with `properties`, else the first that isn't null. */
function firstOf(variants: readonly Json[]): Json {
  const own = variants.filter((each) => !isObject(each) || each['type'] !== 'null');
  return own.find((each) => isObject(each) && each['properties'] !== undefined) ?? own.at(0) ?? {};
}
