import type { Request, Response } from 'express';
import type { JsonObject } from '../values/index.js';
import { textWithoutOrigin, valueWithoutOrigin } from '../expression/index.js';
import type { RequestInfo } from '../model/index.js';
import type { Operation } from '../program/index.js';
import type { Engine } from '../runtime/index.js';
import { givenKeys, pathOf, queryOf } from '../http/index.js';
import { readCookies } from './cookies.js';
import { decodeQuery } from './form.js';
import { bodyMembers } from './input.js';
import type { Keys } from './stages/authenticate.js';
import { type FoundKey, NO_INPUT, NO_NAMES, NO_TENANT, type Visit } from './visit.js';

/** Creates the `Visit` of each call: its ids, its paths, and what the pack reads from its headers, cookies and parameters. */
export class VisitMaker {
  /** Path of the most recent call, by operation. */
  readonly #paths = new Map<Operation, string>();

  constructor(
    private readonly engine: Engine,
    private readonly keys: Keys,
  ) {}

  /** Values of path parameters, with ids in the spelling of the object, since calls may use another case. */
  #named(path: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const { world, pack } = this.engine;
    if (pack.routeIds.size === 0) return path;
    const named = { ...path };
    for (const [name, { index }] of pack.routeIds)
      if (name in path) named[name] = world.tenants.find(index, path[name])?.id ?? path[name];
    return named;
  }

  /** Creates the visit of a call. @param key result of looking up the key in the request's headers */
  begin<O extends Operation | null>(
    req: Request,
    res: Response,
    operation: O,
    path: Readonly<Record<string, string>>,
    key = this.keys.ofHeaders(req.headers),
  ): Visit & { readonly operation: O } {
    const { world, model } = this.engine;
    const { settings } = model;
    const id = settings.requestId.ids.make(world.requestStream);
    const keyHeader = settings.idempotency?.header ?? null;
    const named = keyHeader === null ? undefined : req.headers[keyHeader];
    const request: RequestInfo = {
      id,
      idempotency_key:
        typeof named === 'string' && named !== '' && settings.idempotency?.methods.has(req.method) ? named : null,
      method: req.method,
      path: this.#pathOf(req.url, operation),
      operation: operation?.key ?? null,
      version: settings.versions?.current ?? null,
      key: null,
      token: null,
      headers: this.#readHeaders(req.headers, key),
      cookies: settings.cookies.size === 0 ? NO_NAMES : readCookies(this.engine, req),
      params: NO_NAMES,
    };
    return {
      req,
      res,
      operation,
      path: this.#named(path),
      startedMs: performance.now(),
      traceId: `trc_${world.requestStream.text(20)}`,
      key,
      input: NO_INPUT,
      request,
      secret: false,
      outcome: 'normal',
      fault: null,
      metered: null,
      countsLate: false,
      writes: [],
      use: null,
      scenario: null,
      version: undefined,
      near: false,
      isDropped: false,
      replayed: false,
      chosen: NO_TENANT,
      unsupported: null,
      headers: [],
    };
  }

  /** The path of a URL: the same string as in the operation's previous call if equal, since each trace stores one. */
  #pathOf(url: string, operation: Operation | null): string {
    const path = pathOf(url);
    if (operation === null) return path;
    const last = this.#paths.get(operation);
    if (last === path) return last;
    this.#paths.set(operation, path);
    return path;
  }

  /** The headers that the pack reads, by their names in the pack; without the key's, since keys differ between worlds. */
  #readHeaders(headers: Request['headers'], key: FoundKey): RequestInfo['headers'] {
    const { requestHeaders, auth } = this.engine.model.settings;
    const { baseUrl: origin } = this.engine.runtime.reader;
    if (requestHeaders.size === 0) return NO_NAMES;
    const read: Record<string, string | Record<string, string>> = {};
    for (const [name, header] of requestHeaders) {
      if (header.endsWith('*')) {
        read[name] = headersFrom(headers, header.slice(0, -1), origin);
        continue;
      }
      const value = headers[header];
      if (value === undefined) continue;
      if (key.ok && givenKeys({ [header]: value }, auth.keyHeaders).includes(key.given)) continue;
      read[name] = textWithoutOrigin(typeof value === 'string' ? value : value.join(', '), origin);
    }
    return read;
  }

  /** Adds the parameters that the pack reads of every request. @param given all parameters; decoded here if undefined */
  readParams(visit: Visit, given?: JsonObject): void {
    const { requestParams } = this.engine.model.settings;
    if (requestParams.length === 0) return;
    const all = given ?? membersOf(visit.req, this.engine);
    const found = Object.fromEntries(
      requestParams.flatMap(([name, parameter]) =>
        Object.hasOwn(all, parameter) ? [[name, all[parameter]] as const] : [],
      ),
    );
    const params = valueWithoutOrigin(found, this.engine.runtime.reader.baseUrl);
    visit.request = { ...visit.request, params };
  }
}

/** The parameters of a call without an operation, as far as they can be decoded. */
function membersOf({ url, body, headers }: Request, { model }: Engine): JsonObject {
  const query = decodeQuery(queryOf(url));
  const members = Buffer.isBuffer(body) ? bodyMembers(model, headers['content-type'], body) : {};
  return { ...(query.ok ? query.value : {}), ...members };
}

/** Headers with a common prefix, by the rest of their names. */
function headersFrom(headers: Request['headers'], prefix: string, origin: string): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && name.startsWith(prefix) && name.length > prefix.length)
      read[name.slice(prefix.length)] = textWithoutOrigin(typeof value === 'string' ? value : value.join(', '), origin);
  return read;
}
