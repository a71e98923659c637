import type { Sandbox } from '../../engine/index.js';
import type { JsonObject } from '../../engine/values/index.js';
import type { FuzzCall } from '../../tools/develop/fuzz/call.js';
import { Generator } from '../../tools/develop/fuzz/generate.js';
import { Random } from '../../tools/openapi/random.js';
import { send } from './http.js';

const HOST = 'sandbox';
const SOMEWHERE = `http://${HOST}`;

/** A call to which two worlds responded differently, with both responses. */
export interface Divergence {
  readonly call: string;
  readonly original: string;
  readonly other: string;
}

/** Two worlds that get the same calls and must return the same bytes. */
export class WorldPair {
  readonly #random: Random;
  readonly #generator: Generator;
  /** Number of successful calls. */
  succeeded = 0;

  constructor(
    readonly original: Sandbox,
    readonly other: Sandbox,
    seed: number,
  ) {
    this.#random = new Random(seed);
    this.#generator = new Generator(original.engine.pack, seed);
  }

  /** Copies the state of the original into the other world, including the positions of random streams. Returns the difference, if there is one. */
  async copy(): Promise<Divergence | null> {
    const state = (await this.#ask(this.original, 'GET', '/__admin__/state')).slice('200 '.length);
    // The state contains the sandbox's address, which differs between the two worlds.
    const answer = await this.#ask(this.other, 'POST', '/__admin__/seed', state.replaceAll(SOMEWHERE, this.other.url));
    if (!answer.startsWith('200 ')) return { call: 'POST /seed', original: state.slice(0, 200), other: answer };
    this.other.engine.world.continueStreams(this.original.engine.world);
    this.#generator.addIds(state);
    return this.same('GET', '/__admin__/state');
  }

  /** Makes a random call of the vendor API, triggers an external event, or advances the clock, in both worlds. */
  async step(): Promise<Divergence | null> {
    const die = this.#random.below(100);
    if (die < 12) return this.advance(this.#random.pick(['1h', '30m', '1d', '3d']) ?? '1h');
    if (die < 25) return this.#happen();
    for (;;) {
      const call = this.#generator.next();
      if (
        call.kind !== 'http' ||
        call.cutMs !== undefined ||
        call.path.startsWith('/__admin__') ||
        call.path.includes('webhook')
      )
        continue;
      if (call.path.length > 2000 || (call.body?.length ?? 0) > 20_000) continue;
      return this.#send(call);
    }
  }

  advance(duration: string): Promise<Divergence | null> {
    return this.same('POST', '/__admin__/clock/advance', JSON.stringify({ duration }));
  }

  /** Compares the events that are possible next, and triggers one of them in both worlds. */
  async #happen(): Promise<Divergence | null> {
    const differs = await this.same('GET', '/__admin__/world/next?limit=500');
    if (differs) return differs;
    const { causes } = (await this.original.control.next()) as unknown as {
      causes: readonly { cause: string; params: JsonObject }[];
    };
    const chosen = this.#random.pick(causes);
    if (chosen === undefined) return null;
    return this.same('POST', '/__admin__/world/events', JSON.stringify({ cause: chosen.cause, params: chosen.params }));
  }

  #send({ method, path, headers, body }: Extract<FuzzCall, { kind: 'http' }>): Promise<Divergence | null> {
    return this.same(method, path, body ?? undefined, headers);
  }

  /** Makes a call in both worlds; returns the difference of the responses, or null. */
  async same(
    method: string,
    path: string,
    body?: string,
    headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
  ): Promise<Divergence | null> {
    const original = await this.#ask(this.original, method, path, body, headers);
    const other = await this.#ask(this.other, method, path, body, headers);
    this.#generator.addIds(original);
    if (original.startsWith('2')) this.succeeded++;
    if (original === other) return null;
    return { call: `${method} ${path} ${body ?? ''}`, ...apart(original, other) };
  }

  async #ask(
    world: Sandbox,
    method: string,
    path: string,
    body?: string,
    headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
  ): Promise<string> {
    try {
      const given = method === 'GET' ? undefined : body;
      const sent = { 'content-type': undefined, ...headers, authorization: `Bearer ${world.key}` };
      const response = await send(world, `${method} ${path}`, given, sent);
      // Masks what may differ: the address, and the number of the ledger entry that tools show, since the worlds have different histories.
      const text = (await response.text()).replace(/"sandbox\/entry":\d+/, '"sandbox/entry":0');
      return `${response.status} ${text.replaceAll(new URL(world.url).host, HOST)}`;
    } catch (error) {
      return `0 ${String(error)}`;
    }
  }
}

/** Returns the text around the first difference of two texts. */
function apart(original: string, other: string): Omit<Divergence, 'call'> {
  let at = 0;
  while (original[at] === other[at]) at++;
  const around = (text: string): string => text.slice(Math.max(0, at - 300), at + 200);
  return { original: around(original), other: around(other) };
}
