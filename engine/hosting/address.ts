import type { ControlCode } from '../codes.js';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as SecureServer } from 'node:tls';
import type { Express } from 'express';
import { CallCounter } from './calls.js';
import { worldOfKey } from '../expression/index.js';
import { createHttpServer, ignoreUpgrade, type Messages, type Tls, type Upgrade } from '../http/index.js';
import { decoded, keysOfCall, type SharedPlaces, withoutWorld, worldNamed } from './world-of-call.js';

/** Answers a call. */
type Listener = (req: IncomingMessage, res: ServerResponse) => void;

/** What answers at an address. */
export interface Answering {
  readonly app: Express;
  readonly upgrade: Upgrade;
}

/** Where a world answers. */
export interface Address {
  /** What callers write before the paths of both planes. */
  readonly url: string;
  /** What links to its pages begin with. */
  readonly origin: string;
  /** The calls that came; null: they are not counted. */
  readonly calls: CallCounter | null;
  /** What an app must be made of to be as fast here as the first one; null: it does not matter. */
  readonly messages: Messages | null;
  /** From now on this one answers. */
  show(answering: Answering): void;
  /**
   * Nothing answers any more, but the address stays: calls wait until the world has shown its app again.
   * @param wake resolves when it has; rejects with the reason why it cannot
   */
  rest(wake: () => Promise<void>): void;
  /**
   * Answers nothing any more.
   * @param drainMs longest wait for calls that are under way, in milliseconds
   */
  leave(drainMs: number): Promise<void>;
}

/**
 * An address of one world alone. Rejects with the listening error (`code: EADDRINUSE`) when the port is taken.
 * @param calls counts its calls, if somebody wants to know
 */
export async function ownAddress(
  answering: Answering,
  port: number,
  host: string,
  calls: CallCounter | null = null,
  tls?: Tls,
): Promise<Address> {
  const { app } = answering;
  const server = createHttpServer(app, tls);
  const place: AddressSlot = { listener: app, upgrade: answering.upgrade, calls };
  const answerBy = (listener: Listener, upgrade: Upgrade): void => {
    Object.assign(place, { listener, upgrade });
    server.removeAllListeners('request');
    server.on('request', calls ? (req, res) => pass(place, req, res) : listener);
  };
  answerBy(app, answering.upgrade);
  server.on('upgrade', (...asked) => void upgraded(server, place, asked));
  const url = await listenAt(server, port, host);
  return {
    url,
    origin: url,
    calls,
    messages: { request: app.request, response: app.response },
    show: (next) => answerBy(next.app, next.upgrade),
    rest: (wake) => answerBy(waitForWorld(place, wake), waitingUpgrade(place, wake)),
    leave: (drainMs) => closed(server, drainMs),
  };
}

