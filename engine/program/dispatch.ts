import type { Json, JsonObject } from '../values/index.js';
import type { Operation } from './operation.js';

/** Headers and query that select an operation among those on the same route, and the call's remaining parameters. */
interface DispatchParts {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: JsonObject;
  /** Parameters of the call that don't select the operation. */
  readonly rest: JsonObject;
}

/** Splits a call's parameters into those that select the operation and the rest, and adds required values. */
export function dispatchParts({ dispatch }: Operation, given: JsonObject): DispatchParts {
  const headers: Record<string, string> = {};
  const query: Record<string, Json> = {};
  const rest: Record<string, Json> = { ...given };
  for (const { in: where, name, is } of dispatch) {
    if (where === 'header') {
      if (is !== null) headers[name] = is;
    } else if (where === 'query') {
      query[name] = is ?? rest[name] ?? '';
      delete rest[name];
    } else rest[name] = is ?? rest[name] ?? '';
  }
  return { headers, query, rest };
}

/** Returns the parameters of a call without those that only distinguish its operation. */
export function withoutDispatch(
  { dispatch }: Operation,
  given: JsonObject,
  declared: { has(name: string): boolean },
): JsonObject {
  const names = dispatch.filter(({ in: where, name }) => where !== 'header' && !declared.has(name));
  if (!names.some(({ name }) => Object.hasOwn(given, name))) return given;
  const rest: Record<string, Json> = { ...given };
  for (const { name } of names) delete rest[name];
  return rest;
}
