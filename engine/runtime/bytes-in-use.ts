import { addReferences } from '../values/index.js';
import { checkpointOf, type World } from '../world/index.js';
import type { Runtime } from './runtime.js';

/** A world whose objects may have bytes. */
interface Keeper {
  readonly runtime: Runtime;
  readonly world: World;
}

/**
 * Deletes the bytes that nothing in a world refers to: neither what is there, nor a moment with a name, nor what the ledger in
 * memory can go back to.
 * @param isPressing what only the ledger refers to goes too: an earlier moment that is brought back has its objects without bytes
 */
export function sweepBytes({ runtime, world }: Keeper, isPressing: boolean): void {
  const { files } = runtime.surroundings;
  if (files === null || files.total === 0) return;
  const { ledger, open } = world.timeline;
  // What a command has written is not to be seen yet.
  if (open !== null) return;
  const used = new Set<string>();
  addAll(checkpointOf(world).changes, used);
  for (const moment of ledger.pinned()) addAll(moment.changes, used);
  if (!isPressing) {
    for (const checkpoint of ledger.checkpoints()) addAll(checkpoint.changes, used);
    for (const { args, changes } of ledger.since(ledger.oldest)) addAll([args, changes], used);
  }
  files.sweep(used);
}

/** A sweep for a store that is full. It doesn't hold the world: the store outlives that of a world that rests. */
export function pressingSweep(keeper: Keeper): () => void {
  const held = new WeakRef(keeper);
  return () => {
    const own = held.deref();
    if (own !== undefined) sweepBytes(own, true);
  };
}

function addAll(value: unknown, used: Set<string>): void {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const each = left.pop();
    if (typeof each === 'string') addReferences(each, used);
    else if (typeof each === 'object' && each !== null) for (const item of Object.values(each)) left.push(item);
  }
}
