import type { JsonObject } from '../values/index.js';
import type { Collection } from './collection.js';
import { SharedPages } from './ledger.js';
import { ofTenant, type PackedChanges } from './packed-entries.js';
import { NEVER, type StoredChange } from './ledger-entry.js';
import { Difference } from './difference.js';
import type { Register } from './register.js';
import { LateRow, type Provenance, Row, type Timer } from './rows.js';
import type { Tombstone } from './standing.js';
import type { TimerQueue } from './timers.js';
import { type UndoTarget, type TakenBack, doAgain, takeBack, type Reversible, type Route } from './take-back.js';

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

class RegisterChange<T> implements Reversible {
  /** @param place position that the removed entry had; -1: the change removes none */
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

/** A change of an object or timer; encoded at the commit, when the last state of the object is known. */
type ObjectChange =
  | { readonly op: 'put'; readonly row: Row }
  | { readonly op: 'explain'; readonly row: Row }
  | { readonly op: 'arm' | 'disarm'; readonly timer: Timer }
  | Exclude<StoredChange, { op: 'put' | 'arm' | 'disarm' }>;

/** The state that a row had before the command replaced its value. */
interface Original {
  readonly value: JsonObject;
  /** Names of the fields that the command has replaced so far; may contain duplicates. */
  names: readonly string[];
}

/** A savepoint of a transaction: the number of its steps and changes. */
interface Mark {
  readonly undo: number;
  readonly changes: number;
}

/**
 * The changes of one command. They take effect at once, so that the command can read them; `rollback` undoes them in reverse
 * order, so that a failed command leaves nothing behind. A rollback takes as long as the changes did.
 */
export class Transaction {
  readonly #undo: Undo[] = [];
  readonly #changes: ObjectChange[] = [];
  /** New objects whose value is written when they are read, each with the row that it describes. */
  readonly #late: { readonly row: LateRow; readonly about: Row; readonly of: Collection }[] = [];
  /** For each replaced row, its state before the command. */
  readonly originals = new Map<Row, Original>();

  constructor(private readonly timers: TimerQueue) {}

  create(collection: Collection, row: Row): void {
    const tombstone = collection.insert(row);
    // The same object is used as the change and as its undo step, to save memory.
    const step = { kind: 'create', op: 'put', collection, row, tombstone } as const;
    this.#undo.push(step);
    this.#changes.push(step);
  }

  /**
   * Creates an object whose value is written when it is read, and shows another object's present state.
   * @param about the other object
   * @param of the other object's collection
   */
  createLate(collection: Collection, row: LateRow, about: Row, of: Collection): void {
    this.create(collection, row);
    this.#late.push({ row, about, of });
  }

  /** Replaces the value of a row. @param names the fields that may differ */
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

  /** Deletes a row beyond its resource's retention, without a tombstone. */
  expire(collection: Collection, row: Row): void {
    collection.forget(row, undefined);
    this.#undo.push({ kind: 'expire', collection, row });
    const { name } = collection.config;
    this.#changes.push(ofTenant({ op: 'delete', collection: name, id: row.id, expired: true }, row));
  }

  /** Sets the origins of a row's values from outside, replacing earlier ones. */
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

  /** Sets an entry of a register, or removes it (undefined). */
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

  /** Records that the command moved the start of the world. @param change undoes and redoes the move */
  beginAt(t0: number, change: Reversible): void {
    this.#undo.push({ kind: 'register', change });
    this.#changes.push({ op: 'clock', now: t0, t0 });
  }

  get isEmpty(): boolean {
    return this.#changes.length === 0;
  }

  /** Yields the ids of objects that the transaction created, changed or deleted. */
  *touched(): Generator<string> {
    for (const change of this.#changes) {
      if (change.op === 'put') yield change.row.id;
      else if (change.op === 'delete') yield change.id;
    }
  }

  /**
   * Encodes the transaction's changes for the ledger: each object's last state, at the position of its first change.
   * @param entry number of the ledger entry
   */
  packed(entry: number): PackedChanges {
    const packed: unknown[] = [];
    this.packTo(entry, packed);
    return packed;
  }

  /** Encodes the transaction's changes for the ledger, and appends them to a list. */
  packTo(entry: number, list: unknown[]): void {
    this.#shorten();
    for (const change of this.#changes) {
      if (change.op === 'put' || change.op === 'explain') {
        const { row } = change;
        if (row.entry === entry) continue;
        row.entry = entry;
        list.push(row, row.held, row.provenance);
        // The cached response of a changed object is dropped, since it is rarely read again.
        row.unshow();
      } else if (change.op === 'arm' || change.op === 'disarm') list.push(null, change.timer, change.op);
      else list.push(null, change, null);
    }
  }

  /** Replaces values of new objects by differences, to save memory: most new objects are rarely read again. */
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

  /** Appends the steps with which `takeBack` undoes the transaction after its commit. */
  packUndo(list: unknown[]): void {
    const seen = new Set<Row>();
    for (const step of this.#undo) {
      switch (step.kind) {
        case 'create':
          seen.add(step.row);
          list.push(0, step.row, step.tombstone);
          break;
        case 'replace':
          // Only the state before the command is needed; an object created by the command is removed with its last state.
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

  /** Returns a savepoint for `rollbackTo`. */
  mark(): Mark {
    return { undo: this.#undo.length, changes: this.#changes.length };
  }

  /** Undoes all changes since a savepoint, newest first. */
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

/**
 * How an entry can be undone: by its undo steps, or, for a rewind, as a step to the entry whose moment it restored. Null: only
 * by a fold.
 */
export type Way = Transaction | TakenBack | number | null;

/** Number of newest entries that can be undone; to earlier moments, a fold is as fast. */
const REACH = 4_096;

/** The undo steps of a ledger's newest entries, and routes between moments that they allow. */
export class WaysBack {
  /** For each entry number, the list with its undo steps, or the number of the entry that it restored; null: neither. */
  readonly #ways: (TakenBack | number | null)[] = [];
  /** Indexes in the lists of `#ways` at which each entry's steps start and end. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #pages = new SharedPages();
  /** Redo steps of undone entries, by entry number. */
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
   * Finds the route to the moment after an entry, also if an earlier rewind abandoned that entry; null: impossible.
   * @param count number of the newest entry
   */
  to(n: number, count: number): Route | null {
    const [back, again]: [number[], number[]] = [[], []];
    // Of two entries, the later one steps back, until both are the same.
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

  /** Counts the changes on a route. */
  lengthOf({ back, again }: Route): number {
    const backwards = back.reduce((sum, n) => sum + this.#to[n % REACH] - this.#from[n % REACH], 0);
    return again.reduce((sum, n) => sum + (this.#again.get(n)?.length ?? 0), backwards) / 3;
  }

  /** Moves the world along a route, calls `look`, and moves the world back. O(changes on the route). */
  visit<T>({ back, again }: Route, stage: UndoTarget, look: () => T): T {
    this.follow({ back, again }, stage);
    try {
      return look();
    } finally {
      this.follow({ back: again.toReversed(), again: back.toReversed() }, stage);
    }
  }

  /** Moves the world along a route of undo and redo steps. O(changes on the route). */
  follow({ back, again }: Route, stage: UndoTarget): void {
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
