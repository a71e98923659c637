import type { Request } from 'express';
import { pathOf } from '../http/index.js';
import type { Unsupported } from '../program/index.js';
import type { JsonObject } from '../values/index.js';

/** The arguments of the error `unknown_route`. */
export function routeArgs(req: Request): JsonObject {
  return { method: req.method, path: pathOf(req.url) };
}

/** The error for a part of the vendor's API that isn't emulated, and its arguments. */
export function errorOfOutside(
  { error, args }: Pick<Unsupported, 'error' | 'args'>,
  req: Request,
): readonly [string, JsonObject] {
  return error === null ? ['unknown_route', routeArgs(req)] : [error, args];
}
