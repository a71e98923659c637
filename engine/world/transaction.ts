import type { JsonObject } from '../values/index.js';
import type { Collection } from './collection.js';
import { NEVER, ofTenant, SharedPages, type PackedChanges, type StoredChange } from './ledger.js';
import { Difference } from './difference.js';
import type { Register } from './register.js';
import { type HeldValue, LateRow, type Provenance, Row, writtenOf } from './rows.js';
import type { Tombstone } from './standing.js';
import type { TimerQueue } from './timers.js';
import type { Timer } from './rows.js';

type Undo =
  | {
      readonly kind: 'create';
      readonly op: 'put';
      readonly collection: Collection;
      readonly row: Row;
      readonly tombstone: Tombstone | undefined;
    }
  | {
      readonly kind: 'replace';
      readonly op: 'put';
      readonly collection: Collection;
      readonly row: Row;
      readonly before: JsonObject;
    }
  | { readonly kind: 'delete' | 'expire'; readonly collection: Collection; readonly row: Row }
  | {
      readonly kind: 'provenance';
      readonly collection: Collection;
      readonly row: Row;
      readonly before: readonly Provenance[] | null;
    }
  | { readonly kind: 'arm'; readonly timer: Timer }
  | { readonly kind: 'disarm'; readonly timer: Timer }
  | { readonly kind: 'register'; readonly change: Reversible };

/** A change beside the objects that can be taken back, and then be done again. */
export interface Reversible {
  undo(): void;
  redo(): void;
}

class RegisterChange<T> implements Reversible {
  /** @param place of what was removed; -1: nothing was */
  constructor(
    private readonly register: Register<T>,
    private readonly key: string,
    private readonly before: T | undefined,
    private readonly after: T | undefined,
    private readonly place: number,
  ) {}

  undo(): void {
    const { register, key, before, place } = this;
    if (before !== undefined && place >= 0) register.restore(key, before, place);
    else register.write(key, before);
  }

  redo(): void {
    this.register.write(this.key, this.after);
  }
}

/** A change as it happens: that of an object is written down at the end, when its last state is known. */
type ObjectChange =
  | { readonly op: 'put'; readonly row: Row }
  | { readonly op: 'explain'; readonly row: Row }
  | { readonly op: 'arm' | 'disarm'; readonly timer: Timer }
  | Exclude<StoredChange, { op: 'put' | 'arm' | 'disarm' }>;

/** State before the command of a row that it replaced. */
interface Original {
  readonly value: JsonObject;
  /** The fields that were replaced since; some may be there more than once. */
  names: readonly string[];
}

/** How much a transaction had done at some moment. */
interface Mark {
  readonly undo: number;
  readonly changes: number;
}

/**
 * The changes of one command. They apply at once, so that the command sees them; `rollback` takes them all back in reverse
 * order, so that a failed command leaves nothing. A change costs what it costs its collection; a rollback costs what is undone.
 */
export class Transaction {
  readonly #undo: Undo[] = [];
  readonly #changes: ObjectChange[] = [];
  /** Objects that are written when they are read, with what they are about. */
  readonly #late: { readonly row: LateRow; readonly about: Row; readonly of: Collection }[] = [];
  /** Of every row that was replaced. */
  readonly originals = new Map<Row, Original>();

  constructor(private readonly timers: TimerQueue) {}

  create(collection: Collection, row: Row): void {
    const tombstone = collection.insert(row);
    // One object is both: what takes the change back, and the change.
    const step = { kind: 'create', op: 'put', collection, row, tombstone } as const;
    this.#undo.push(step);
    this.#changes.push(step);
  }

  /** As `create`, of an object that shows the present state of another one. @param of the other one's collection */
  createLate(collection: Collection, row: LateRow, about: Row, of: Collection): void {
    this.create(collection, row);
    this.#late.push({ row, about, of });
  }

