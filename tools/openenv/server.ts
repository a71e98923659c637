import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { wholeBody } from '../../engine/hosting/index.js';
import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import { TaskFailure } from '../eval/prepared.js';
import { type AboutEnvironment, aboutEnvironment, openapi, CONTRACT_SCHEMAS, specFile, taskList } from './documents.js';
import { type Episodes, WrongEpisode } from './episodes.js';
import { type HeldSessions, type OpenSession, rpcResponse, rpcResponseTo, tooMany } from './rpc.js';
import { EnvironmentSession, WrongMessage } from './session.js';

interface OpenenvOptions {
  readonly about: AboutEnvironment;
  readonly episodes: Episodes;
  /** Maximum number of environments that are open at once. */
  readonly most: number;
  /** Milliseconds for which an environment over HTTP is kept without calls; Infinity means no limit. */
  readonly idleMs: number;
  readonly onDefect: (error: unknown) => void;
}

/** Size limit of a message, in bytes. */
const MOST_BYTES = 16 * 2 ** 20;
/** Key of the environment for HTTP calls without an episode id. */
const UNNAMED = '';

/** Thrown to reject a request with an HTTP status. */
class Rejected extends Error {
  constructor(
    readonly status: number,
    readonly body: JsonObject,
  ) {
    super(String(status));
  }
}

/**
 * Serves environments with OpenEnv's contract: over WebSockets at `/ws`, with one environment per connection, and over HTTP, where `episode_id`
 * selects the environment. Rejects requests from browser pages.
 */
