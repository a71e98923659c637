import type { ControlCode } from '../codes.js';
import { channel } from 'node:diagnostics_channel';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import { busyWith } from '../runtime/activity.js';
import { ExpressionFailure, type Json, type JsonObject, TooMuchWork } from '../values/index.js';
import { type DecodedJson, decodeJson, decodingJson } from '../codecs/index.js';
import { valueWithoutOrigin, valueWithOrigin, withOrigin, withoutOrigin } from '../expression/index.js';
import {
  bodyReader,
  pathOf,
  type Plane,
  queryOf as textOfQuery,
  requestError,
  serveInspector,
  asksForPage,
} from '../http/index.js';
import { LIMITS } from '../limits.js';
import { BudgetExceeded } from '../program/index.js';
import { CauseRejected, eachWhileMemoryLasts, isReserveShort, MemoryShort, runSteps, turns } from '../runtime/index.js';
import type { ControlContext } from './context.js';
import { CONTRACT_VERSION, CONTROL_PATH } from './contract.js';
import { didYouMean } from '../pack/index.js';
import { inTurns, requireMemoryOf } from './ledger-position.js';
import { isLarge, jsonPieces } from './pieces.js';
import { ControlRejection } from './rejection.js';
import type { ControlResponse, ControlRoute } from './route.js';
import { CONTROL_ROUTES } from './routes/index.js';
import { ControlTable } from './route-table.js';

const TABLE = new ControlTable(CONTROL_ROUTES);

/** Message on the diagnostics channel `sandbox:control` for each control API call. */
export interface ControlCallEvent {
  readonly response: Response;
  /** Whose key the call had: `host`, `world` or `team NAME`; null: no valid one. */
  readonly by?: string | null;
  /** Ids of created objects. */
  readonly made?: readonly string[];
}

const callChannel = channel('sandbox:control');

/** Ids in a response with one object or a list. */
function idsOf(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  if ('data' in body && Array.isArray(body.data)) return body.data.flatMap(idsOf);
  return 'id' in body && typeof body.id === 'string' ? [body.id] : [];
}

/**
 * Builds the control API of a world: each call is authenticated, parsed and checked; its changes are one command. Errors are
 * `{error: {code, message, ...}}`, never the vendor's envelope.
 */
export function controlPlane(context: ControlContext): Plane {
  const bodies = {
    usual: context.maxBodyBytes === undefined ? USUAL : readerOf(context.maxBodyBytes),
    large: context.maxSeedBytes === undefined ? LARGE : readerOf(context.maxSeedBytes),
  };
  const handler: RequestHandler = async (req, res) => {
    admitHost(context, req);
    if (req.method !== 'POST' && isForPeople(req, res)) return;
    res.set({ 'X-Sandbox-Contract': CONTRACT_VERSION, 'Cache-Control': 'no-store' });
    const caller = admit(context, req, res);
    const match = TABLE.find(pathOf(req.url));
    if (!match) {
      const where = `${req.method} ${CONTROL_PATH}${req.path}`;
      const near = TABLE.near(req.path);
      const meant = near === undefined ? undefined : `${CONTROL_PATH}${near}`;
      throw new ControlRejection(
        404,
        'unknown_route',
        `there is no ${where}${didYouMean(meant)}; GET ${CONTROL_PATH}/ lists what there is`,
        meant === undefined ? {} : { suggestion: meant },
      );
    }
    const { rows, id } = match;
    const route = rows.find(({ method }) => method === (req.method === 'HEAD' ? 'GET' : req.method));
    if (!route) {
      const allowed = rows.map(({ method }) => method).join(', ');
      res.set('Allow', allowed);
      throw new ControlRejection(405, 'method_not_allowed', `${req.method} is not possible here; ${allowed} is`, {
        allowed,
      });
    }
    if (caller !== context && route.contract.tag !== 'worlds')
      throw new ControlRejection(
        403,
        'not_the_host',
        'the key of a team makes, lists and deletes its worlds; call a world with its own key',
      );
    const { large = false, heavy = false } = route.contract;
    if (heavy) requireMemoryOf(context.engine);
    if (route.method !== 'GET') await (large ? bodies.large : bodies.usual)(req, res);
    busyWith(req.method, req.originalUrl);
    const { engine } = context;
    const { baseUrl: origin } = engine.runtime.reader;
    const body = large ? await largeBodyOf(req, origin) : valueWithoutOrigin(bodyOf(req), origin);
    const query = queryOf(req);
    const response = await inTurns(engine, () => route.run(caller, id, query, body));
    if (callChannel.hasSubscribers && route.contract.status === 201 && 'body' in response)
      callChannel.publish({ response: res, made: idsOf(response.body) } satisfies ControlCallEvent);
    await send(req, res, route, response, origin);
  };
  return { path: CONTROL_PATH, handler, onError: errorResponses(context) };
}