  /**
   * Puts a new value in the place of a row's.
   * @param names the fields that may differ
   */
  replace(collection: Collection, row: Row, value: JsonObject, names: readonly string[]): void {
    const before = row.value;
    const original = this.originals.get(row);
    if (original === undefined) this.originals.set(row, { value: before, names });
    else original.names = [...original.names, ...names];
    const step = { kind: 'replace', op: 'put', collection, row, before } as const;
    this.#undo.push(step);
    collection.replace(row, value, names);
    this.#changes.push(step);
  }

  delete(collection: Collection, row: Row): void {
    collection.remove(row);
    this.#undo.push({ kind: 'delete', collection, row });
    this.#changes.push(ofTenant({ op: 'delete', collection: collection.config.name, id: row.id }, row));
  }

  /** Deletes a row that is older than its resource keeps objects: it leaves no trace. */
  expire(collection: Collection, row: Row): void {
    collection.forget(row, undefined);
    this.#undo.push({ kind: 'expire', collection, row });
    const { name } = collection.config;
    this.#changes.push(ofTenant({ op: 'delete', collection: name, id: row.id, expired: true }, row));
  }

  /** Says where exogenous values of a row came from: all that is known of it. */
  explain(collection: Collection, row: Row, provenance: readonly Provenance[]): void {
    this.#undo.push({ kind: 'provenance', collection, row, before: row.provenance });
    collection.explain(row, provenance);
    if (row.alive) this.#changes.push({ op: 'explain', row });
  }

  arm(timer: Timer): void {
    this.timers.add(timer);
    this.#undo.push({ kind: 'arm', timer });
    this.#changes.push({ op: 'arm', timer });
  }

  disarm(timer: Timer): void {
    this.timers.remove(timer);
    this.#undo.push({ kind: 'disarm', timer });
    this.#changes.push({ op: 'disarm', timer });
  }

  /** Sets or (undefined) removes an entry of a register. */
  write<T>(register: Register<T>, key: string, value: T | undefined): void {
    const before = register.get(key);
    if (before === undefined && value === undefined) return;
    const place = before !== undefined && value === undefined ? register.placeOf(key) : -1;
    register.write(key, value);
    this.#undo.push({ kind: 'register', change: new RegisterChange(register, key, before, value, place) });
    this.#changes.push({
      op: 'set',
      register: register.name,
      key,
      value: value === Infinity ? NEVER : (value ?? null),
    });
  }

  /** Lets the world begin at another time. */
  beginAt(t0: number, change: Reversible): void {
    this.#undo.push({ kind: 'register', change });
    this.#changes.push({ op: 'clock', now: t0, t0 });
  }

  get isEmpty(): boolean {
    return this.#changes.length === 0;
  }

  /** Ids of the objects that it changed, made or deleted. */
  *touched(): Generator<string> {
    for (const change of this.#changes) {
      if (change.op === 'put') yield change.row.id;
      else if (change.op === 'delete') yield change.id;
    }
  }

  /**
   * What the ledger keeps of it: of every object its last state, where its first change was.
   * @param entry number of the ledger entry
   */
  packed(entry: number): PackedChanges {
    const packed: unknown[] = [];
    this.packTo(entry, packed);
    return packed;
  }

  /** As `packed`, behind what is in a list. */
  packTo(entry: number, list: unknown[]): void {
    this.#shorten();
    for (const change of this.#changes) {
      if (change.op === 'put' || change.op === 'explain') {
        const { row } = change;
        if (row.entry === entry) continue;
        row.entry = entry;
        list.push(row, row.held, row.provenance);
        // What is returned is seldom what is read next.
        row.unshow();
      } else if (change.op === 'arm' || change.op === 'disarm') list.push(null, change.timer, change.op);
      else list.push(null, change, null);
    }
  }

  /** Most of what a command makes is seldom read again: of objects, and of states that others show, what differs is kept. */
  #shorten(): void {
    const isPresent = this.#late.map(({ row, about }) => row.state === about.held);
    for (const step of this.#undo) {
      if (step.kind !== 'create' || step.row instanceof LateRow || step.row.held instanceof Difference) continue;
      const kept = step.collection.shortened(step.row.value);
      if (kept instanceof Difference) step.row.shorten(kept);
    }
    this.#late.forEach(({ row, about, of }, at) => {
      if (row.state instanceof Difference) return;
      const kept = isPresent[at] ? about.held : of.shortened(row.state);
      if (kept instanceof Difference) row.shortenState(kept);
    });
  }

  /** Puts behind what is in a list what takes it back after it was committed, while all that came later was taken back before. */
  packUndo(list: unknown[]): void {
    const seen = new Set<Row>();
    for (const step of this.#undo) {
      switch (step.kind) {
        case 'create':
          seen.add(step.row);
          list.push(0, step.row, step.tombstone);
          break;
        case 'replace':
          // What it was before the command is enough; what was made in it goes as it is.
          if (!seen.has(step.row)) list.push(1, step.row, step.before);
          seen.add(step.row);
          break;
        case 'delete':
          list.push(2, step.row, undefined);
          break;
        case 'provenance':
          list.push(3, step.row, step.before);
          break;
        case 'register':
          list.push(4, step.change, undefined);
          break;
        case 'arm':
          list.push(5, step.timer, undefined);
          break;
        case 'disarm':
          list.push(6, step.timer, undefined);
          break;
        case 'expire':
          list.push(7, step.row, undefined);
      }
    }
  }

  rollback(): void {
    this.rollbackTo({ undo: 0, changes: 0 });
  }

  /** A place in the command to come back to. */
  mark(): Mark {
    return { undo: this.#undo.length, changes: this.#changes.length };
  }

  /** Takes back everything since the mark, newest first. */
  rollbackTo(mark: Mark): void {
    for (let i = this.#undo.length - 1; i >= mark.undo; i--) this.#takeBack(this.#undo[i]);
    this.#undo.length = mark.undo;
    this.#changes.length = mark.changes;
  }

  #takeBack(step: Undo): void {
    switch (step.kind) {
      case 'create':
        return step.collection.forget(step.row, step.tombstone);
      case 'replace':
        step.collection.replace(step.row, step.before);
        return;
      case 'delete':
      case 'expire':
        step.collection.insert(step.row);
        return;
      case 'provenance':
        step.collection.explain(step.row, step.before);
        return;
      case 'arm':
        return this.timers.remove(step.timer);
      case 'disarm':
        return this.timers.add(step.timer);
      case 'register':
        return step.change.undo();
    }
  }
}

