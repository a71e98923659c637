import type { Json } from '../values/index.js';
import type { Engine } from '../runtime/index.js';
import { type Happening, happeningsOf, isFailure } from './happenings.js';
import { packInstant } from './lookup.js';
import { effectsSince } from './replayed-effects.js';
import * as s from './schema.js';
import { InstantSchema } from './shape.js';

/** Maximum number of moments in the mark of an advance. */
const POINTS = 60;
const NAMES = 20;

const PointSchema = s.object({ entry: s.integer, at: InstantSchema, events: s.list(s.string) });

/** The schema of a mark: the events at one point of a world's timeline. */
export const MarkSchema = s.named(
  'Mark',
  s.object({
    entry: s.integer.about('number of the ledger entry that led to this state'),
    kind: s.oneOf('call', 'clock', 'cause', 'control'),
    title: s.string,
    from: InstantSchema.about('when it began'),
    at: InstantSchema,
    count: s.integer.about('how many things of the same kind are one mark'),
    failed: s.boolean.about('the call got an error'),
    trace: s.string.orNull(),
    points: s.list(PointSchema).about('moments inside an advance of the clock'),
  }),
);

type Mark = s.Shown<typeof MarkSchema>;

/** A mark while its neighbours are merged into it. */
type Growing = { -readonly [K in keyof Mark]: Mark[K] };

/**
 * The history of a world as a limited number of marks: equal neighbours are merged, but failures stay separate. Entries before
 * all packs of a company were set up are omitted.
 */
export function marksOf(engine: Engine, most: number): Mark[] {
  let effects: ReturnType<typeof effectsSince> | undefined;
  let now: Json = packInstant(engine, engine.world.t0);
  let marks = happeningsOf(engine)
    .map((each): Growing => {
      const mark = markOf(each, now);
      now = mark.at;
      return mark;
    })
    .filter(({ entry }) => entry >= engine.firstMoment);
  for (let size = 2; marks.length > most && size <= marks.length * 2; size *= 2) marks = merged(marks, size);
  return marks;

  function markOf(each: Happening, from: Json): Growing {
    const { n: entry } = each;
    if (each.kind === 'call') {
      const { method, path, at, id } = each.call;
      const title = `${method} ${path}`;
      return { entry, kind: 'call', title, from, at, count: 1, failed: isFailure(each), trace: id, points: [] };
    }
    const { kind, entries } = each;
    const last = entries[entries.length - 1];
    const at = packInstant(engine, last.at);
    const { command: title } = entries[0];
    return { entry, kind, title, from, at, count: 1, failed: false, trace: null, points: pointsOf(each) };
  }

  function pointsOf({ kind, ...each }: Happening): Mark['points'] {
    if (kind !== 'clock' || !('entries' in each)) return [];
    const known = (effects ??= effectsSince(engine, 1));
    const all = each.entries.map(({ n, at }) => ({
      entry: n,
      at: packInstant(engine, at),
      events: [...new Set(known.get(n)?.events.map(({ type }) => String(type)))].slice(0, NAMES),
    }));
    const shown = all.filter(({ events }, place) => events.length > 0 || place === all.length - 1);
    const every = Math.ceil(shown.length / POINTS);
    return shown.filter((_, place) => (shown.length - 1 - place) % every === 0);
  }
}

/** Merges neighbours of one kind at one time, up to a number of happenings per mark; failures and advances stay separate. */
function merged(marks: readonly Growing[], size: number): Growing[] {
  const found: Growing[] = [];
  for (const mark of marks) {
    const last = found.at(-1);
    const isSame = last?.kind === mark.kind && last.at === mark.at && last.failed === mark.failed;
    if (last && isSame && mark.kind !== 'clock' && !mark.failed && last.count + mark.count <= size) {
      last.entry = mark.entry;
      last.count += mark.count;
    } else found.push(mark);
  }
  return found;
}