function memoryShort(): ControlRejection {
  return new ControlRejection(
    507,
    'memory_short',
    'the memory of the process would not hold this: delete worlds, reset this one, or give Node a larger heap (NODE_OPTIONS=--max-old-space-size=2048)',
  );
}

/** Serves the inspector. @returns whether the request was for it */
function isForPeople(req: Request, res: Response): boolean {
  const path = pathOf(req.url);
  const [original] = req.originalUrl.split('?');
  if (path === '/' && !original.endsWith('/') && asksForPage(req)) {
    // The inspector loads its files by relative paths, so its address must end with a slash.
    res.redirect(302, `${original.replace(/^\/+/, '/')}/`);
    return true;
  }
  return serveInspector(path, req, res);
}

/** Checks the host name of a request. @throws ControlRejection if it isn't one of the sandbox's */
function admitHost({ engine }: ControlContext, { headers: { host } }: Request): void {
  if (engine.runtime.surroundings.address.admits(host)) return;
  throw new ControlRejection(
    403,
    'host_unknown',
    `'${host}' is not a name of this sandbox; name it at the start: sandbox serve --allow-host ${String(host).replace(/:\d*$/, '')}`,
  );
}

/**
 * The context for a call's key: a team has access to its own worlds only.
 * @throws ControlRejection if the call has neither the world's key nor a team's
 */
function admit(context: ControlContext, req: Request, res: Response): ControlContext {
  const { guard, worlds, teams } = context;
  const { authorization } = req.headers;
  const { ok, given } = guard.check(authorization);
  const team = ok || given === null ? undefined : teams?.ofKey(given);
  if (callChannel.hasSubscribers) {
    const by = ok ? (worlds ? 'host' : 'world') : team ? `team ${team.name}` : null;
    callChannel.publish({ response: res, by } satisfies ControlCallEvent);
  }
  if (ok) return context;
  if (team && worlds?.of) return { ...context, worlds: worlds.of(team) };
  res.set('WWW-Authenticate', 'Bearer');
  throw authorization === undefined
    ? new ControlRejection(
        401,
        'api_key_missing',
        'write the key that was printed at the start: Authorization: Bearer <key>',
      )
    : new ControlRejection(401, 'api_key_invalid', 'invalid API key');
}

type BodyReader = (req: Request, res: Response) => Promise<void>;

/** Parses a body; errors are rejections of the control API. */
function readerOf(limit: number): BodyReader {
  const read = bodyReader(limit);
  return (req, res) =>
    new Promise((resolve, reject) => {
      void read(req, res, (thrown?: unknown) => {
        if (thrown === undefined) resolve();
        else reject(wrongBody(thrown, limit));
      });
    });
}

const USUAL = readerOf(LIMITS.body.value);
const LARGE = readerOf(LIMITS.seedBody.value);

function wrongBody(thrown: unknown, limit: number): Error {
  const rejection = rejectionOfBody(thrown, limit);
  return rejection instanceof Error ? rejection : new Error(String(rejection));
}

function rejectionOfBody(thrown: unknown, limit: number): unknown {
  const error = requestError(thrown);
  switch (error.kind) {
    case 'body_too_large':
      return new ControlRejection(413, 'body_too_large', `the body has more than ${limit} bytes`, { limit });
    case 'unreadable':
      return error.status === 415
        ? new ControlRejection(415, 'encoding_unsupported', error.reason)
        : new ControlRejection(400, 'body_malformed', error.reason);
    case 'bad_path':
    case 'defect':
      return thrown;
  }
}

/** The object in the body of a call, which hasn't been parsed yet. */
export async function bodyWithin(req: Request, res: Response): Promise<JsonObject> {
  await LARGE(req, res);
  return bodyOf(req);
}

/** The object in a parsed body; an empty body is an empty object. */
function bodyOf(req: Request): JsonObject {
  const bytes = bytesOf(req);
  return bytes === null ? {} : wellFormed(decodeJson(bytes));
}

/**
 * Parses the object in a possibly large body; other calls run meanwhile.
 * @param origin address of the sandbox, which is replaced with the neutral one in bug files
 */
