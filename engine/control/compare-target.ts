import type { Engine } from '../runtime/index.js';
import type { StoredEntry, World } from '../world/index.js';
import type { ControlContext } from './context.js';
import { type RequestedMoment, momentNamed, momentView, pastOf } from './ledger-position.js';
import { ControlRejection, unknownWorld } from './rejection.js';
import * as s from './schema.js';
import { InstantSchema } from './shape.js';
import type { FoundWorld } from './worlds.js';

/** One of two compared moments. */
interface CompareSide {
  readonly engine: Engine;
  /** The world that the request names, on a server with several; null: this one. */
  readonly found: FoundWorld | null;
  /** Number of the ledger entry after which the moment is. */
  readonly n: number;
  readonly past: World;
}

/** Entries that may have caused the differences. */
export interface History {
  readonly engine: Engine;
  /** The world before the first entry; undefined: empty. */
  readonly base: World | undefined;
  readonly entries: readonly StoredEntry[];
}

/** A world's id or name, and a moment of it; the present if the moment is empty. */
const OF_WORLD = /^([A-Za-z0-9][\w.-]{0,62})@(.*)$/s;

/** Finds a requested moment: of this world, or `<world>@<moment>` for any world of the server. @throws ControlRejection */
export async function sideOf({ engine, worlds }: ControlContext, at: RequestedMoment): Promise<CompareSide> {
  const [, world, moment] = (engine.world.moments.has(String(at)) ? null : OF_WORLD.exec(String(at))) ?? [];
  if (world === undefined) return side(engine, null, momentNamed(engine, at));
  if (!worlds)
    throw new ControlRejection(
      403,
      'not_the_host',
      'other worlds are looked into with the key of the first world, at its address',
    );
  const found = await worlds.find(world);
  if (!found) throw await unknownWorld(worlds, world);
  const { ledger } = found.engine.world;
  return side(found.engine, found, moment === '' ? ledger.count : momentNamed(found.engine, moment));
}

function side(engine: Engine, found: FoundWorld | null, n: number): CompareSide {
  return { engine, found, n, past: pastOf(engine, n) };
}

/** One of two compared moments, in the response. */
export const SideSchema = s.object({
  world: s.string.about('id of the world, when it was named').optional(),
  entry: s.integer,
  now: InstantSchema,
});

export function sideView({ engine, found, past }: CompareSide): s.Shown<typeof SideSchema> {
  return { ...(found ? { world: found.id } : {}), ...momentView(engine, past) };
}

/**
 * Entries that may have made the sides differ. For one world, those between the two moments; for two worlds, those since their
 * last common entry, or all known ones if they have none.
 */
export async function historiesBetween(
  { worlds }: ControlContext,
  a: CompareSide,
  b: CompareSide,
): Promise<{ readonly from: History | null; readonly to: History }> {
  if (a.engine === b.engine) {
    const { world } = b.engine;
    const entries = b.n === world.ledger.count ? world.entriesFrom(a.n) : world.ledger.since(a.n, b.n);
    return { from: null, to: { engine: b.engine, base: a.past, entries } };
  }
  if (a.engine.model !== b.engine.model)
    throw new ControlRejection(
      409,
      'other_pack',
      'worlds of two packs, or of two states of one, have nothing in common',
    );
  const lines = await Promise.all([lineOf(a), lineOf(b)]);
  const shared = lines[0].find(({ id }) => lines[1].some((each) => each.id === id));
  const other = lines[1].find(({ id }) => id === shared?.id);
  const common = shared && other ? Math.min(shared.n, other.n) : undefined;
  return { from: historyOf(a, common), to: historyOf(b, common) };

  /** A world and those that it was forked from, each with its last common entry. */
  async function lineOf({ engine, found, n }: CompareSide): Promise<{ readonly id: string; readonly n: number }[]> {
    const own = found ?? (await worlds?.list().then(([first]) => worlds.find(first.id)));
    const line = [{ id: own?.id ?? '', n: Math.min(n, engine.world.ledger.count) }];
    for (let { from } = own ?? { from: null }; from;) {
      line.push({ id: from.world, n: Math.min(from.entry, line[line.length - 1].n) });
      from = (await worlds?.find(from.world))?.from ?? null;
    }
    return line;
  }
}

function historyOf({ engine, n }: CompareSide, common: number | undefined): History {
  const { ledger } = engine.world;
  if (common === undefined) return { engine, base: undefined, entries: ledger.since(0, n) };
  const start = Math.max(common, Math.min(ledger.oldest, n));
  return { engine, base: pastOf(engine, start), entries: ledger.since(start, n) };
}
