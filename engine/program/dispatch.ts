import type { Json, JsonObject } from '../values/index.js';
import type { Operation } from './operation.js';

/** The parts of a call that distinguish its operation from others on the same route. */
interface DispatchParts {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: JsonObject;
  /** The other parameters. */
  readonly rest: JsonObject;
}

/** Splits the parameters of a call into these parts, and adds the ones that distinguish the operation. */
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

/** The parameters of a call without those that only distinguish its operation. */
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
