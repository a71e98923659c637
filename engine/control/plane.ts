import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { busyWith } from '../activity.js';
import { decodeJson, type Json, type JsonObject, withOrigin, withoutOrigin } from '../expression/index.js';
import { bodyReader, type Plane, queryOf as textOfQuery, requestError } from '../http/index.js';
import { LIMITS } from '../limits.js';
import type { ControlAnswer, ControlContext, ControlRoute } from './context.js';
import { CONTRACT_VERSION, CONTROL_PATH } from './contract.js';
import { Refusal } from './refusal.js';
import { controlRoutes } from './routes/index.js';

/**
 * Builds the control plane of a world: every call is authenticated, read and checked; what it changes is one command.
 * Errors are `{error: {code, message, ...}}`, never the vendor's envelope.
 */
export function controlPlane(context: ControlContext): Plane {
  const router = Router({ caseSensitive: true });
  router.use((req, res, next) => {
    res.set({ 'X-Sandbox-Contract': CONTRACT_VERSION, 'Cache-Control': 'no-store' });
    const { authorization } = req.headers;
    if (context.guard.check(authorization).ok) return next();
    res.set('WWW-Authenticate', 'Bearer');
    throw authorization === undefined
      ? new Refusal(401, 'api_key_missing', 'write the key that was printed at the start: Authorization: Bearer <key>')
      : new Refusal(401, 'api_key_invalid', 'this is not the key of this world');
  });
  const bodies = {
    usual: readerOf(context.maxBodyBytes ?? LIMITS.body.value),
    large: readerOf(context.maxSeedBytes ?? LIMITS.seedBody.value),
  };
  const paths = new Map<string, ControlRoute[]>();
  for (const route of controlRoutes(context)) paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  for (const [path, group] of paths) {
    const at = router.route(path);
    for (const route of group) mount(at, route, route.large ? bodies.large : bodies.usual, context);
    const allowed = group.map(({ method }) => method).join(', ');
    at.all((req, res) => {
      res.set('Allow', allowed);
      throw new Refusal(405, 'method_not_allowed', `${req.method} is not possible here; ${allowed} is`, { allowed });
    });
  }
  router.use((req) => {
    const where = `${req.method} ${CONTROL_PATH}${req.path}`;
    throw new Refusal(404, 'unknown_route', `there is no ${where}; GET ${CONTROL_PATH}/ lists what there is`);
  });
  return { path: CONTROL_PATH, handler: router, onError: errorAnswers(context) };
}

function mount(
  at: ReturnType<Router['route']>,
  route: ControlRoute,
  readBody: RequestHandler,
  { engine }: ControlContext,
): void {
  const answer: RequestHandler = async (req, res) => {
    const { id } = req.params;
    busyWith(req.method, req.originalUrl);
    // What is half seeded is seen by nobody.
    if (engine.seeding !== null) await engine.seeding;
    const { origin } = engine.runtime;
    const body = bodyOf(req, route.large ? origin : undefined);
    const made = await route.run(typeof id === 'string' ? id : '', queryOf(req), body);
    await send(res, made, origin);
  };
  switch (route.method) {
    case 'GET':
      at.get(answer);
      return;
    case 'POST':
      at.post(readBody, answer);
      return;
    case 'DELETE':
      at.delete(readBody, answer);
      return;
  }
}

/** Reads a body; what is wrong with it is a refusal of the control plane. */
function readerOf(limit: number): RequestHandler {
  const read = bodyReader(limit);
  return (req, res, next) => {
    void read(req, res, (thrown?: unknown) => next(thrown === undefined ? undefined : refusalOfBody(thrown, limit)));
  };
}

function refusalOfBody(thrown: unknown, limit: number): unknown {
  const error = requestError(thrown);
  switch (error.kind) {
    case 'body_too_large':
      return new Refusal(413, 'body_too_large', `the body has more than ${limit} bytes`, { limit });
    case 'unreadable':
      return error.status === 415
        ? new Refusal(415, 'encoding_unsupported', error.reason)
        : new Refusal(400, 'malformed_body', error.reason);
    case 'bad_path':
    case 'defect':
      return thrown;
  }
}

/**
 * The object that a body holds; none is an empty one.
 * @param origin where the sandbox listens, if the body may be what it told: inside of the world that is no place in particular
 */
function bodyOf(req: Request, origin?: string): JsonObject {
  const body: unknown = req.body;
  if (!Buffer.isBuffer(body) || body.length === 0) return {};
  const type = req.headers['content-type'];
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new Refusal(415, 'content_type_unsupported', `bodies are JSON (Content-Type: application/json), not ${type}`);
  }
  const decoded = decodeJson(origin && body.includes(origin) ? withoutOrigin(body, origin) : body);
  if (!decoded.ok) throw new Refusal(400, 'malformed_body', decoded.reason);
  return decoded.value;
}

function queryOf(req: Request): JsonObject {
  const query: Record<string, Json> = {};
  for (const [name, value] of new URLSearchParams(textOfQuery(req.url))) {
    if (Object.hasOwn(query, name)) throw new Refusal(400, 'invalid_value', `'${name}' is given twice`, { path: name });
    Object.defineProperty(query, name, { value, enumerable: true });
  }
  return query;
}

async function send(res: Response, answer: ControlAnswer, origin: string): Promise<void> {
  res.status(answer.status ?? 200);
  if ('body' in answer) {
    res.type('application/json').send(withOrigin(JSON.stringify(answer.body), origin));
    return;
  }
  res.type('application/json');
  await pipeline(Readable.from(placed(answer.chunks, origin)), res).catch((error: unknown) => {
    // A caller that hangs up early is no defect.
    if (!res.destroyed) throw error;
  });
}

/** Chunks hold whole texts, so that nothing is cut in two. */
async function* placed(chunks: Iterable<string> | AsyncIterable<string>, origin: string): AsyncGenerator<string> {
  for await (const chunk of chunks) yield withOrigin(chunk, origin);
}

function errorAnswers({ engine }: ControlContext): Plane['onError'] {
  return (error, req, res) => {
    if (error instanceof Refusal) {
      const { status, code, message, details } = error;
      res.status(status).json({ error: { code, message, ...details } });
    } else if (requestError(error).kind === 'bad_path') {
      res
        .status(400)
        .json({ error: { code: 'malformed_path', message: 'the path is not valid percent-encoded UTF-8' } });
    } else {
      engine.options.onDefect(error, `${req.method} ${CONTROL_PATH}${req.path}`);
      res.status(500).json({ error: { code: 'internal_error', message: 'the sandbox failed; its log tells why' } });
    }
  };
}
