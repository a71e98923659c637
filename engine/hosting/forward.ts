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

/** The outcome of forwarding a call. */
type Forwarded =
  /** The caller got the response, or an error. */
  | 'over'
  /** The other replica didn't execute the call, so another one may be tried. */
  | 'undone';

/** Timeout for connecting to another replica, in milliseconds. */
const CONNECT_TIMEOUT_MS = 1_000;
/** Timeout for a replica to report whether it has a world, in milliseconds: longer than it may search for it. */
const takingMs = 15_000;
/** Timeout for a replica to release or begin a world on request, in milliseconds. */
const ASK_TIMEOUT_MS = 15_000;
/** Time in milliseconds for which responses of a replica that released a world may still arrive. */
const RESPONSE_TIMEOUT_MS = 500;
/** Hop-by-hop headers, which aren't forwarded. */
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

/** Connections are reused; the one that was used last is most likely still open. */
const KEPT_OPEN = { keepAlive: true, scheduling: 'lifo' } as const;

/** A call whose body is read completely, with headers that replace the call's own. */
interface WholeCall {
  readonly req: IncomingMessage;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A call that was forwarded to another replica. */
interface HandedOn {
  readonly call: ClientRequest;
  readonly to: string;
  /** Whether the body of the call was sent, so that the other replica may have executed it. */
  isSent: boolean;
}

/**
 * Forwards calls to the replicas that have their worlds. At first only the head of a call is sent. A replica that has the world
 * requests the rest (`100 Continue`) and executes nothing before it has all of it. So if a connection or replica fails before
 * that, the call was certainly not executed and may be tried elsewhere. A call without a body is sent as an empty chunked body,
 * whose end can be delayed.
 */
export class Forwarder {
  readonly #agent = new Agent(KEPT_OPEN);
  readonly #secure = pinnedAgent(KEPT_OPEN);
  /** Forwarded calls that have no response yet, by world. */
  readonly #open = new Map<string, Set<HandedOn>>();

  constructor(private readonly peers: Peers) {}

  /** Forwards a call to a replica. @param to address of the replica */
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
          // If the other replica cut off the response, it is cut off here too.
          if (!response.complete) res.destroy();
          end('over');
          if (!handed.isSent) call.destroy();
        });
      });
      call.on('error', () => {
        if (!res.headersSent && !handed.isSent && !res.destroyed) return end('undone');
        // The other replica may have executed the call, so it isn't repeated: the caller's connection is closed.
        res.destroy();
        end('over');
      });
      call.flushHeaders();
    });
  }

  /** Asks a replica to release a world. Resolves once it has, or can't be reached. */
  async askFor(world: string, from: string): Promise<void> {
    await this.#ask(world, from, releasePath, forwardedHeader);
  }

  /** Asks a replica to begin a newly registered world. @returns null if it didn't begin it */
  async beginAt(world: string, at: string, beginning: PlainBeginning): Promise<WorldView | null> {
    const view = await this.#ask(world, at, beginUrl(beginning), beginHeader);
    return view === null ? null : (JSON.parse(view) as WorldView);
  }

  /** Sends a signed request to a replica. @returns the response; null if the replica can't be reached or rejects it */
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

  /** Opens a request to a replica. @param to address of a replica; after `#` the fingerprint of its certificate */
  #call(to: string, options: RequestOptions): ClientRequest {
    const { protocol, hostname, port, hash } = new URL(to);
    if (protocol === 'http:') return request({ ...options, agent: this.#agent, hostname, port });
    return requestSecurely({ ...options, agent: this.#secure, hostname, port, servername: hash.slice(1) });
  }

  /**
   * Aborts calls that were forwarded to a replica that no longer owns the world. Responses from before it released the world
   * are returned; those of a replica that lost it are not.
   * @param owner address of the new owner, where calls continue
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

/** Headers as sent, filtered by their lower-case names. */
function handedOn(raw: readonly string[], isKept: (name: string) => boolean): string[] {
  const headers: string[] = [];
  for (let at = 0; at < raw.length; at += 2) if (isKept(raw[at].toLowerCase())) headers.push(raw[at], raw[at + 1]);
  return headers;
}

/** The whole body of a call, which may have to be sent twice. @returns undefined if it exceeds every server's limit */
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