/** Steps of a transaction, three places each: what was done, to what, and what was before. */
export type TakenBack = readonly unknown[];

/** Where steps are taken back and done again. */
interface Stage {
  readonly timers: TimerQueue;
  collectionOf(row: Row): Collection;
}

/**
 * Takes back a transaction that was committed, when all that came later was taken back.
 * @returns what `doAgain` does then
 */
function takeBack(steps: TakenBack, stage: Stage): TakenBack {
  const { timers } = stage;
  const again: unknown[] = [];
  for (let at = steps.length - 3; at >= 0; at -= 3) {
    const [kind, what, before] = [steps[at], steps[at + 1], steps[at + 2]];
    const row = what as Row;
    again.push(kind, what, kind === 1 ? row.held : kind === 3 ? row.provenance : undefined);
    if (kind === 0) stage.collectionOf(row).forget(row, before as Tombstone | undefined);
    else if (kind === 1) stage.collectionOf(row).replace(row, before as JsonObject);
    else if (kind === 2 || kind === 7) stage.collectionOf(row).insert(row);
    else if (kind === 3) stage.collectionOf(row).explain(row, before as readonly Provenance[] | null);
    else if (kind === 4) (what as Reversible).undo();
    else if (kind === 5) timers.remove(what as Timer);
    else timers.add(what as Timer);
  }
  return again;
}

