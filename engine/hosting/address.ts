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

/** A function that serves HTTP requests. */
export type Listener = (req: IncomingMessage, res: ServerResponse) => void;

/** The handlers of an address. */
export interface ServedApp {
  readonly app: Express;
  readonly upgrade: Upgrade;
}

/** The address of a world. */
export interface Address {
  /** The base URL of both APIs. */
  readonly url: string;
  /** The origin in links to the world's pages. */
  readonly origin: string;
  /** The HTTP server of the address; null if the world is served at an address that another part of the process owns. */
  readonly server: Server | null;
  /** Counts calls to the address; null: they aren't counted. */
  readonly calls: CallCounter | null;
  /** Message prototypes that the app has to use for full speed; null: any. */
  readonly messages: Messages | null;
  /** Passes calls to this app from now on. */
  show(served: { readonly app: Listener; readonly upgrade: Upgrade }): void;
  /**
   * Pauses serving, but keeps the address: calls wait until the world serves its app again.
   * @param wake restarts the world; rejects with the reason if it can't
   */
  rest(wake: () => Promise<void>): void;
  /** Stops serving. @param drainMs longest wait for calls in flight, in milliseconds */
  leave(drainMs: number): Promise<void>;
}

/**
 * An address for one world. Rejects with the listening error (`code: EADDRINUSE`) if the port is taken.
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

/** Makes calls wait until a world serves its app again. */
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

/** Makes requests to switch protocols wait until a world serves its app again. */
export function waitingUpgrade(place: AddressSlot, wake: () => Promise<void>): Upgrade {
  return async (...asked) => {
    await wake();
    return place.upgrade(...asked);
  };
}

/** Passes on a request to switch protocols; ignored if there is no handler. */
export async function upgraded(
  server: Server,
  place: AddressSlot | null,
  asked: AskedUpgrade,
  url = asked[0].url,
): Promise<void> {
  const taken = (await place?.upgrade(...asked).catch(() => false)) ?? false;
  if (taken) return;
  // Restores the whole URL, since the handler will remove the world's name again.
  Object.assign(asked[0], { url });
  ignoreUpgrade(server, ...asked);
}

export type AskedUpgrade = Parameters<Upgrade>;

/** Passes a call on to the world's app. */
export function pass({ listener, calls }: AddressSlot, req: IncomingMessage, res: ServerResponse): void {
  calls?.begin(res);
  listener(req, res);
}

/** The handlers of a world's calls. */
export interface AddressSlot {
  listener: Listener;
  upgrade: Upgrade;
  readonly calls: CallCounter | null;
}

/** Listens; returns the base URL. Rejects with the listening error (`code: EADDRINUSE`) if the port is taken. */
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

/** Milliseconds between checks for idle connections. */
const idleConnectionCheckMs = 20;

/**
 * Stops listening and ends connections: idle ones at once, others after their call.
 * @param drainMs milliseconds after which all connections are cut
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
    // Ends only idle connections that had a call: the first call of a new one may be in transit.
    server.closeIdleConnections();
  });
}

/** The address and data of a world that has left memory, or is about to. */
export interface IdleWorld {
  /** The address at which calls of the idle world wait. */
  readonly address: Address;
  /** The world's coverage since the process started, which no store keeps. */
  readonly coverage: Coverage;
  /** Resolves when the store has all of the idle world. */
  readonly ended: Promise<void>;
}
