import type { JsonObject } from '../values/index.js';
import type { Collection } from './collection.js';
import { Difference } from './difference.js';
import { type HeldValue, type Provenance, Row, writtenOf, type Timer } from './rows.js';
import type { Tombstone } from './standing.js';
import type { TimerQueue } from './timers.js';

/** The way from one moment to another: steps of entries to undo, newest first, then steps of undone entries to redo. */
export interface Route {
  readonly back: readonly number[];
  readonly again: readonly number[];
}

/** A change of something other than an object that can be undone and redone. */
export interface Reversible {
  undo(): void;
  redo(): void;
}

/** The undo steps of a transaction, with three items each: the kind, the subject, and the subject's earlier state. */
export type TakenBack = readonly unknown[];

/** The world in which steps are undone and redone. */
export interface UndoTarget {
  readonly timers: TimerQueue;
  collectionOf(row: Row): Collection;
}

/** Undoes a committed transaction; later transactions must be undone already. @returns the steps for `doAgain` */
export function takeBack(steps: TakenBack, stage: UndoTarget): TakenBack {
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

/** Redoes an undone transaction with the same rows and timers, so that it can be undone again. */
export function doAgain(again: TakenBack, stage: UndoTarget): void {
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