/** Does again what was taken back: the same rows and timers are there then, so that it can be taken back once more. */
function doAgain(again: TakenBack, stage: Stage): void {
  const { timers } = stage;
  for (let at = again.length - 3; at >= 0; at -= 3) {
    const [kind, what, after] = [again[at], again[at + 1], again[at + 2]];
    const row = what as Row;
    if (kind === 0) stage.collectionOf(row).insert(row);
    else if (kind === 1) replaceAgain(stage.collectionOf(row), row, after as HeldValue);
    else if (kind === 2) stage.collectionOf(row).remove(row);
    else if (kind === 3) stage.collectionOf(row).explain(row, after as readonly Provenance[] | null);
    else if (kind === 4) (what as Reversible).redo();
    else if (kind === 5) timers.add(what as Timer);
    else if (kind === 6) timers.remove(what as Timer);
    else stage.collectionOf(row).forget(row, undefined);
  }
}

function replaceAgain(collection: Collection, row: Row, held: HeldValue): void {
  collection.replace(row, writtenOf(held));
  if (held instanceof Difference) row.shorten(held);
}

/**
 * What leads back over an entry: what takes it back, or the number of the entry whose moment it made the present again. Null: a fold
 * alone leads there.
 */
export type Way = Transaction | TakenBack | number | null;

/** Of so many newest entries the way back is kept: farther back a fold is as fast. */
const REACH = 4_096;

/** From one moment to another: entries to be taken back, newest first, then entries that were taken back before, to be done again. */
export interface Route {
  readonly back: readonly number[];
  readonly again: readonly number[];
}

/** The ways back over the newest entries of a ledger. */
export class WaysBack {
  /** By the numbers of their entries: the list that its steps are in, or the number of another entry. */
  readonly #ways: (TakenBack | number | null)[] = [];
  /** Where its steps begin there, and where they end. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #pages = new SharedPages();
  /** By their numbers, of entries that were taken back, what does them again. */
  readonly #again = new Map<number, TakenBack>();

  note(n: number, way: Way): void {
    const at = n % REACH;
    this.#again.delete(n - REACH);
    let from = 0;
    if (way instanceof Transaction) {
      const page = this.#pages.next();
      from = page.length;
      way.packUndo(page);
      this.#ways[at] = page;
    } else this.#ways[at] = way;
    const list = this.#ways[at];
    this.#from[at] = from;
    this.#to[at] = typeof list === 'object' && list !== null ? list.length : 0;
  }

  /**
   * What leads to the moment after an entry, also after one that an earlier way back left behind; null: another way is needed.
   * @param count the number of the newest entry
   */
  to(n: number, count: number): Route | null {
    const [back, again]: [number[], number[]] = [[], []];
    // The later of both goes a step towards where they meet.
    for (let [here, there] = [count, n]; here !== there;) {
      const at = Math.max(here, there);
      if (count - at >= REACH) return null;
      const way = this.#ways[at % REACH];
      if (way == null) return null;
      const isStep = typeof way !== 'number';
      const before = isStep ? at - 1 : way;
      if (at === here) {
        if (isStep) back.push(at);
        here = before;
      } else {
        if (isStep) again.push(at);
        there = before;
      }
    }
    return again.every((at) => this.#again.has(at)) ? { back, again: again.reverse() } : null;
  }

  /** How many changes are on a way. */
  lengthOf({ back, again }: Route): number {
    const backwards = back.reduce((sum, n) => sum + this.#to[n % REACH] - this.#from[n % REACH], 0);
    return again.reduce((sum, n) => sum + (this.#again.get(n)?.length ?? 0), backwards) / 3;
  }

  /** Goes a way, looks around, and returns. O(changes on it). */
  visit<T>({ back, again }: Route, stage: Stage, look: () => T): T {
    this.follow({ back, again }, stage);
    try {
      return look();
    } finally {
      this.follow({ back: again.toReversed(), again: back.toReversed() }, stage);
    }
  }

  /** Goes a way. O(changes on it). */
  follow({ back, again }: Route, stage: Stage): void {
    for (const n of back) {
      const at = n % REACH;
      const page = this.#ways[at] as TakenBack;
      this.#again.set(n, takeBack(page.slice(this.#from[at], this.#to[at]), stage));
    }
    for (const n of again) {
      doAgain(this.#again.get(n) as TakenBack, stage);
      this.#again.delete(n);
    }
  }
}
