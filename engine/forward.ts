import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { request as requestSecurely } from 'node:https';
import { HANDED_ON, LET_GO, NOT_HERE, type Peers } from './peers.js';
import { PinnedAgent } from './secure.js';

/** What handing a call on came to. */
export type Forwarded =
  /** It is over: the caller has the answer, or knows that there is none. */
  | 'over'
  /** It was not done there: it may be tried elsewhere. */
  | 'undone';

/** Milliseconds for making a connection to another replica. */
const CONNECT = 1_000;
/** Milliseconds in which a replica lets a world go that it is asked for. */
const LETTING_GO = 15_000;
/** Errors with which nothing was sent. */
const UNSENT = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTDOWN']);
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
  HANDED_ON,
]);

/** Hands calls on to the replicas that have their worlds. */
export class Forwarder {
  /** A connection for each call: a replica that leaves closes idle ones, and what is sent into that moment may or may not be done. */
  readonly #agent = new Agent({ keepAlive: false });
  readonly #secure = new PinnedAgent();
  /** Calls that others are busy with, by world. */
  readonly #open = new Map<string, Map<ClientRequest, string>>();

  constructor(private readonly peers: Peers) {}

  /**
   * @param to address of the replica
   * @param body the whole body of the call
   */
  forward(world: string, to: string, req: IncomingMessage, body: Buffer, res: ServerResponse): Promise<Forwarded> {
    const { method = 'GET', url = '/' } = req;
    const headers = handedOn(req.rawHeaders);
    headers.push(HANDED_ON, this.peers.sign(world, method, url));
    if (body.length > 0 || req.headers['content-length'] !== undefined)
      headers.push('Content-Length', String(body.length));
    return new Promise((resolve) => {
      const call = this.#call(to, { method, path: url, headers });
      this.#begin(world, to, call);
      const gone = (): void => void call.destroy();
      res.once('close', gone);
      const end = (came: Forwarded): void => {
        res.off('close', gone);
        this.#end(world, call);
        resolve(came);
      };
      let isConnected = false;
      let isLate = false;
      call.on('socket', (socket) => {
        if (!socket.connecting) isConnected = true;
        else {
          const late = setTimeout(() => {
            isLate = true;
            call.destroy();
          }, CONNECT);
          socket.once('connect', () => (isConnected = true));
          for (const event of ['connect', 'close'] as const) socket.once(event, () => clearTimeout(late));
        }
      });
      call.on('response', (answer) => {
        if (answer.headers[NOT_HERE] !== undefined) {
          answer.resume();
          end('undone');
          return;
        }
        res.writeHead(answer.statusCode ?? 502, answer.statusMessage, handedOn(answer.rawHeaders, answer));
        answer.pipe(res);
        answer.on('error', () => res.destroy());
        answer.on('close', () => {
          // What was cut short there is cut short here.
          if (!answer.complete) res.destroy();
          end('over');
        });
      });
      call.on('error', (error: NodeJS.ErrnoException) => {
        if (!res.headersSent && !isConnected && (isLate || UNSENT.has(error.code ?? ''))) return end('undone');
        // Perhaps it was done, perhaps not. Whoever called finds out as with any connection that breaks.
        res.destroy();
        end('over');
      });
      call.end(body);
    });
  }

  /** Asks a replica to let a world go. Resolves when it has, or cannot be reached. */
  askFor(world: string, from: string): Promise<void> {
    const headers = { [HANDED_ON]: this.peers.sign(world, 'POST', LET_GO) };
    return new Promise((resolve) => {
      const call = this.#call(from, { method: 'POST', path: LET_GO, headers, signal: AbortSignal.timeout(LETTING_GO) });
      call.on('response', (answer) => answer.resume().on('close', resolve));
      call.on('error', () => resolve());
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
   * Breaks calls off that somebody is busy with who has the world no more.
   * @param owner address of its new owner, where calls go on
   */
  breakOff(world: string, owner: string | null): void {
    for (const [call, to] of this.#open.get(world) ?? []) if (to !== owner) call.destroy();
  }

  close(): void {
    this.#agent.destroy();
    this.#secure.destroy();
  }

  #begin(world: string, to: string, call: ClientRequest): void {
    const calls = this.#open.get(world) ?? new Map<ClientRequest, string>();
    calls.set(call, to);
    this.#open.set(world, calls);
  }

  #end(world: string, call: ClientRequest): void {
    const calls = this.#open.get(world);
    calls?.delete(call);
    if (calls?.size === 0) this.#open.delete(world);
  }
}

/** Headers as they were sent, without those about the connection. @param answer its length is known when it says so */
function handedOn(raw: readonly string[], answer?: IncomingMessage): string[] {
  const headers: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at].toLowerCase();
    const isKept = !OF_CONNECTION.has(name) || (name === 'content-length' && answer !== undefined);
    if (isKept) headers.push(raw[at], raw[at + 1]);
  }
  return headers;
}

/**
 * The whole body of a call, which may have to be sent twice.
 * @returns undefined: it is larger than anybody takes
 */
export async function wholeBody(req: IncomingMessage, most: number): Promise<Buffer | undefined> {
  if (req.headers['content-length'] === undefined && req.headers['transfer-encoding'] === undefined)
    return Buffer.alloc(0);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > most) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
