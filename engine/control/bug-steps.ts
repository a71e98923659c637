import { createHash } from 'node:crypto';
import { isObject, type JsonObject, member } from '../values/index.js';
import { DISCONNECTED, type Engine } from '../runtime/index.js';
import { type JournalRecord, RandomStream, seedOf, type StoredEntry } from '../world/index.js';
import { portableArgs } from './secrets.js';
import type { BugAction, BugStep, ClockMove } from './bug-file.js';

/**
 * Digest of the bytes of entries. Excludes the position of the stream of request ids, which depends on other calls in flight.
 */
export function digestOf(entries: readonly StoredEntry[]): string {
  const digest = new EntryDigest();
  digest.add(entries);
  return digest.text();
}

class EntryDigest {
  readonly #hash = createHash('sha256');

  add(entries: readonly StoredEntry[]): void {
    for (const entry of entries)
      this.#hash.update(JSON.stringify({ ...entry, after: { ...entry.after, requests: 0 } }));
  }

  text(): string {
    return this.#hash.digest('hex').slice(0, 16);
  }
}

/** Ids of objects, pins, faults and so on that entries made, by collection or register, in order. */
export function madeIn(
  entries: readonly StoredEntry[],
  wasThere: (collection: string, id: string) => boolean,
): BugStep['made'] {
  const made: Record<string, string[]> = {};
  const seen = new Set<string>();
  for (const entry of entries) {
    for (const [kind, id, op] of subjectsOf(entry)) {
      if (op === 'delete' || seen.has(`${kind} ${id}`) || wasThere(kind, id)) continue;
      seen.add(`${kind} ${id}`);
      (made[kind] ??= []).push(id);
    }
  }
  return made;
}

/** Yields what an entry writes or deletes: the collection or register, the id or key, and the kind of change. */
function* subjectsOf({ changes, pack }: StoredEntry): Generator<readonly [string, string, 'put' | 'delete' | 'set']> {
  let prefix = pack === undefined ? '' : `${pack}/`;
  for (const change of changes) {
    if (change.op === 'pack') prefix = `${change.pack}/`;
    else if (change.op === 'set') yield [prefix + change.register, change.key, 'set'];
    else if (change.op === 'put' || change.op === 'delete') yield [prefix + change.collection, change.id, change.op];
  }
}

/** Entries or changes that are processed between two pauses, in which other work may run. */
const AT_ONCE = 100;

/** Converts ledger entries, and the journal records between them, to the actions that caused them. */
export class BugSteps {
  #last: BugStep | undefined;
  readonly #entries: readonly StoredEntry[];
  /** Ids that existed so far, by collection or register. */
  readonly #known = new Map<string, Set<string>>();
  #at = 0;
  #outside = 0;

  constructor(
    private readonly engine: Engine,
    private readonly begins: StoredEntry | null,
    private readonly journal: ReturnType<Engine['world']['journal']['since']>,
    private readonly seals: string | null,
  ) {
    this.#entries = engine.world.timeline.ledger.since(begins?.n ?? 0);
  }

  *written(): Generator<BugStep | undefined> {
    let looked = 0;
    for (const [kind, id, op] of this.begins ? subjectsOf(this.begins) : []) {
      if (op === 'put') this.#idsOf(kind).add(id);
      else if (op === 'delete') this.#idsOf(kind).delete(id);
      if (++looked % AT_ONCE === 0) yield undefined;
    }
    for (; this.#at < this.#entries.length;) {
      const entry = this.#entries[this.#at];
      yield* this.#between(entry.n - 1);
      yield* this.#step(entry);
    }
    yield* this.#between(Infinity);
  }

