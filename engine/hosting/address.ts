import { type ServerResponse, type IncomingMessage, Server } from 'node:http';
import type { Coverage } from '../runtime/index.js';
import type { ControlCode } from '../codes.js';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import type { CallCounter } from './calls.js';
import {
  closeAll,
  closeUnused,
  createHttpServer,
  ignoreUpgrade,
  type Messages,
  type Tls,
  type Upgrade,
} from '../http/index.js';

/** Serves a call. */
export type Listener = (req: IncomingMessage, res: ServerResponse) => void;

/** The handlers of an address. */
export interface ServedApp {
  readonly app: Express;
  readonly upgrade: Upgrade;
}

/** Where a world is served. */
export interface Address {
  /** What callers write before the paths of both planes. */
  readonly url: string;
  /** What links to its pages begin with. */
  readonly origin: string;
  /** Its server; null: it is another one's. */
  readonly server: Server | null;
  /** The calls that came; null: they are not counted. */
  readonly calls: CallCounter | null;
  /** What an app must be made of to be as fast here as the first one; null: it does not matter. */
  readonly messages: Messages | null;
  /** From now on this one serves. */
  show(served: { readonly app: Listener; readonly upgrade: Upgrade }): void;
  /**
   * Nothing is served any more, but the address stays: calls wait until the world has shown its app again.
   * @param wake resolves when it has; rejects with the reason why it cannot
   */
  rest(wake: () => Promise<void>): void;
  /**
   * Serves nothing any more.
   * @param drainMs longest wait for calls that are in flight, in milliseconds
   */
  leave(drainMs: number): Promise<void>;
}

/**
 * An address of one world alone. Rejects with the listening error (`code: EADDRINUSE`) when the port is taken.
 * @param calls counts its calls, if given
 */
export async function ownAddress(
  served: ServedApp,
  port: number,
  host: string,
  calls: CallCounter | null = null,
  tls?: Tls,
): Promise<Address> {
  const { app } = served;
  const server = createHttpServer(app, tls);
  const place: AddressSlot = { listener: app, upgrade: served.upgrade, calls };
  const serveBy = (listener: Listener, upgrade: Upgrade): void => {
    Object.assign(place, { listener, upgrade });
    server.removeAllListeners('request');
    server.on('request', calls ? (req, res) => pass(place, req, res) : listener);
  };
  serveBy(app, served.upgrade);
  server.on('upgrade', (...asked) => void upgraded(server, place, asked));
  const url = await listenAt(server, port, host);
  return {
    url,
    origin: url,
    server,
    calls,
    messages: { request: app.request, response: app.response },
    show: (next) => serveBy(next.app, next.upgrade),
    rest: (wake) => serveBy(waitForWorld(place, wake), waitingUpgrade(place, wake)),
    leave: (drainMs) => closed(server, drainMs),
  };
}

/** Lets calls wait until a world has shown its app again. */
export function waitForWorld(place: AddressSlot, wake: () => Promise<void>): Listener {
  return (req, res) => {
    const reject = (error: unknown): void => {
      const message = `the world does not start: ${error instanceof Error ? error.message : String(error)}`;
      res.writeHead(503, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
      res.end(JSON.stringify({ error: { code: 'world_not_started' satisfies ControlCode, message } }));
    };
    wake().then(() => place.listener(req, res), reject);
  };
}

/** As `waiting`, for those who ask for another protocol. */
export function waitingUpgrade(place: AddressSlot, wake: () => Promise<void>): Upgrade {
  return async (...asked) => {
    await wake();
    return place.upgrade(...asked);
  };
}

/** Hands over a connection that asks for another protocol; where no handler takes it, that is ignored. */
export async function upgraded(
  server: Server,
  place: AddressSlot | null,
  asked: AskedUpgrade,
  url = asked[0].url,
): Promise<void> {
  const taken = (await place?.upgrade(...asked).catch(() => false)) ?? false;
  if (taken) return;
  // The handler takes the world's name out of the address once more.
  Object.assign(asked[0], { url });
  ignoreUpgrade(server, ...asked);
}

export type AskedUpgrade = Parameters<Upgrade>;

/** Hands a call over. */
export function pass({ listener, calls }: AddressSlot, req: IncomingMessage, res: ServerResponse): void {
  calls?.begin(res);
  listener(req, res);
}

/** Where the calls of a world go. */
export interface AddressSlot {
  listener: Listener;
  upgrade: Upgrade;
  readonly calls: CallCounter | null;
}

/** Listens; gives the base URL. Rejects with the listening error (`code: EADDRINUSE`) when the port is taken. */
export async function listenAt(server: Server, port: number, host: string): Promise<string> {
  await listen(server, port, host);
  const scheme = server instanceof Server ? 'http' : 'https';
  return `${scheme}://${shownHost(host)}:${(server.address() as AddressInfo).port}`;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host === 'localhost' ? '127.0.0.1' : host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** Milliseconds between two looks for connections that have nothing left to do. */
const idleConnectionCheckMs = 20;

/**
 * Stops listening and ends connections: idle ones at once, others when their call is over.
 * @param drainMs longest wait in milliseconds; then the rest is broken off
 */
export function closed(server: Server, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const look = setInterval(() => closeUnused(server), idleConnectionCheckMs);
    const end = setTimeout(() => closeAll(server), drainMs);
    server.close(() => {
      clearInterval(look);
      clearTimeout(end);
      resolve();
    });
    // The first call of a connection that has just been made may be on its way.
    server.closeIdleConnections();
  });
}

/** What is left of a world that has left memory, or is about to. */
export interface IdleWorld {
  /** Where its calls wait. */
  readonly address: Address;
  /** What its calls have used of the pack since the process started: no store keeps it. */
  readonly coverage: Coverage;
  /** Resolves when the store has it back. */
  readonly ended: Promise<void>;
}
