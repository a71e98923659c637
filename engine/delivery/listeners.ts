import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocketServer } from 'ws';
import { pathOf } from '../http/index.js';
import { withOrigin } from '../expression/index.js';
import { withBudget } from '../values/index.js';
import { LIMITS } from '../limits.js';
import { NO_REQUEST } from '../model/index.js';
import type { SocketPlan } from '../program/index.js';
import { CauseRejected, type Engine } from '../runtime/index.js';
import { Connection } from './connection.js';

/**
 * The listeners of a world, by name. A listener connects by WebSocket (RFC 6455) at the path of one of the pack's transports;
 * an external event accepts it, and another one reports its end. It is identified only by its name, which the vendor API
 * returned before.
 */
export class Listeners {
  /** Connections that get messages, the next one first. */
  readonly #connections = new Map<string, Connection[]>();
  /** Connections whose end causes an external event. */
  readonly #open = new Set<Connection>();
  #known: readonly SocketPlan[] | undefined;
  #server: Promise<WebSocketServer> | undefined;

  /** @param onDefect called with errors of the pack's expressions */
  constructor(
    private readonly engine: Engine,
    private readonly onDefect: (error: unknown, what: string) => void,
  ) {}

  get #plans(): readonly SocketPlan[] {
    if (this.#known !== undefined) return this.#known;
    const transports = [...(this.engine.pack.delivery()?.transports.values() ?? [])];
    return (this.#known = transports.flatMap((plan) => (plan.kind === 'socket' ? [plan.socket] : [])));
  }

  /** Whether no listener is connected. */
  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** The connection for a listener's next message, in rotation. */
  get(name: string): Connection | undefined {
    const all = this.#connections.get(name);
    const next = all?.shift();
    if (next !== undefined) all?.push(next);
    return next;
  }

  /** Closes the connections of a listener, with a last message. It may reconnect. */
  dismiss(name: string, text: string): void {
    const all = this.#connections.get(name) ?? [];
    this.#connections.delete(name);
    for (const connection of all) {
      connection.say(text);
      connection.end(DISMISSED);
    }
  }

  /** Accepts or rejects a listener's connection; false: the request is for something else and is untouched. */
  async upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<boolean> {
    const asked = this.#asked(req);
    if (!asked) return false;
    const { plan, name } = asked;
    const server = await (this.#server ??= makeServer(this.#plans));
    await this.engine.seeding;
    if (this.#open.size >= LIMITS.listeners.value || !this.#report(plan.opened, name)) {
      this.#reject(plan, socket);
      return true;
    }
    let isMade = false;
    server.handleUpgrade(req, socket, head, (made) => {
      isMade = true;
      const { reader: host } = this.engine.runtime;
      const connection = new Connection(made, { plan, host, onDefect: this.onDefect });
      this.#add(plan, name, connection);
      socket.once('close', () => this.#left(plan, name, connection));
    });
    // The server has rejected an invalid handshake, so the listener counts as disconnected.
    if (!isMade) this.#report(plan.closed, name);
    return true;
  }

  /** Closes every connection, because the world is reset or ends. This causes no events. */
  drop(): void {
    const all = [...this.#open];
    this.#open.clear();
    this.#connections.clear();
    for (const connection of all) connection.end(RESTARTED);
  }

  /**
   * The transport and listener of a request, if it is a valid WebSocket request. Browsers, which send an origin, are rejected; a client
   * that sends the vendor's own origin isn't, since no page of another site can send that one.
   */
  #asked({ method, headers, url = '/' }: IncomingMessage): { plan: SocketPlan; name: string } | undefined {
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket' || !this.#isClient(headers.origin)) return;
    const path = pathOf(url);
    const plan = this.#plans.find((each) => path.startsWith(each.path));
    const name = plan && path.slice(plan.path.length);
    if (!plan || !name || !/^[\w.~-]+$/.test(name)) return;
    const offered = headers['sec-websocket-protocol']?.split(',').map((each) => each.trim()) ?? [];
    return plan.protocol !== null && !offered.includes(plan.protocol) ? undefined : { plan, name };
  }

  #isClient(origin: string | undefined): boolean {
    if (origin === undefined) return true;
    const { protocol, hostname } = URL.canParse(origin) ? new URL(origin) : { protocol: '', hostname: '' };
    const names = this.engine.pack.model.settings.hosts.map((host) => host.replace(/^\*\./, ''));
    return protocol === 'https:' && names.some((name) => hostname === name || hostname.endsWith(`.${name}`));
  }

  /** Adds a connection, replacing the oldest one above the limit, and sends the greeting. */
  #add({ share, greeting }: SocketPlan, name: string, connection: Connection): void {
    const all = [...(this.#connections.get(name) ?? [])];
    if (all.length >= share) {
      const oldest = [...this.#open].find((each) => all.includes(each));
      if (oldest !== undefined) {
        all.splice(all.indexOf(oldest), 1);
        this.#open.delete(oldest);
        oldest.end(REPLACED);
      }
    }
    all.push(connection);
    this.#connections.set(name, all);
    this.#open.add(connection);
    if (greeting === null) return;
    const { reader: host } = this.engine.runtime;
    try {
      connection.say(withOrigin(JSON.stringify(withBudget(() => greeting(host, name, all.length))), host.baseUrl));
    } catch (error) {
      this.onDefect(error, `the greeting of ${name}`);
    }
  }

  #left({ closed }: SocketPlan, name: string, connection: Connection): void {
    // Does nothing if another connection replaced this one, or the world closed it.
    if (!this.#open.delete(connection)) return;
    const all = (this.#connections.get(name) ?? []).filter((each) => each !== connection);
    if (all.length > 0) this.#connections.set(name, all);
    else this.#connections.delete(name);
    connection.end(RESTARTED);
    if (all.length === 0) this.#report(closed, name);
  }

  #reject({ rejected }: SocketPlan, socket: Duplex): void {
    const { engine } = this;
    const { status, body: written = '' } = engine.error(rejected, {}, NO_REQUEST);
    const body = withOrigin(written, engine.runtime.reader.baseUrl);
    const headers = [
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...headers, '', body].join('\r\n'));
  }

  /** Fires an external event. @returns whether it was accepted */
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

/** Reasons for closing connections (RFC 6455, 7.4.1; 1012 from the registry). */
const REPLACED = { code: 1000, reason: 'another connection has taken the place of this one' };
const DISMISSED = { code: 1000, reason: 'the vendor has ended this connection' };
const RESTARTED = { code: 1012, reason: 'the world restarts' };

/** Loads the WebSocket server for the first listener, since most worlds never have one. */
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
