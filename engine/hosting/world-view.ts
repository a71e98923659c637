import { isHashOfKey } from '../codecs/index.js';
import type { WorldView } from '../control/index.js';
import type { WorldRecord } from '../store/index.js';
import type { HeldWorld } from './ownership.js';

/** A world at work, as the control API shows it. */
export function worldViewOf({ record, world: { url, from, engine } }: HeldWorld): WorldView {
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
  };
}

/** A world that is kept and not at work. */
export function idleView({ id, name, key, pack, head, expires }: WorldRecord, url: string | null): WorldView {
  return { id, name, url, key: shownKey(key), pack, now: null, head, expires: instantOf(expires), from: null };
}

/** A key of which only a hash is known is not shown. */
function shownKey(key: string): string | null {
  return isHashOfKey(key) ? null : key;
}

function instantOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
