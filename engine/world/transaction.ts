import type { JsonObject } from '../expression/index.js';
import type { Collection } from './collection.js';
import type { LoggedChange } from './ledger.js';
import type { Register } from './register.js';
import { type Provenance, Row } from './rows.js';
import type { Timer, TimerQueue } from './timers.js';

type Undo =
  | { readonly kind: 'create'; readonly collection: Collection; readonly row: Row }
  | {
      readonly kind: 'replace';
      readonly collection: Collection;
      readonly row: Row;
      readonly before: JsonObject;
      readonly age: number;
    }
  | { readonly kind: 'delete'; readonly collection: Collection; readonly row: Row }
  | { readonly kind: 'provenance'; readonly row: Row; readonly before: readonly Provenance[] | null }
  | { readonly kind: 'arm'; readonly timer: Timer }
  | { readonly kind: 'disarm'; readonly timer: Timer }
  | { readonly kind: 'register'; readonly undo: () => void };

/** State before the command of a row that it replaced. */
interface Original {
  readonly value: JsonObject;
  /** The fields that were replaced since; some may be there more than once. */
  names: readonly string[];
}

/** How much a transaction had done at some moment. */
export interface Mark {
  readonly undo: number;
  readonly changes: number;
}

/**
 * The changes of one command. They apply at once, so that the command sees them; `rollback` takes them all back in reverse
 * order, so that a failed command leaves nothing. A change costs what it costs its collection; a rollback costs what is undone.
 */
export class Transaction {
  readonly #undo: Undo[] = [];
  readonly changes: LoggedChange[] = [];
  /** Of every row that was replaced. */
  readonly originals = new Map<Row, Original>();

  constructor(private readonly timers: TimerQueue) {}

  create(collection: Collection, row: Row): void {
    collection.insert(row);
    this.#undo.push({ kind: 'create', collection, row });
    this.changes.push({ op: 'put', collection: collection.config.name, id: row.id, value: row.value });
  }

  /**
   * Puts a new value in the place of a row's.
   * @param names the fields that may differ
   * @param age the age of the value (see `Layout`)
   */
  replace(collection: Collection, row: Row, value: JsonObject, names: readonly string[], age: number): void {
    const before = row.value;
    const original = this.originals.get(row);
    if (original === undefined) this.originals.set(row, { value: before, names });
    else original.names = [...original.names, ...names];
    this.#undo.push({ kind: 'replace', collection, row, before, age: row.age });
    collection.replace(row, value, names);
    row.age = age;
    this.changes.push({ op: 'put', collection: collection.config.name, id: row.id, value });
  }

  delete(collection: Collection, row: Row): void {
    collection.remove(row);
    this.#undo.push({ kind: 'delete', collection, row });
    this.changes.push({ op: 'delete', collection: collection.config.name, id: row.id });
  }

  /** Says where exogenous values of a row came from. */
  explain(row: Row, provenance: readonly Provenance[]): void {
    this.#undo.push({ kind: 'provenance', row, before: row.provenance });
    row.provenance = provenance;
  }

  arm(collection: Collection, timer: Timer): void {
    this.timers.add(timer);
    this.#undo.push({ kind: 'arm', timer });
    this.changes.push({
      op: 'arm',
      collection: collection.config.name,
      id: timer.row.id,
      trigger: timer.trigger,
      due: timer.due,
    });
  }

  disarm(collection: Collection, timer: Timer): void {
    this.timers.remove(timer);
    this.#undo.push({ kind: 'disarm', timer });
    this.changes.push({ op: 'disarm', collection: collection.config.name, id: timer.row.id, trigger: timer.trigger });
  }

  /** Sets or (undefined) removes an entry of a register. */
  write<T>(register: Register<T>, key: string, value: T | undefined): void {
    const before = register.get(key);
    register.write(key, value);
    this.#undo.push({ kind: 'register', undo: () => register.write(key, before) });
    this.changes.push({ op: 'set', register: register.name, key, value: value ?? null });
  }

  rollback(): void {
    this.rollbackTo({ undo: 0, changes: 0 });
  }

  /** A place in the command to come back to. */
  mark(): Mark {
    return { undo: this.#undo.length, changes: this.changes.length };
  }

  /** Takes back everything since the mark, newest first. */
  rollbackTo(mark: Mark): void {
    for (let i = this.#undo.length - 1; i >= mark.undo; i--) this.#takeBack(this.#undo[i]);
    this.#undo.length = mark.undo;
    this.changes.length = mark.changes;
  }

  #takeBack(step: Undo): void {
    switch (step.kind) {
      case 'create':
        return step.collection.forget(step.row);
      case 'replace':
        step.collection.replace(step.row, step.before);
        step.row.age = step.age;
        return;
      case 'delete':
        return step.collection.insert(step.row);
      case 'provenance':
        step.row.provenance = step.before;
        return;
      case 'arm':
        return this.timers.remove(step.timer);
      case 'disarm':
        return this.timers.add(step.timer);
      case 'register':
        return step.undo();
    }
  }
}
