import type { Json } from '../expression/index.js';
import type { ResourceProgram } from '../program/index.js';
import type { Engine } from '../runtime/index.js';
import { suggest } from '../pack/index.js';
import type { Row } from '../world/index.js';
import { type Refusal, unknown } from './refusal.js';

/**
 * What a collection's name stands for.
 * @throws Refusal (404)
 */
export function collectionNamed(engine: Engine, name: string): ResourceProgram {
  const def = engine.model.byCollection.get(name);
  if (!def) throw unknownResource(engine, name);
  return engine.pack.resources[def.index];
}

/** 404 for a name that is no collection; a resource's name leads to its collection. */
export function unknownResource(engine: Engine, name: string): Refusal {
  const { byName, byCollection, env } = engine.model;
  return unknown('resource', name, byName.get(name)?.collection ?? env.suggest(name, byCollection.keys()));
}

/** The object with an id, of whatever resource. */
export function objectWith(engine: Engine, id: string): Row | undefined {
  for (const collection of engine.world.collections) {
    const row = collection.get(id);
    if (row) return row;
  }
  return undefined;
}

/** 404 for an id that no entry of a register has. */
export function unknownEntry(what: string, id: string, known: Iterable<string>): Refusal {
  return unknown(what, id, suggest(id, known));
}

/** World time as the pack writes it. */
export function instantOf(engine: Engine, ms: number): Json {
  return Number.isFinite(ms) ? engine.model.env.fromMs(ms) : null;
}
