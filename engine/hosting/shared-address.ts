import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { createHttpServer, type Tls } from '../http/index.js';
import {
  type Address,
  type AddressSlot,
  type ServedApp,
  type AskedUpgrade,
  closed,
  listenAt,
  pass,
  upgraded,
  waitForWorld,
  waitingUpgrade,
} from './address.js';
import type { CallCounter } from './calls.js';
import { matchWorld, type SharedPlaces, withoutWorld, type WorldAsked, type WorldLookup } from './match.js';

/** The names and keys that select a world at a shared address. */
interface AddressedWorld {
  readonly id: string;
  readonly name: string;
  /** The world's key, and further keys derived from it. */
  readonly keys: readonly string[];
}

/** The address of a sandbox that doesn't listen: the name can't be registered. */
const INNER_URL = 'http://sandbox.internal';

/** Starts the stored world that a call selects, if there is one and it isn't running. */
type Wake = (asked: WorldAsked) => Promise<void>;

/** Where the server listens; `publicUrl` is the address that callers use, if it is another one. */
interface ListenOptions {
  /** The port to listen on; null: the server doesn't listen, and calls come from within the process. */
  readonly port: number | null;
  readonly host: string;
  readonly publicUrl?: string;
  readonly tls?: Tls;
}

/**
 * One address for several worlds, for both APIs: `matchWorld` selects the world of a call. Other calls go to the first world,
 * which rejects their key; each world checks the key in constant time.
 */
export class SharedAddress {
  readonly #byKey = new Map<string, AddressSlot>();
  readonly #byName = new Map<string, AddressSlot>();
  #first: AddressSlot | null = null;
  readonly #lookup: WorldLookup<AddressSlot>;

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly publicUrl: string,
    private readonly places: SharedPlaces,
    wake: Wake | undefined,
  ) {
    const known = ({ by, text }: WorldAsked): AddressSlot | undefined =>
      (by === 'name' ? this.#byName : this.#byKey).get(text);
    this.#lookup = {
      known,
      find: async (asked) => {
        await wake?.(asked).catch(() => undefined);
        return known(asked);
      },
    };
    server.removeAllListeners('request');
    server.on('request', (req, res) => void this.#serve(req, res));
    server.on('upgrade', (...asked) => void this.#upgrade(asked));
  }

  /** Listens at the address. @param app of the first world */
  static async open(
    app: Express,
    { port, host, publicUrl, tls }: ListenOptions,
    places: SharedPlaces,
    wake?: Wake,
  ): Promise<SharedAddress> {
    const server = createHttpServer(app, tls);
    const url = port === null ? (publicUrl ?? INNER_URL) : await listenAt(server, port, host);
    return new SharedAddress(server, url, publicUrl ?? url, places, wake);
  }

  /** Adds a world. The first world's end closes the address. @param calls counts the world's calls */
  enter({ app, upgrade }: ServedApp, { id, name, keys }: AddressedWorld, calls: CallCounter | null = null): Address {
    const place: AddressSlot = { listener: app, upgrade, calls };
    this.#first ??= place;
    const isFirst = this.#first === place;
    for (const key of keys) this.#byKey.set(key, place);
    for (const each of [id, name]) this.#byName.set(each, place);
    return {
      url: this.url,
      origin: `${this.publicUrl}/w/${encodeURIComponent(id)}`,
      server: this.server,
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

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const place = await this.#match(req);
    if (place) withoutWorld(req);
    const to = place ?? this.#first;
    if (to) pass(to, req, res);
    else res.destroy();
  }

  async #upgrade(asked: AskedUpgrade): Promise<void> {
    const [req] = asked;
    const { url } = req;
    const place = await this.#match(req);
    if (place) withoutWorld(req);
    await upgraded(this.server, place ?? this.#first, asked, url);
  }

  #match(req: IncomingMessage): AddressSlot | undefined | Promise<AddressSlot | undefined> {
    return matchWorld(req, this.places, this.#lookup);
  }
}