async function largeBodyOf(req: Request, origin: string): Promise<JsonObject> {
  const bytes = bytesOf(req);
  if (bytes === null) return {};
  const isOurs = origin !== '' && bytes.includes(origin);
  return wellFormed(await runSteps(decodingJson(bytes, isOurs ? (piece) => withoutOrigin(piece, origin) : undefined)));
}

function bytesOf(req: Request): Buffer | null {
  const body: unknown = req.body;
  if (!Buffer.isBuffer(body) || body.length === 0) return null;
  const type = req.headers['content-type'];
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new ControlRejection(
      415,
      'content_type_unsupported',
      `bodies are JSON (Content-Type: application/json), not ${type}`,
    );
  }
  return body;
}

function wellFormed(decoded: DecodedJson<Json>): JsonObject {
  if (!decoded.ok) throw new ControlRejection(400, 'body_malformed', decoded.reason);
  return decoded.value;
}

function queryOf(req: Request): JsonObject {
  const query: Record<string, Json> = {};
  for (const [name, value] of new URLSearchParams(textOfQuery(req.url))) {
    if (Object.hasOwn(query, name))
      throw new ControlRejection(400, 'invalid_value', `'${name}' is given twice`, { path: name });
    Object.defineProperty(query, name, { value, enumerable: true });
  }
  return query;
}

async function send(
  req: Request,
  res: Response,
  { contract }: ControlRoute,
  response: ControlResponse,
  origin: string,
): Promise<void> {
  res.status(contract.status ?? 200);
  if ('stream' in response) {
    response.stream(req, res);
    return;
  }
  if ('text' in response) {
    res.type(response.type).send(withOrigin(response.text, origin));
    return;
  }
  if ('body' in response && !isLarge(response.body)) {
    res.type('application/json').send(withOrigin(JSON.stringify(response.body), origin));
    return;
  }
  res.type('application/json');
  const chunks =
    'body' in response
      ? placed(jsonPieces(response.body), origin)
      : placed(response.chunks, response.portable ? undefined : origin);
  await pipeline(Readable.from(chunks), res).catch((error: unknown) => {
    // If the caller disconnected, errors aren't defects.
    if (!res.destroyed) throw error;
  });
}

/**
 * Replaces addresses in chunks; no text is split between chunks. Other calls run between chunks.
 * @throws MemoryShort, which breaks the caller's connection
 */
async function* placed(chunks: Iterable<string>, origin: string | undefined): AsyncGenerator<string> {
  const giveWay = turns();
  for (const chunk of eachWhileMemoryLasts(chunks, isReserveShort)) {
    if (chunk !== '') yield withOrigin(chunk, origin);
    await giveWay();
  }
}

function errorResponses({ engine }: ControlContext): Plane['onError'] {
  return (error, req, res) => {
    const defect = (): void => engine.options.onDefect(error, `${req.method} ${CONTROL_PATH}${req.path}`);
    const rejection = error instanceof ControlRejection ? error : rejectionOfPack(error);
    if (rejection !== null) {
      const { status, code, message, details } = rejection;
      if (code === PACK_DEFECT) defect();
      const body = { code, message, ...details };
      res.status(status).json({ error: valueWithOrigin(body, engine.runtime.reader.baseUrl) });
    } else if (requestError(error).kind === 'bad_path') {
      res.status(400).json({
        error: {
          code: 'path_malformed' satisfies ControlCode,
          message: 'the path is not valid percent-encoded UTF-8',
        },
      });
    } else {
      defect();
      res.status(500).json({
        error: { code: 'internal_error' satisfies ControlCode, message: 'internal error: see the log of the server' },
      });
    }
  };
}

const PACK_DEFECT = 'pack_defect';

/** The rejection for an error of the pack, or of the world's present state; null if it is another error. */
function rejectionOfPack(error: unknown): ControlRejection | null {
  if (error instanceof CauseRejected) return new ControlRejection(error.status, error.code, error.message);
  if (error instanceof MemoryShort) return memoryShort();
  // Values sent by a caller may exceed the budget of expressions, so it isn't a defect of the pack.
  if (error instanceof TooMuchWork)
    return new ControlRejection(422, 'invalid_value', `these values take too much: ${error.message}`);
  if (!(error instanceof ExpressionFailure || error instanceof BudgetExceeded)) return null;
  return new ControlRejection(
    422,
    PACK_DEFECT,
    `the pack fails at this: ${error.message}; the log of the sandbox has the place`,
  );
}
