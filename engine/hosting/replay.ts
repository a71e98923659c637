import type { Bug, ReceivedDelivery, BugStep } from '../control/index.js';
import { digestOf, madeIn, maskedArgs, openedArgs, takeFiles } from '../control/index.js';
import { hashOfKey } from '../codecs/index.js';
import { sendCall } from '../control/send.cjs';
import type { AttemptResult, Transport } from '../delivery/index.js';
import { isObject, type Json, type JsonObject } from '../values/index.js';
import { LedgerMismatch } from './world.js';
import { keyHeaders, otherKey } from '../http/index.js';
import { loadPack } from '../compile/index.js';
import { type ReplayOrder, replayOrderOf } from './order.js';
import { createSandbox, type Sandbox } from './sandbox.js';
import { type SandboxOptions } from './served.js';
import type { Program } from '../program/index.js';
import { type CommandExecution, disconnect, type Engine, type Outside } from '../runtime/index.js';
import { type StoredEntry, timersByNumber } from '../world/index.js';

export interface ReplayOptions extends Pick<SandboxOptions, 'pack' | 'port' | 'host' | 'key' | 'cache' | 'onDefect'> {
  /** Number of the ledger entry at which the replay stops. */
  readonly until?: number;
  /**
   * The steps that are repeated; all by default. If some are left out, the others create other ids: ids in their arguments are
   * translated, recorded responses of receivers are ignored (receivers accept everything), and bytes aren't compared.
   */
  readonly only?: readonly BugStep[];
  /** Every vendor API call requests this version, and bytes aren't compared. */
  readonly version?: string;
  /** Further versions in which events are written. */
  readonly events?: readonly string[];
  /** Called with every response that wasn't cut off. */
  readonly onResponse?: (replayed: ReplayedResponse) => void;
}

/** The response to a step that is a call. */
export interface ReplayedResponse {
  readonly step: BugStep;
  readonly order: ReplayOrder;
  readonly status: number;
  readonly body: string;
}

/** A step whose effects differ from those in the file. */
interface Unlike {
  /** Index of the step in the file, from 0. */
  readonly at: number;
  readonly step: BugStep;
  /** Number of the replay's last ledger entry after the step. */
  readonly last: number;
}

/** The result of a replay. */
export interface Replayed {
  /** The world of the replay, which sends nothing. */
  readonly sandbox: Sandbox;
  /** The repeated steps, as HTTP calls if possible. */
  readonly orders: readonly ReplayOrder[];
  /** The first step that made other bytes; later ones were not repeated. Null: all are equal, or weren't compared. */
  readonly unlike: Unlike | null;
}

/**
 * Replays a file in a new world.
 * @throws LedgerMismatch if the file was written with another pack; errors of `createSandbox`
 */
