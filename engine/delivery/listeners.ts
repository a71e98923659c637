import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocketServer } from 'ws';
import { pathOf } from '../http/index.js';
import { LIMITS } from '../limits.js';
import { NO_REQUEST } from '../model/index.js';
import type { SocketPlan } from '../program/index.js';
import { CauseRejected, type Engine } from '../runtime/index.js';
import { Connection } from './connection.js';

/**
 * The listeners of a world, by name. One connects by a WebSocket (RFC 6455) at the path that a transport of the pack says; a world
 * event lets it in, and another one tells that it has gone. Its name is all that it shows: the vendor's API has given it away.
 */
export class Listeners {
  readonly #connections = new Map<string, Connection>();
  #known: readonly SocketPlan[] | undefined;
  #server: Promise<WebSocketServer> | undefined;

  /** @param onDefect told of expressions of the pack that fail */
  constructor(
    private readonly engine: Engine,
    private readonly onDefect: (error: unknown, what: string) => void,
  ) {}

  get #plans(): readonly SocketPlan[] {
    if (this.#known !== undefined) return this.#known;
    const transports = [...(this.engine.pack.delivery?.transports.values() ?? [])];
    return (this.#known = transports.flatMap((plan) => (plan.kind === 'socket' ? [plan.socket] : [])));
  }

  /** Nobody is connected. */
  get isEmpty(): boolean {
    return this.#connections.size === 0;
  }

  /** The connection of a listener. */
  get(name: string): Connection | undefined {
    return this.#connections.get(name);
  }

  /** Takes a listener's connection, or tells it that it may not connect; false: it is none, and was left as it is. */
  async upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<boolean> {
    const asked = this.#asked(req);
    if (!asked) return false;
    const { plan, name } = asked;
    const server = await (this.#server ??= makeServer(this.#plans));
    await this.engine.seeding;
    if (this.#connections.size >= LIMITS.listeners.value || !this.#report(plan.opened, name)) {
      this.#reject(plan, socket);
      return true;
    }
    let isMade = false;
    server.handleUpgrade(req, socket, head, (made) => {
      isMade = true;
      this.#connections.get(name)?.end(REPLACED);
      const { reader: host } = this.engine.runtime;
      this.#connections.set(name, new Connection(made, socket, { plan, host, onDefect: this.onDefect }));
      socket.once('close', () => this.#left(plan, name, socket));
    });
    // A handshake that is none was answered, and nobody has come.
    if (!isMade) this.#report(plan.closed, name);
    return true;
  }

  /** Ends every connection, because the world is emptied or leaves. Their ends are no events of it. */
  drop(): void {
    const all = [...this.#connections.values()];
    this.#connections.clear();
    for (const connection of all) connection.end(RESTARTED);
  }

  /** What a request wants to listen to, if it is made as such a request must be. Browsers, which name their origin, may not. */
  #asked({ method, headers, url = '/' }: IncomingMessage): { plan: SocketPlan; name: string } | undefined {
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket' || headers.origin !== undefined) return;
    const path = pathOf(url);
    const plan = this.#plans.find((each) => path.startsWith(each.path));
    const name = plan && path.slice(plan.path.length);
    if (!plan || !name || !/^[\w.~-]+$/.test(name)) return;
    const offered = headers['sec-websocket-protocol']?.split(',').map((each) => each.trim()) ?? [];
    return plan.protocol !== null && !offered.includes(plan.protocol) ? undefined : { plan, name };
  }

  #left({ closed }: SocketPlan, name: string, socket: Duplex): void {
    const known = this.#connections.get(name);
    // Another one has taken its place, or the world has ended it.
    if (known?.stream !== socket) return;
    this.#connections.delete(name);
    known.end(RESTARTED);
    this.#report(closed, name);
  }

  #reject({ rejected }: SocketPlan, socket: Duplex): void {
    const { status, body = '' } = this.engine.error(rejected, {}, NO_REQUEST);
    const headers = [
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...headers, '', body].join('\r\n'));
  }

  /** Lets the world know. @returns whether it happened */
  #report(cause: string, listener: string): boolean {
    try {
      this.engine.cause(cause, { listener }, true);
      return true;
    } catch (error) {
      if (!(error instanceof CauseRejected)) this.onDefect(error, `event ${cause}`);
      return false;
    }
  }
}

/** Why connections end (RFC 6455, 7.4.1; 1012 of the registry beside it). */
const REPLACED = { code: 1000, reason: 'another connection has taken the place of this one' };
const RESTARTED = { code: 1012, reason: 'the world begins anew' };

/** Loaded with the first listener: most worlds never have one. */
async function makeServer(plans: readonly SocketPlan[]): Promise<WebSocketServer> {
  const { WebSocketServer: Server } = await import('ws');
  const spoken = new Set(plans.map(({ protocol }) => protocol));
  return new Server({
    noServer: true,
    clientTracking: false,
    maxPayload: LIMITS.listenerMessage.value,
    handleProtocols: (offered) => [...offered].find((each) => spoken.has(each)) ?? false,
  });
}
