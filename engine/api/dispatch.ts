import type { Request } from 'express';
import { pathOf, queryOf } from '../http/index.js';
import type { Model } from '../model/index.js';
import type { DispatchRule, Operation } from '../program/index.js';
import type { JsonObject } from '../values/index.js';
import { decodeQuery } from './form.js';
import { bodyMembers } from './input.js';

/** Selects one of several operations on a route by `dispatch`. @returns undefined if none matches */
export function dispatchedOperation(
  operations: readonly Operation[],
  req: Request,
  model: Model,
): Operation | undefined {
  const valueOf = reader(req, model);
  const holds = (rule: DispatchRule): boolean => {
    const value = valueOf(rule);
    return value !== undefined && (rule.is === null || value === rule.is);
  };
  return operations.find(({ dispatch }) => dispatch.every(holds));
}

/** Arguments of the error for a call that matches no operation on its route. `given`: the name that it sends, or null. */
export function unknownOperation(operations: readonly Operation[], req: Request, model: Model): JsonObject {
  const valueOf = reader(req, model);
  const named = operations.flatMap(({ dispatch }) => dispatch).filter(({ is }) => is !== null);
  const given = named.map(valueOf).find((value) => value !== undefined) ?? null;
  return { method: req.method, path: pathOf(req.url), given };
}

/** Reads the values that dispatch rules compare; query and body are decoded on first use. */
function reader(req: Request, model: Model): (rule: DispatchRule) => string | undefined {
  let query: JsonObject | undefined;
  let members: JsonObject | undefined;
  return ({ in: where, name }) => {
    if (where === 'header') return req.headers[name]?.toString();
    query ??= queryMembers(req);
    if (Object.hasOwn(query, name)) return textOf(query[name]);
    if (where === 'query') return undefined;
    members ??= Buffer.isBuffer(req.body) ? bodyMembers(model, req.headers['content-type'], req.body) : {};
    return Object.hasOwn(members, name) ? textOf(members[name]) : undefined;
  };
}

/** Returns the text to compare of a value; empty for a list or map, which only counts as present. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? '' : String(value);
}

function queryMembers({ url }: Request): JsonObject {
  const decoded = decodeQuery(queryOf(url));
  return decoded.ok ? decoded.value : {};
}
