import { isHashOfKey } from '../codecs/index.js';
import type { WorldView } from '../control/index.js';
import type { WorldRecord } from '../store/index.js';
import type { HeldWorld } from './ownership.js';

/** A running world, as the control API returns it. */
export function worldViewOf({ record, world: { url, from, engine, vendors } }: HeldWorld): WorldView {
  const { id, name, key, pack, expires } = record;
  const { world } = engine;
  return {
    id,
    name,
    url,
    key: shownKey(key),
    pack,
    now: world.now,
    head: world.ledger.count,
    expires: instantOf(expires),
    from,
    ...(vendors ? { vendors } : {}),
  };
}

/** A stored world that isn't running. */
export function idleView({ id, name, key, pack, head, expires }: WorldRecord, url: string | null): WorldView {
  return { id, name, url, key: shownKey(key), pack, now: null, head, expires: instantOf(expires), from: null };
}

/** Returns a key; null if only its hash is stored. */
function shownKey(key: string): string | null {
  return isHashOfKey(key) ? null : key;
}

function instantOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