  #idsOf(kind: string): Set<string> {
    let ids = this.#known.get(kind);
    if (!ids) this.#known.set(kind, (ids = new Set()));
    return ids;
  }

  /** Yields the journal's actions up to an entry: outcomes of deliveries, and saved moments. */
  *#between(n: number): Generator<BugStep | undefined> {
    for (; this.#outside < this.journal.length && this.journal[this.#outside].after <= n; this.#outside++) {
      const { record, after } = this.journal[this.#outside];
      if (record.kind === 'moment' && record.entry !== null)
        yield* this.#add({ kind: 'moment', name: record.name, entry: record.entry }, after, record);
      else if (record.kind === 'learned') yield* this.#addLearned(record.delivery, after, record);
    }
  }

  *#addLearned(delivery: string | null, after: number, of: JournalRecord): Generator<BugStep | undefined> {
    if (delivery === null) {
      const last = this.#last;
      if (last?.kind !== 'flush' || last.pack !== of.pack) yield* this.#add({ kind: 'flush' }, after, of);
      return;
    }
    const isRecorded = this.journal.some(
      ({ record }) => record.kind === 'attempt' && record.delivery === delivery && record.status === 'recorded',
    );
    if (!isRecorded) yield* this.#add({ kind: 'resend', delivery }, after, of);
  }

  *#step(entry: StoredEntry): Generator<BugStep | undefined> {
    const { command, origin, args } = entry;
    const route = member(args, 'route');
    // Skips the entry of the pack's initial objects, since every world begins with them.
    if (this.begins === null && entry.n <= this.engine.firstMoment && command === 'begin') this.#at++;
    else if (isDisconnect(entry)) yield* this.#take(disconnectOf(entry));
    else if (origin === 'outside')
      yield* this.#take(
        { kind: 'flush' },
        (next) => next.origin === 'outside' && next.pack === entry.pack && !isDisconnect(next),
      );
    else if (origin === 'call' && isObject(args) && typeof args['method'] === 'string') yield* this.#call(entry, args);
    else if (isTimer(entry) || (command === 'clock' && origin === 'clock')) yield* this.#clock();
    else if (command === 'rewind') yield* this.#take({ kind: 'rewind', to: Number(member(args, 'entry')), why: args });
    else if (origin === 'rule' && command.startsWith('cause '))
      yield* this.#take({
        kind: 'cause',
        cause: command.slice('cause '.length),
        params: member(args, 'params') as JsonObject,
        rule: args as JsonObject,
      });
    else if (origin === 'cause' && route === null && isObject(args))
      yield* this.#take({ kind: 'cause', cause: command.slice('cause '.length), params: args });
    else if (typeof route === 'string' && origin !== 'seed' && isObject(args)) {
      const body = args['body'];
      yield* this.#take({ kind: 'control', route, body: isObject(body) ? body : {} });
    } else yield* this.#take({ kind: 'entry', entry });
  }

  *#call(entry: StoredEntry, args: JsonObject): Generator<BugStep | undefined> {
    const { command, request, trace, after, pack } = entry;
    const operation = UNRUN.has(command) ? String(args['operation']) : command;
    // If the call advanced the clock, entries of timers are between its own entries, and its idempotency record is the last.
    const isOwn = (next: StoredEntry): boolean => trace !== null && next.trace === trace && next.pack === pack;
    let ends = this.#at;
    for (let at = ends + 1; at < this.#entries.length; at++) {
      const next = this.#entries[at];
      if (isOwn(next) || (isTimer(next) && this.#entries[ends].command === 'clock')) ends = at;
      else if (!isTimer(next)) break;
    }
    const requests = this.#drawnFrom(request, after.requests, pack);
    const prefix = pack === undefined ? '' : `${pack}/`;
    const wasThere = (collection: string, id: string): boolean => this.#idsOf(prefix + collection).has(id);
    const portable = portableArgs(this.engine, entry, this.seals, wasThere);
    yield* this.#take({ kind: 'call', operation, args: portable }, (_, at) => at <= ends, requests);
  }

  /**
   * Returns the position of the stream of request ids from which a call drew its id; null if it isn't found. Searches
   * backwards, since calls in flight at the same time may have drawn ids after it.
   * @param id request id of the call; null: it has none
   * @param after position of the stream after the call
   */
  #drawnFrom(id: string | null, after: number, pack: string | undefined): number | null {
    const { company, world } = this.engine;
    const { model, world: own } = company[world.timeline.worlds.indexOf(world.timeline.of(pack))];
    const stream = new RandomStream(seedOf(`${own.config.seed} requests`));
    const { ids } = model.settings.requestId;
    for (let back = 1; id !== null && back <= FARTHEST && back <= after; back++) {
      stream.position = after - back;
      if (ids.make(stream) === id) return after - back;
    }
    return null;
  }

  /** Yields one advance of the clock: the following entries of timers and of setting clocks, unless another cause begins. */
  *#clock(): Generator<BugStep | undefined> {
    let timers = 0;
    let to = this.#entries[this.#at].at;
    let mover: StoredEntry | undefined;
    let at = this.#at;
    for (; at < this.#entries.length; at++) {
      const entry = this.#entries[at];
      if (at % AT_ONCE === 0) yield undefined;
      if (isTimer(entry)) timers++;
      else if (!isMove(entry, mover)) break;
      else mover = entry;
      to = entry.at;
      if (this.#isInterrupted(entry.n)) {
        at++;
        break;
      }
      const next = this.#entries.at(at + 1);
      // An advance sets the clocks of objects first, then the world's.
      const continues = next && (isTimer(next) || (clocksOf(entry).length > 0 && isMove(next, mover)));
      if (!isTimer(entry) && continues !== true) {
        at++;
        break;
      }
    }
    const end = at;
    const { args: why = null, request = null, trace = null } = mover ?? {};
    // A call that only advanced the clock has no entry of its own.
    const call = trace === null ? {} : { call: { request, trace } };
    const moves = movesOf(this.#entries.slice(this.#at, end));
    yield* this.#take({ kind: 'clock', to, timers, why, ...call, ...moves }, (_, index) => index < end);
  }

  /** Whether the journal has outcomes of deliveries right after an entry: an advance pauses there for the application. */
  #isInterrupted(n: number): boolean {
    for (let at = this.#outside; at < this.journal.length && this.journal[at].after <= n; at++)
      if (this.journal[at].record.kind === 'learned') return true;
    return false;
  }

  /** Yields the step that begins with the next entry. @param belongs whether a further entry belongs to the step */
  *#take(
    did: BugAction,
    belongs: (entry: StoredEntry, at: number) => boolean = () => false,
    requests: number | null = this.#entries[this.#at].after.requests,
  ): Generator<BugStep | undefined> {
    const from = this.#at++;
    while (this.#at < this.#entries.length && belongs(this.#entries[this.#at], this.#at)) this.#at++;
    const entries = this.#entries.slice(from, this.#at);
    yield* this.#add(did, entries[entries.length - 1].n, entries[0], requests, entries);
  }

  *#add(
    did: BugAction,
    last: number,
    { pack }: { readonly pack?: string },
    requests: number | null = null,
    entries: readonly StoredEntry[] = [],
  ): Generator<BugStep | undefined> {
    const made: Record<string, string[]> = {};
    const digest = new EntryDigest();
    for (let at = 0; at < entries.length; at += AT_ONCE) {
      const some = entries.slice(at, at + AT_ONCE);
      digest.add(some);
      for (const [kind, ids] of Object.entries(madeIn(some, (of, id) => this.#idsOf(of).has(id)))) {
        (made[kind] ??= []).push(...ids);
        for (const id of ids) this.#idsOf(kind).add(id);
      }
      yield undefined;
    }
    const whose = pack === undefined ? {} : { pack };
    this.#last = { ...did, ...whose, requests, last, digest: digest.text(), made };
    yield this.#last;
  }
}

function isTimer({ command }: StoredEntry): boolean {
  return command === 'timer' || command === 'timer failed';
}

/** Whether an entry is the pack's reaction to a disconnected stream. */
function isDisconnect({ command, origin }: StoredEntry): boolean {
  return origin === 'outside' && command.startsWith(DISCONNECTED);
}

function disconnectOf({ command, args }: StoredEntry): BugAction {
  const object = member(args, 'object');
  const operation = command.slice(DISCONNECTED.length);
  return {
    kind: 'stream',
    operation,
    object: typeof object === 'string' ? object : null,
    sent: Number(member(args, 'sent')),
  };
}

/** How many ids the search for a request's id goes back: as many as some thousand overlapping calls draw. */
const FARTHEST = 10_000;

/** Commands of calls that a fault or rate limit ended before their operation ran; their arguments name the operation. */
const UNRUN: ReadonlySet<string> = new Set(['fault', 'rate_limit']);

/** Clocks of objects that an entry set, with their new times (ms). */
function clocksOf({ changes }: StoredEntry): readonly (readonly [string, number])[] {
  return changes.flatMap((change) =>
    change.op === 'set' && change.register === 'clocks' && typeof change.value === 'number'
      ? [[change.key, change.value] as const]
      : [],
  );
}

/** Whether an entry sets clocks; if another one is given, whether both belong to the same advance. */
function isMove({ command, origin, trace, args }: StoredEntry, other: StoredEntry | undefined): boolean {
  if (command !== 'clock' || origin !== 'clock') return false;
  return other === undefined || (trace === other.trace && JSON.stringify(args) === JSON.stringify(other.args));
}

/** Returns how an advance set clocks of objects; empty if it only advanced the world's clock. */
function movesOf(entries: readonly StoredEntry[]): {
  readonly to?: number;
  readonly of?: string;
  readonly moves?: readonly ClockMove[];
} {
  const own = new Set(entries.flatMap((entry) => clocksOf(entry).map(([line]) => line)));
  if (own.size === 0) return {};
  const moves = entries.flatMap((entry, at): ClockMove[] => {
    const [first, ...others] = clocksOf(entry);
    const whose = entry.pack === undefined ? {} : { pack: entry.pack };
    if (isTimer(entry)) return [{ fire: first?.[0] ?? null, ...whose }];
    if (first !== undefined) return [{ stand: Object.fromEntries([first, ...others]), ...whose }];
    const next = entries.at(at + 1);
    // No step sets the world's clock before a timer, since firing the timer advances it.
    return next && isTimer(next) && clocksOf(next).length === 0 ? [] : [{ to: entry.at }];
  });
  const isAlone = own.size === 1 && entries.every((entry) => clocksOf(entry).length > 0);
  const [of] = own;
  const last = Math.max(...entries.flatMap((entry) => clocksOf(entry).map(([, ms]) => ms)));
  return isAlone ? { to: last, of, moves } : { moves };
}
