import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { request as requestSecurely } from 'node:https';
import type { WorldView } from '../control/index.js';
import {
  beginHeader,
  beginUrl,
  forwardedHeader,
  notHereHeader,
  type Peers,
  type PlainBeginning,
  releasePath,
} from './peers.js';
import { pinnedAgent } from './secure.js';

/** What handing a call on came to. */
type Forwarded =
  /** It is over: the caller has the response, or an error instead of one. */
  | 'over'
  /** It was not done there: it may be tried elsewhere. */
  | 'undone';

/** Milliseconds for making a connection to another replica. */
const CONNECT_TIMEOUT_MS = 1_000;
/** Milliseconds in which a replica says whether it has a world: longer than it looks for one itself. */
const takingMs = 15_000;
/** Milliseconds in which a replica releases or begins a world on request. */
const ASK_TIMEOUT_MS = 15_000;
/** Milliseconds in which the response of a replica that has let the world go may still be on its way. */
const RESPONSE_TIMEOUT_MS = 500;
/** Headers that are about one connection, and not handed on. */
const OF_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'expect',
  forwardedHeader,
]);

/** Connections to other replicas serve many calls; the one that was used last is the surest to be open still. */
const KEPT_OPEN = { keepAlive: true, scheduling: 'lifo' } as const;

/** A call with its whole body, and headers that replace its own of these names. */
interface WholeCall {
  readonly req: IncomingMessage;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A call that another replica has. */
interface HandedOn {
  readonly call: ClientRequest;
  readonly to: string;
  /** Its body was sent: from here on it may have been done. */
  isSent: boolean;
}

/**
 * Hands calls on to the replicas that have their worlds.
 *
 * Only the head of a call is sent at first. A replica that has the world asks for the rest (`100 Continue`) and does nothing
 * before it has all of it. So whatever breaks before that, a connection or a replica, the call was certainly not done and may
 * be tried elsewhere. A call without a body is sent as one of no bytes in chunks, whose end can be delayed.
 */
export class Forwarder {
  readonly #agent = new Agent(KEPT_OPEN);
  readonly #secure = pinnedAgent(KEPT_OPEN);
  /** Calls that others are busy with, by world. */
  readonly #open = new Map<string, Set<HandedOn>>();

  constructor(private readonly peers: Peers) {}

  /** @param to address of the replica */
  forward(
    world: string,
    to: string,
    { req, body, headers: added }: WholeCall,
    res: ServerResponse,
  ): Promise<Forwarded> {
    const { method = 'GET', url = '/' } = req;
    const headers = handedOn(req.rawHeaders, (name) => !OF_CONNECTION.has(name) && !(name in added));
    headers.push(...Object.entries(added).flat());
    headers.push(forwardedHeader, this.peers.sign(world, method, url), 'Expect', '100-continue');
    if (body.length > 0 || req.headers['content-length'] !== undefined)
      headers.push('Content-Length', String(body.length));
    else headers.push('Transfer-Encoding', 'chunked');
    return new Promise((resolve) => {
      const call = this.#call(to, { method, path: url, headers });
      const handed: HandedOn = { call, to, isSent: false };
      this.#begin(world, handed);
      const onClose = (): void => void call.destroy();
      res.once('close', onClose);
      const silent = setTimeout(onClose, takingMs);
      const end = (came: Forwarded): void => {
        clearTimeout(silent);
        res.off('close', onClose);
        this.#end(world, handed);
        resolve(came);
      };
      call.on('socket', (socket) => {
        if (!socket.connecting) return;
        const late = setTimeout(onClose, CONNECT_TIMEOUT_MS);
        for (const event of ['connect', 'close'] as const) socket.once(event, () => clearTimeout(late));
      });
      call.on('continue', () => {
        handed.isSent = true;
        clearTimeout(silent);
        call.end(body);
      });
      call.on('response', (response) => {
        clearTimeout(silent);
        if (response.headers[notHereHeader] !== undefined) {
          end('undone');
          call.destroy();
          return;
        }
        res.writeHead(
          response.statusCode ?? 502,
          response.statusMessage,
          handedOn(response.rawHeaders, (name) => name === 'content-length' || !OF_CONNECTION.has(name)),
        );
        response.pipe(res);
        response.on('error', () => res.destroy());
        response.on('close', () => {
          // What was cut short there is cut short here.
          if (!response.complete) res.destroy();
          end('over');
          if (!handed.isSent) call.destroy();
        });
      });
      call.on('error', () => {
        if (!res.headersSent && !handed.isSent && !res.destroyed) return end('undone');
        // Perhaps it was done, perhaps not: for the caller it is a connection that broke.
        res.destroy();
        end('over');
      });
      call.flushHeaders();
    });
  }

