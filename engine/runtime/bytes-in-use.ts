import { addReferences } from '../values/index.js';
import { checkpointOf, type World } from '../world/index.js';
import type { Runtime } from './runtime.js';

/** The engine's parts that a sweep reads: the runtime, and the world whose objects may refer to files. */
interface Keeper {
  readonly runtime: Runtime;
  readonly world: World;
}

/**
 * Deletes files that nothing in a world refers to: neither its objects, nor a named moment, nor the ledger in memory.
 * @param isPressing also deletes files that only the ledger refers to: after a rewind their objects have no content
 */
export function sweepBytes({ runtime, world }: Keeper, isPressing: boolean): void {
  const { files } = runtime.surroundings;
  if (files === null || files.total === 0) return;
  const { ledger, open } = world.timeline;
  // No sweep during a command, since the files it has written aren't referenced yet.
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

/** Returns a function that frees space in a full store. It holds the world weakly, since the store outlives it. */
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