export async function replayBug(bug: Bug, options: ReplayOptions): Promise<Replayed> {
  const { until = Infinity, only, version, events = [], onResponse, ...common } = options;
  const exact = only === undefined && version === undefined;
  const { header, begins, steps } = bug;
  const { vars } = header.pack;
  const { pack } = loadPack(options.pack, { vars, cache: options.cache });
  const sandbox = await createSandbox({
    ...common,
    vars,
    seed: header.seed,
    t0: new Date(header.t0).toISOString(),
    kept: begins ? { header, entries: [begins.entry], journal: begins.journal } : undefined,
    transports: replayTransports(bug, pack ? [pack] : [], only === undefined, exact),
    pacedStreams: false,
    ledgerLimit: Infinity,
  });
  try {
    if (JSON.stringify(sandbox.header.pack) !== JSON.stringify(header.pack))
      throw new LedgerMismatch(`the file was written with ${packOf(header)}; here it is ${packOf(sandbox.header)}`);
    takeFiles(bug.files, sandbox.engine.runtime.surroundings.files);
    for (const each of events) sandbox.engine.runtime.endpoints?.alsoIn.add(each);
    const player = new BugPlayer({ of: () => sandbox, outside: sandbox.outbox }, { exact, version, onResponse });
    const played = (): Promise<Unlike | null> => player.play(only ?? steps, until);
    const unlike = await (exact ? withAddressesOf([sandbox.engine], bug, played) : played());
    return { sandbox, orders: player.orders, unlike };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

/** Runs a replay with the addresses at which the file was exported, so that encoded addresses have the same bytes. */
export async function withAddressesOf<T>(
  engines: readonly Engine[],
  { addresses = [] }: Bug,
  run: () => Promise<T>,
): Promise<T> {
  const located = engines.map(({ runtime }) => runtime.surroundings.address);
  const here = located.map(({ origin }) => origin);
  for (const [at, each] of located.entries()) each.origin = addresses.at(at) ?? each.origin;
  try {
    return await run();
  } finally {
    for (const [at, each] of located.entries()) each.origin = here[at];
  }
}

function packOf({ pack: { name, version, hash } }: Bug['header']): string {
  return `${name} ${version} (${hash.slice(0, 12)})`;
}

/** Returns transports with recorded responses. @param known whether to use the file's @param exact whether others fail */
export function replayTransports(
  { receivers }: Bug,
  packs: readonly Program[],
  known: boolean,
  exact: boolean,
): ReadonlyMap<string, Transport> {
  const all = packs.flatMap(({ delivery }) => [...(delivery()?.transports ?? [])]);
  const received = new ReplayReceivers(known ? receivers : {}, !exact);
  return new Map(all.flatMap(([name, { kind }]) => (kind === 'http' ? [[name, received]] : [])));
}

/** A transport that returns the recorded responses of receivers. */
class ReplayReceivers implements Transport {
  readonly #asked = new Map<string, number>();

  /** @param kind whether deliveries without a recorded response succeed */
  constructor(
    private readonly received: Bug['receivers'],
    private readonly kind: boolean,
  ) {}

  send({ id }: { readonly id: string }): Promise<AttemptResult> {
    const attempt = this.#asked.get(id) ?? 0;
    this.#asked.set(id, attempt + 1);
    const attempts: readonly ReceivedDelivery[] = this.received[id] ?? [];
    const known = attempts.at(attempt) ?? {
      status: this.kind ? 200 : null,
      error: this.kind ? null : NOT_SENT,
      response: null,
    };
    const { status, error, response } = known;
    const isGood = error === null && status !== null && status >= 200 && status < 300;
    return Promise.resolve({
      outcome: isGood ? 'delivered' : 'failed',
      isGone: status === 410,
      url: null,
      status,
      error,
      request: { headers: {}, body: '' },
      response,
      message: null,
    });
  }
}

const NOT_SENT = 'a world that was replayed sends nothing';

type ClockStep = Extract<BugStep, { readonly kind: 'clock' }>;

/** The world in which steps are repeated: of one pack, or of a company. */
interface PlayedWorld {
  /** The pack that a step concerns. */
  of(pack: string | undefined): Pick<Sandbox, 'url' | 'key' | 'engine' | 'outbox' | 'clock'>;
  /** Holds, flushes and resets the deliveries of all packs. */
  readonly outside: Outside;
}

/** Options for repeating steps. */
interface PlayOptions extends Pick<ReplayOptions, 'version' | 'onResponse'> {
  /** Whether the replay must make the same bytes as the file. */
  readonly exact: boolean;
}

/** Repeats steps, one after another. */
export class BugPlayer {
  readonly orders: ReplayOrder[] = [];
  readonly #known = new Set<string>();
  /** Ids in the file, and the corresponding ones in the replay. */
  readonly #ids = new Map<string, string>();
  /** Entry numbers in the file, and the corresponding ones in the replay. */
  readonly #numbers = new Map<number, number>();
  /** Whether deliveries are held, since an advance isn't over: the effects of a rule interrupt it. */
  #isHeld = false;

  constructor(
    private readonly played: PlayedWorld,
    private readonly how: PlayOptions,
  ) {}

  private get exact(): boolean {
    return this.how.exact;
  }

  /** Repeats the steps of a file. @returns the first step with other effects */
  async play(steps: readonly BugStep[], until: number): Promise<Unlike | null> {
    const { ledger } = this.played.of(undefined).engine.world.timeline;
    for (const [at, step] of steps.entries()) {
      if (ledger.count >= until) break;
      const before = ledger.count;
      const { requestStream } = this.played.of(step.pack).engine.world;
      if (this.exact && step.requests !== null) requestStream.position = step.requests;
      const next = steps.at(at + 1);
      const isFollowed = next !== undefined && (isOfRule(next) || (isOfRule(step) && next.kind === 'clock'));
      await this.#do(this.exact ? step : translated(step, this.#ids), isFollowed);
      const entries = ledger.since(before);
      this.#numbers.set(step.last, ledger.count);
      if (!this.exact) this.#addIds(step, entries);
      else if (ledger.count !== step.last || digestOf(entries) !== step.digest) return { at, step, last: ledger.count };
    }
    if (ledger.count > until) this.played.of(undefined).clock.rewind(until, { until });
    return null;
  }

  /** Maps the ids of the file to those of the replay: objects are created in the same order. */
  #addIds({ made }: BugStep, entries: readonly StoredEntry[]): void {
    const here = madeIn(entries, (collection, id) => this.#known.has(`${collection} ${id}`));
    for (const [collection, ids] of Object.entries(here)) {
      for (const [at, id] of ids.entries()) {
        this.#known.add(`${collection} ${id}`);
        const there = made[collection]?.at(at);
        if (there !== undefined && there !== id) this.#ids.set(there, id);
      }
    }
  }

  /** Repeats one step. @param isFollowed whether an advance isn't over, since effects of a rule or its rest follow */
  async #do(step: BugStep, isFollowed: boolean): Promise<void> {
    const { engine, outbox, clock } = this.played.of(step.pack);
    const { world } = engine;
    const shown = replayOrderOf(withArgs(step, maskedArgs), engine);
    if (shown) this.orders.push(step.pack === undefined ? shown : { ...shown, vendor: step.pack });
    const order = step.kind === 'call' ? replayOrderOf(this.#opened(step, engine), engine) : shown;
    switch (step.kind) {
      case 'call':
      case 'control':
        return this.#send(step, order);
      case 'cause':
        if (step.rule) engine.cause(step.cause, step.params, false, step.rule, 'rule');
        else engine.cause(step.cause, step.params, true);
        if (!isFollowed) this.#release();
        return;
      case 'clock':
        if (!this.exact) await this.#advanceTo(step);
        else await this.#advance(step, isFollowed);
        return;
      case 'rewind':
        clock.rewind(this.exact ? step.to : this.#here(step.to), step.why);
        return;
      case 'moment':
        world.nameMoment(step.name, engine.past.at(this.exact ? step.entry : this.#here(step.entry)));
        return;
      case 'flush':
        await outbox.flush();
        return;
      case 'stream': {
        const operation = engine.pack.operations.find(({ key }) => key === step.operation);
        if (operation !== undefined) disconnect(engine, operation, step.object, step.sent);
        return;
      }
      case 'resend':
        await outbox.replay(step.delivery);
        return;
      case 'entry': {
        if (step.entry.changes.some(({ op }) => op === 'reset')) this.played.outside.reset();
        world.replay({ ...step.entry, n: world.ledger.count + 1 }, timersByNumber(world.timeline));
        if (!isFollowed) this.#release();
      }
    }
  }

  /** Repeats an advance. Fires the recorded number of timers, since it may have stopped between timers of one instant. */
  async #advance({ to, timers, why, call, moves, pack }: ClockStep, isFollowed: boolean): Promise<void> {
    const { engine } = this.played.of(pack);
    const mover = { command: 'clock', origin: 'clock', args: why, ...call } as const;
    if (!this.#isHeld) {
      await this.played.outside.flush();
      this.played.outside.hold();
      this.#isHeld = true;
    }
    if (moves === undefined) {
      for (let fired = 0; fired < timers; fired++) engine.fireNext(to, mover);
      engine.world.moveTo(to, mover);
    }
    for (const move of moves ?? []) {
      if ('to' in move) {
        engine.world.moveTo(move.to, mover);
        continue;
      }
      const own = this.played.of(move.pack).engine;
      if ('fire' in move) own.fireNext(Number.MAX_SAFE_INTEGER, mover, move.fire);
      else {
        const write = ({ world, transaction }: CommandExecution): void => {
          for (const [line, ms] of Object.entries(move.stand)) transaction.write(world.clocks, line, ms);
        };
        own.command('clock', 'clock', write, why, call);
      }
    }
    if (!isFollowed) this.#release();
  }

  /** A call with its secrets, decrypted with the world's key. */
  #opened(step: BugStep, engine: Engine): BugStep {
    const { key } = this.played.of(undefined);
    return withArgs(step, (args) => openedArgs(engine, args, hashOfKey(key)));
  }

  #release(): void {
    if (this.#isHeld) this.played.outside.release();
    this.#isHeld = false;
  }

  async #advanceTo({ to, of, why, pack }: ClockStep): Promise<void> {
    const lines = of === undefined ? 'all' : [idsIn(of, this.#ids)];
    await this.played.of(pack).clock.advance(to, { why: { args: why }, lines });
  }

  /** The entry number in the replay that corresponds to one in the file, or to the last step before it. */
  #here(n: number): number {
    let here = this.played.of(undefined).engine.firstMoment;
    for (const [there, count] of this.#numbers) if (there <= n) here = count;
    return here;
  }

  /** Sends the call of a step. Its response isn't needed: the effects are in the ledger. */
  async #send(step: BugStep, order: ReplayOrder | null): Promise<void> {
    if (!order) return;
    const { url, key, engine } = this.played.of(step.pack);
    const { method, path, headers, body } = step.kind === 'call' ? this.#inVersion(order, engine) : order;
    const own = order.key ? otherKey(key, order.key.prefix, order.key.instead) : key;
    const { auth } = engine.model.settings;
    const carried = order.key === null ? {} : keyHeaders(auth, order.token ?? own, path.startsWith('/__admin__'));
    // Ignores errors, since a fault may cut the connection, even within the response.
    await sendCall(`${url}${path}`, { method, headers: { ...carried, ...headers }, body })
      .then(async (response) =>
        this.how.onResponse?.({ step, order, status: response.status, body: await response.text() }),
      )
      .catch(() => undefined);
  }

  #inVersion(order: ReplayOrder, { model }: Engine): ReplayOrder {
    const { versions } = model.settings;
    if (this.how.version === undefined || versions === null) return order;
    return { ...order, headers: { ...order.headers, [versions.headers[0]]: this.how.version } };
  }
}

/** Whether a step is the effect of a company's rule, or the rule's failure. */
function isOfRule(step: BugStep): boolean {
  return step.kind === 'cause' ? step.rule !== undefined : step.kind === 'entry' && step.entry.origin === 'rule';
}

/** A step with changed arguments. */
function withArgs(step: BugStep, change: (args: Json) => Json): BugStep {
  if (step.kind !== 'call') return step;
  const args = change(step.args);
  return isObject(args) ? { ...step, args } : step;
}

/** A step with the ids of the replay. */
function translated(step: BugStep, ids: ReadonlyMap<string, string>): BugStep {
  switch (step.kind) {
    case 'call':
      return { ...step, args: mapOf(step.args, ids) };
    case 'control':
      return { ...step, route: idsIn(step.route, ids), body: mapOf(step.body, ids) };
    case 'stream':
      return { ...step, object: step.object === null ? null : idsIn(step.object, ids) };
    case 'cause':
      return { ...step, params: mapOf(step.params, ids) };
    default:
      return step;
  }
}

function mapOf(value: JsonObject, ids: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withIds(each, ids)]));
}

function withIds(value: Json, ids: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return idsIn(value, ids);
  if (Array.isArray(value)) return value.map((each: Json) => withIds(each, ids));
  return typeof value === 'object' && value !== null ? mapOf(value as JsonObject, ids) : value;
}

function idsIn(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replace(/[\w-]+/g, (word) => ids.get(word) ?? word);
}