  /** Asks a replica to release a world. Resolves when it has, or cannot be reached. */
  async askFor(world: string, from: string): Promise<void> {
    await this.#ask(world, from, releasePath, forwardedHeader);
  }

  /** Asks a replica to begin a world that was registered just now. Null: it has not. */
  async beginAt(world: string, at: string, beginning: PlainBeginning): Promise<WorldView | null> {
    const view = await this.#ask(world, at, beginUrl(beginning), beginHeader);
    return view === null ? null : (JSON.parse(view) as WorldView);
  }

  /** Null: the replica cannot be reached, or rejects it. */
  #ask(world: string, to: string, path: string, signed: string): Promise<string | null> {
    const headers = { [signed]: this.peers.sign(world, 'POST', path) };
    return new Promise((resolve) => {
      const call = this.#call(to, { method: 'POST', path, headers, signal: AbortSignal.timeout(ASK_TIMEOUT_MS) });
      call.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('close', () => resolve(response.complete && (response.statusCode ?? 500) < 300 ? text : null));
      });
      call.on('error', () => resolve(null));
      call.end();
    });
  }

  /** @param to address of a replica; behind `#` the fingerprint of its certificate */
  #call(to: string, options: RequestOptions): ClientRequest {
    const { protocol, hostname, port, hash } = new URL(to);
    if (protocol === 'http:') return request({ ...options, agent: this.#agent, hostname, port });
    return requestSecurely({ ...options, agent: this.#secure, hostname, port, servername: hash.slice(1) });
  }

  /**
   * Breaks off calls that were forwarded to a replica that owns the world no more. What a replica did before it released the world is
   * returned; what one did that lost it is not.
   * @param owner address of its new owner, where calls continue
   */
  breakOff(world: string, owner: string | null): void {
    for (const { call, to, isSent } of this.#open.get(world) ?? []) {
      if (to === owner) continue;
      if (!isSent) call.destroy();
      else {
        const late = setTimeout(() => call.destroy(), RESPONSE_TIMEOUT_MS);
        call.once('close', () => clearTimeout(late));
      }
    }
  }

  close(): void {
    this.#agent.destroy();
    this.#secure.destroy();
  }

  #begin(world: string, handed: HandedOn): void {
    const calls = this.#open.get(world) ?? new Set<HandedOn>();
    calls.add(handed);
    this.#open.set(world, calls);
  }

  #end(world: string, handed: HandedOn): void {
    const calls = this.#open.get(world);
    calls?.delete(handed);
    if (calls?.size === 0) this.#open.delete(world);
  }
}

/** Headers as they were sent, those whose names, in lower case, are handed on. */
function handedOn(raw: readonly string[], isKept: (name: string) => boolean): string[] {
  const headers: string[] = [];
  for (let at = 0; at < raw.length; at += 2) if (isKept(raw[at].toLowerCase())) headers.push(raw[at], raw[at + 1]);
  return headers;
}

/**
 * The whole body of a call, which may have to be sent twice.
 * @returns undefined: it is larger than any server takes
 */
export async function wholeBody(req: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (req.headers['content-length'] === undefined && req.headers['transfer-encoding'] === undefined)
    return Buffer.alloc(0);
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