export class OpenenvServer {
  readonly server: Server = createServer((req, res) => void this.#respond(req, res));
  /** Environments over HTTP, by episode or session. */
  readonly #held = new Map<string, EnvironmentSession>();
  /** Environments over WebSockets. */
  readonly #connected = new Set<EnvironmentSession>();
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MOST_BYTES });
  readonly #reaper: NodeJS.Timeout | undefined;

  constructor(private readonly options: OpenenvOptions) {
    this.server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => this.#upgrade(req, socket, head));
    if (Number.isFinite(options.idleMs))
      this.#reaper = setInterval(() => void this.#reap(), Math.max(1_000, options.idleMs / 4)).unref();
  }

  /** Number of environments that are open now. */
  get count(): number {
    return this.#held.size + this.#connected.size;
  }

  async close(): Promise<void> {
    clearInterval(this.#reaper);
    for (const client of this.#sockets.clients) client.terminate();
    await Promise.all([...this.#held.values(), ...this.#connected].map((session) => session.close()));
    this.#held.clear();
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
    await this.options.episodes.close();
  }

  readonly #sessions: HeldSessions = {
    open: () => {
      if (this.#isFull) return null;
      const opened = this.#newSession();
      this.#held.set(opened.id, opened.session);
      return opened;
    },
    find: (id) => this.#held.get(id),
    close: (id) => this.#release(id),
    once: async (work) => {
      const session = new EnvironmentSession(this.options.episodes);
      try {
        return await work(session);
      } finally {
        await session.close();
      }
    },
  };

  #newSession(): OpenSession {
    return { id: crypto.randomUUID(), session: new EnvironmentSession(this.options.episodes) };
  }

  get #isFull(): boolean {
    return this.count >= this.options.most;
  }

  get #full(): JsonObject {
    return {
      message: `there are ${this.count} environments, the most is ${this.options.most}`,
      code: 'CAPACITY_REACHED',
      active_sessions: this.count,
      max_sessions: this.options.most,
    };
  }

  async #release(id: string): Promise<boolean> {
    const session = this.#held.get(id);
    this.#held.delete(id);
    await session?.close();
    return session !== undefined;
  }

  async #reap(): Promise<void> {
    const until = performance.now() - this.options.idleMs;
    for (const [id, { usedAt }] of this.#held) if (usedAt < until) await this.#release(id);
  }

  async #respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const send = (status: number, type: string, body: string): void =>
      void res.writeHead(status, { 'content-type': type }).end(body);
    try {
      if (req.headers.origin !== undefined) throw new Rejected(403, { detail: 'pages have no access' });
      const body = await this.#result(req);
      if (typeof body === 'string') send(200, 'application/yaml', body);
      else send(200, 'application/json', JSON.stringify(body));
    } catch (error) {
      const { status, body } = error instanceof Rejected ? error : rejection(error);
      if (status === 500) this.options.onDefect(error);
      send(status, 'application/json', JSON.stringify(body));
    }
  }

  async #result(req: IncomingMessage): Promise<Json | string> {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost');
    const { about, episodes } = this.options;
    switch (`${req.method} ${pathname}`) {
      case 'GET /health':
        return { status: 'healthy' };
      case 'GET /metadata':
        return aboutEnvironment(about);
      case 'GET /schema':
        return CONTRACT_SCHEMAS;
      case 'GET /openapi.json':
        return openapi(about);
      case 'GET /openenv.yaml':
        return specFile(about);
      case 'GET /tasks':
        return taskList(episodes.tasks);
      case 'GET /state':
        return this.#named(searchParams.get('episode_id')).state();
      case 'POST /reset':
        return this.#reset(await bodyOf(req));
      case 'POST /step': {
        const { action = null, episode_id = null } = await bodyOf(req);
        if (!isObject(action)) throw new WrongMessage(['action'], 'action is an object');
        return this.#named(episode_id).step(action);
      }
      case 'POST /close': {
        const { episode_id = null } = await bodyOf(req);
        return { closed: await this.#release(typeof episode_id === 'string' ? episode_id : UNNAMED) };
      }
      case 'POST /mcp':
        return rpcResponseTo(await textOf(req), this.#sessions);
      default:
        throw new Rejected(404, { detail: 'Not Found' });
    }
  }

  /** Starts an episode over HTTP: with an id, or for calls without one. */
  async #reset(given: JsonObject): Promise<JsonObject> {
    const { episode_id = null } = given;
    const id = typeof episode_id === 'string' ? episode_id : UNNAMED;
    const known = this.#held.get(id);
    if (!known && this.#isFull) throw new Rejected(503, { detail: this.#full });
    const session = known ?? new EnvironmentSession(this.options.episodes);
    this.#held.set(id, session);
    try {
      return await session.reset(given);
    } catch (error) {
      if (!known) this.#held.delete(id);
      throw error;
    }
  }

  #named(id: Json): EnvironmentSession {
    const session = this.#held.get(typeof id === 'string' ? id : UNNAMED);
    if (!session)
      throw new Rejected(404, {
        detail: id === null ? 'reset begins an episode' : `there is no episode '${String(id)}'`,
      });
    return session;
  }

  #upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost');
    if (req.headers.origin !== undefined || (pathname !== '/ws' && pathname !== '/mcp')) {
      socket.end(
        `HTTP/1.1 ${req.headers.origin === undefined ? '404 Not Found' : '403 Forbidden'}\r\nConnection: close\r\n\r\n`,
      );
      return;
    }
    this.#sockets.handleUpgrade(req, socket, head, (made) => this.#connect(made, pathname === '/mcp'));
  }

  /** Serves a WebSocket as one environment, and handles its messages in order. */
  #connect(made: WebSocket, isRpc: boolean): void {
    const say = (message: JsonObject): void => made.send(JSON.stringify(message));
    made.on('error', () => made.terminate());
    if (this.#isFull) {
      say(isRpc ? tooMany(null, String(this.#full['message']), this.#full) : errorOf(this.#full));
      made.close();
      return;
    }
    const own = this.#newSession();
    const { session } = own;
    this.#connected.add(session);
    let last: Promise<void> = Promise.resolve();
    made.on('message', (data: Buffer) => {
      const text = data.toString();
      last = last.then(async () => {
        const response = isRpc ? await rpcResponseTo(text, this.#sessions, own) : await this.#responseTo(text, own);
        if (response === null) made.close();
        else if (made.readyState === made.OPEN) say(response);
      });
    });
    made.once('close', () => {
      this.#connected.delete(session);
      void session.close().catch((error: unknown) => this.options.onDefect(error));
    });
  }

  /** Handles a message of `/ws`, and returns the response; null if the message ends the session. */
  async #responseTo(text: string, own: OpenSession): Promise<JsonObject | null> {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (error) {
      return errorOf({ message: `Invalid JSON: ${error instanceof Error ? error.message : ''}`, code: 'INVALID_JSON' });
    }
    if (!isObject(message)) return errorOf({ message: 'a message is an object', code: 'VALIDATION_ERROR' });
    const { type = '', data = {} } = message;
    const { session } = own;
    try {
      switch (type) {
        case 'reset':
          return { type: 'observation', data: await session.reset(isObject(data) ? data : {}) };
        case 'step':
          if (!isObject(data)) throw new WrongMessage(['data'], 'data is an object');
          return { type: 'observation', data: await session.step(data) };
        case 'state':
          return { type: 'state', data: await session.state() };
        case 'mcp':
          return { type: 'mcp', data: await rpcResponse(data, this.#sessions, own) };
        case 'close':
          return null;
        default:
          return errorOf({ message: `Unknown message type: ${String(type)}`, code: 'UNKNOWN_TYPE' });
      }
    } catch (error) {
      if (error instanceof WrongMessage)
        return errorOf({ message: error.message, code: 'VALIDATION_ERROR', errors: detailOf(error) });
      if (!(error instanceof WrongEpisode || error instanceof TaskFailure)) this.options.onDefect(error);
      return errorOf({ message: error instanceof Error ? error.message : String(error), code: 'EXECUTION_ERROR' });
    }
  }
}

function errorOf(data: JsonObject): JsonObject {
  return { type: 'error', data };
}

function detailOf({ path, message }: WrongMessage): JsonObject[] {
  return [{ type: 'value_error', loc: ['body', ...path], msg: message }];
}

function rejection(error: unknown): Rejected {
  if (error instanceof WrongMessage) return new Rejected(422, { detail: detailOf(error) });
  const message = error instanceof Error ? error.message : String(error);
  return new Rejected(error instanceof WrongEpisode || error instanceof TaskFailure ? 422 : 500, { detail: message });
}

async function textOf(req: IncomingMessage): Promise<string> {
  const body = await wholeBody(req, MOST_BYTES);
  if (body === undefined) throw new Rejected(413, { detail: `a body has at most ${MOST_BYTES} bytes` });
  return body.toString();
}

async function bodyOf(req: IncomingMessage): Promise<JsonObject> {
  const text = await textOf(req);
  try {
    const body: unknown = text.trim() === '' ? {} : JSON.parse(text);
    if (isObject(body)) return body;
  } catch {
    // Invalid JSON gets the same error as JSON that isn't an object.
  }
  throw new WrongMessage([], 'the body is a JSON object');
}
