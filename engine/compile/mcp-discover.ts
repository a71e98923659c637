import { isObject, type Json } from '../values/index.js';
import { type Diagnostics, inside, keyIn, type McpFile, type Model, type SourceLocation } from '../model/index.js';
import {
  type ContextArgument,
  type DiscoverOperation,
  type DiscoverPlan,
  type Operation,
  PLAIN_DISCOVERY,
} from '../program/index.js';
import { checkJmespath } from './jmespath.js';

type DiscoverFile = NonNullable<McpFile['discover']>;

/** Compiles `discover` of mcp.yaml: how agents find operations and call them by id. Problems are reported. */
export function discoverPlan(
  file: DiscoverFile | undefined,
  at: SourceLocation,
  byKey: ReadonlyMap<string, Operation>,
  { model, diagnostics }: { readonly model: Model; readonly diagnostics: Diagnostics },
): DiscoverPlan {
  if (file === undefined) return PLAIN_DISCOVERY;
  const { operations, message, failed, unknown, missing, confirm = 'false', path_names } = file;
  if (message !== undefined) checkJmespath(message, inside(at, 'message'), 'mcp-tool', diagnostics);
  return {
    operations:
      operations === undefined
        ? null
        : new Map(Object.entries(operations).map(([id, each]) => [id, linked(each, inside(at, 'operations', id))])),
    message: message ?? null,
    failed: failed ?? PLAIN_DISCOVERY.failed,
    unknown: unknown ?? PLAIN_DISCOVERY.unknown,
    missing: missing ?? PLAIN_DISCOVERY.missing,
    byId: path_names === 'id',
    confirm: model.fill(confirm) === 'true',
  };

  function linked(
    {
      operation: key,
      call,
      title,
      note,
      tags = [],
      permissions = [],
      rejects,
      returns = null,
    }: NonNullable<DiscoverFile['operations']>[string],
    place: SourceLocation,
  ): DiscoverOperation {
    const operation = key === undefined ? undefined : byKey.get(key);
    if (key === undefined && call === undefined)
      diagnostics.problem(keyIn(place), 'mcp-tool', "either 'operation' or 'call' says what it is");
    if (key !== undefined && operation === undefined)
      diagnostics.unknown(inside(place, 'operation'), 'operation', key, byKey.keys());
    const texts = { title: title ?? null, note: note ?? null, rejects: rejects ?? null };
    return { operation: operation ?? null, call: call ?? null, ...texts, tags, permissions, returns };
  }
}

/** The arguments that tools require. */
export function contextOf(file: NonNullable<McpFile['context']>, model: Model): ReadonlyMap<string, ContextArgument> {
  return new Map(
    Object.entries(file).map(([name, { is, type, description, otherwise }]) => {
      const texts = Object.entries({ type, description }).filter(
        (each): each is [string, string] => each[1] !== undefined,
      );
      const schema = Object.fromEntries(texts);
      return [name, { is: withVars(is, model), otherwise: model.fill(otherwise), schema, optional: false }];
    }),
  );
}

/** Replaces the pack's variables in the texts of a value. */
export function withVars(value: Json, model: Model): Json {
  if (typeof value === 'string') return model.fill(value);
  if (Array.isArray(value)) return value.map((each: Json) => withVars(each, model));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withVars(each, model)]));
}
