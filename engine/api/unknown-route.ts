import type { Request } from 'express';
import { pathOf } from '../http/index.js';
import type { Unsupported } from '../program/index.js';
import type { JsonObject } from '../values/index.js';

/** Returns the arguments of the error `unknown_route`: the request's method and path. */
export function routeArgs(req: Request): JsonObject {
  return { method: req.method, path: pathOf(req.url) };
}

/** Returns the error, and its arguments, for a request to a part of the vendor's API that the pack doesn't emulate. */
export function errorOfOutside(
  { error, args }: Pick<Unsupported, 'error' | 'args'>,
  req: Request,
): readonly [string, JsonObject] {
  return error === null ? ['unknown_route', routeArgs(req)] : [error, args];
}