/** Lets calls wait until a world has shown its app again. */
function waitForWorld(place: AddressSlot, wake: () => Promise<void>): Listener {
  return (req, res) => {
    const refused = (error: unknown): void => {
      const message = `the world does not start: ${error instanceof Error ? error.message : String(error)}`;
      res.writeHead(503, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
      res.end(JSON.stringify({ error: { code: 'world_not_started' satisfies ControlCode, message } }));
    };
    wake().then(() => place.listener(req, res), refused);
  };
}

/** As `waiting`, for those who ask for another protocol. */
function waitingUpgrade(place: AddressSlot, wake: () => Promise<void>): Upgrade {
  return async (...asked) => {
    await wake();
    return place.upgrade(...asked);
  };
}

/** Hands a connection over that asks for another protocol; where nobody takes it, the wish is ignored. */
async function upgraded(
  server: Server,
  place: AddressSlot | null,
  asked: AskedUpgrade,
  url = asked[0].url,
): Promise<void> {
  // Until somebody has it, nobody else sees to its errors.
  const [, socket] = asked;
  const ignore = (): void => undefined;
  socket.on('error', ignore);
  const taken = (await place?.upgrade(...asked).catch(() => false)) ?? false;
  if (taken) return;
  // Whoever answers it takes the world's name out of the address once more.
  Object.assign(asked[0], { url });
  socket.off('error', ignore);
  ignoreUpgrade(server, ...asked);
}

type AskedUpgrade = Parameters<Upgrade>;

/** Hands a call over. */
function pass({ listener, calls }: AddressSlot, req: IncomingMessage, res: ServerResponse): void {
  calls?.begin(res);
  listener(req, res);
}

/** How a world behind a shared address is known. */
export interface AddressedWorld {
  readonly id: string;
  readonly name: string;
  /** Its key, and the further ones that are made of it. */
  readonly keys: readonly string[];
}

/** Finds a world that is not here yet by its id, its name or its key, and lets it in. */
export type Wake = (asked: { readonly name: string } | { readonly key: string }) => Promise<void>;

/** Where the calls of a world go. */
interface AddressSlot {
  listener: Listener;
  upgrade: Upgrade;
  readonly calls: CallCounter | null;
}

/**
 * One address for several worlds: the key of a call selects the world, on both planes, and so does a key that a world made;
 * below `/w/<world>` it is that world alone, which is where links to pages lead, since a browser brings no key. What selects
 * none is answered by the first world, whose key it does not have either. The world itself checks the key in constant time.
 */
export class SharedAddress {
  readonly #byKey = new Map<string, AddressSlot>();
  readonly #byName = new Map<string, AddressSlot>();
  #first: AddressSlot | null = null;

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly places: SharedPlaces,
    private readonly wake: Wake | undefined,
  ) {
    server.removeAllListeners('request');
    server.on('request', (req, res) => void this.#answer(req, res));
    server.on('upgrade', (...asked) => void this.#upgrade(asked));
  }

  /** @param app that of the first world */
  static async open(
    app: Express,
    { port, host, tls }: { readonly port: number; readonly host: string; readonly tls?: Tls },
    places: SharedPlaces,
    wake?: Wake,
  ): Promise<SharedAddress> {
    const server = createHttpServer(app, tls);
    return new SharedAddress(server, await listenAt(server, port, host), places, wake);
  }

  /**
   * Lets a world in. The address closes when the first one leaves.
   * @param calls counts its calls, if somebody wants to know
   */
  enter({ app, upgrade }: Answering, { id, name, keys }: AddressedWorld, calls: CallCounter | null = null): Address {
    const place: AddressSlot = { listener: app, upgrade, calls };
    this.#first ??= place;
    const isFirst = this.#first === place;
    for (const key of keys) this.#byKey.set(key, place);
    for (const each of [id, name]) this.#byName.set(each, place);
    return {
      url: this.url,
      origin: `${this.url}/w/${encodeURIComponent(id)}`,
      calls,
      messages: null,
      show: (next) => {
        Object.assign(place, { listener: next.app, upgrade: next.upgrade });
      },
      rest: (wake) => {
        Object.assign(place, { listener: waitForWorld(place, wake), upgrade: waitingUpgrade(place, wake) });
      },
      leave: async (drainMs) => {
        for (const map of [this.#byKey, this.#byName])
          for (const [each, known] of map) if (known === place) map.delete(each);
        if (isFirst) await closed(this.server, drainMs);
      },
    };
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const place = await this.#placeOf(req);
    if (place) withoutWorld(req);
    const to = place ?? this.#first;
    if (to) pass(to, req, res);
    else res.destroy();
  }

  async #upgrade(asked: AskedUpgrade): Promise<void> {
    const [req] = asked;
    const { url } = req;
    const place = await this.#placeOf(req);
    if (place) withoutWorld(req);
    await upgraded(this.server, place ?? this.#first, asked, url);
  }

  #placeOf(req: IncomingMessage): AddressSlot | undefined | Promise<AddressSlot | undefined> {
    const named = worldNamed(req.url ?? '/');
    return named === undefined ? this.#keyed(req) : this.#named(named);
  }

  #named(text: string): AddressSlot | undefined | Promise<AddressSlot | undefined> {
    const name = decoded(text);
    return this.#byName.get(name) ?? this.#woken({ name }, () => this.#byName.get(name));
  }

  #keyed(req: IncomingMessage): AddressSlot | undefined | Promise<AddressSlot | undefined> {
    const given = keysOfCall(req, this.places);
    for (const key of given) {
      const place = this.#byKey.get(key);
      if (place) return place;
    }
    const [key] = given;
    if (key === undefined) return undefined;
    // What a world has made says which one it was.
    const world = worldOfKey(key);
    return world === undefined ? this.#woken({ key }, () => this.#byKey.get(key)) : this.#named(world);
  }

  async #woken(asked: Parameters<Wake>[0], find: () => AddressSlot | undefined): Promise<AddressSlot | undefined> {
    if (!this.wake) return undefined;
    await this.wake(asked).catch(() => undefined);
    return find();
  }
}

/** Listens; gives the base URL. Rejects with the listening error (`code: EADDRINUSE`) when the port is taken. */
export async function listenAt(server: Server, port: number, host: string): Promise<string> {
  await listen(server, port, host);
  const scheme = server instanceof SecureServer ? 'https' : 'http';
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
 * Stops listening and ends connections: idle ones at once, others when their call is answered.
 * @param drainMs longest wait in milliseconds; then the rest is broken off
 */
export function closed(server: Server, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const look = setInterval(() => server.closeIdleConnections(), idleConnectionCheckMs);
    const end = setTimeout(() => server.closeAllConnections(), drainMs);
    server.close(() => {
      clearInterval(look);
      clearTimeout(end);
      resolve();
    });
    server.closeIdleConnections();
  });
}
