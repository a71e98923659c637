import { isObject, type Json } from '../values/index.js';
import type { ErrorFile, ErrorsFile } from './files.js';

const TEXT = 'string?';

/** Defaults for errors of the engine that a pack doesn't declare: a status, and a body for the pack's envelope. */
const DEFAULTS: Readonly<Record<string, ErrorFile>> = {
  api_key_missing: { status: 401, body: { code: 'unauthorized', message: 'An API key is needed.' } },
  api_key_invalid: { status: 401, body: { code: 'unauthorized', message: 'The API key is unknown.' } },
  unknown_route: {
    status: 404,
    args: { method: TEXT, path: TEXT },
    body: { code: 'not_found', message: 'There is no ${method} ${path}.' },
  },
  not_found: {
    status: 404,
    args: { title: TEXT, id: TEXT },
    body: { code: 'not_found', message: 'There is no ${title} ${id}.' },
  },
  parameter_invalid: {
    status: 400,
    args: { param: TEXT },
    body: { code: 'invalid', param: '${param}', message: '${default(param, "A parameter")} is invalid.' },
  },
  body_malformed: { status: 400, body: { code: 'invalid', message: "The body can't be read." } },
  wrong_state: {
    status: 409,
    args: { action: TEXT, status: TEXT, title: TEXT },
    body: {
      code: 'wrong_state',
      message:
        "${action == null ? 'This is not possible now.' : action + ' is not possible for a ' + title + ' that is ' + status + '.'}",
    },
  },
  fault: {
    status: '${status}',
    args: { status: 'integer', code: 'any', message: 'any', error: 'any' },
    body: "${merge({'code': default(code, 'unavailable'), 'message': default(message, 'Try again later.')}, default(error, {}))}",
  },
  internal_error: { status: 500, body: { code: 'internal', message: 'Something went wrong.' } },
};

/** Defaults of narrower errors, by the broader error's name; they apply only if a pack declares neither. */
const NARROWER: Readonly<Record<string, Readonly<Record<string, ErrorFile>>>> = {
  parameter_invalid: {
    parameter_missing: {
      status: 400,
      args: { param: TEXT },
      body: { code: 'invalid', param: '${param}', message: '${default(param, "A parameter")} is required.' },
    },
    parameter_unknown: {
      status: 400,
      args: { param: TEXT },
      body: { code: 'invalid', param: '${param}', message: '${default(param, "A parameter")} is not a parameter.' },
    },
  },
};

/** Returns defaults for errors that a pack doesn't declare, with the members that the pack's own errors have. */
export function defaultErrors({ errors }: ErrorsFile): Map<string, ErrorFile> {
  const keys = new Set(
    Object.values(errors).flatMap(({ body }) => (isObject(body ?? null) ? Object.keys(body as object) : [])),
  );
  const known = (body: Json): Json => {
    if (!isObject(body) || keys.size === 0 || (keys.has('code') && keys.has('message'))) return body;
    const entries = Object.entries(body).filter(([key]) => keys.has(key));
    return entries.length === 0 ? body : Object.fromEntries(entries);
  };
  const made = new Map<string, ErrorFile>();
  for (const [name, error] of Object.entries(DEFAULTS)) {
    if (Object.hasOwn(errors, name)) continue;
    for (const [each, file] of [[name, error] as const, ...Object.entries(NARROWER[name] ?? {})])
      if (!Object.hasOwn(errors, each)) made.set(each, { ...file, body: known(file.body ?? {}) });
  }
  return made;
}
