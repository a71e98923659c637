import * as s from '../schema.js';
import type { Engine } from '../../runtime/index.js';
import { callMessage, entryMessage } from '../messages.js';
import { type Happening, happeningsOf, isFailure, wordsOf } from '../happenings.js';
import { asked, momentNamed } from '../ledger-position.js';
import { effectsSince } from '../replayed-effects.js';
import { unknown } from '../rejection.js';
import { type ControlRoute, route } from '../route.js';
import { packInstant } from '../lookup.js';
import { count, InstantSchema, oneOf, optional, text } from '../shape.js';
import type { Json } from '../../values/index.js';

/** Maximum number of moments in the mark of an advance. */
const POINTS = 60;
const NAMES = 20;

const PointSchema = s.object({ entry: s.integer, at: InstantSchema, events: s.list(s.string) });

/** The schema of a mark: the events at one point of a world's timeline. */
const MarkSchema = s.named(
  'Mark',
  s.object({
    entry: s.integer.about('number of the ledger entry after which the world had this state'),
    kind: s.oneOf('call', 'clock', 'cause', 'control'),
    title: s.string,
    from: InstantSchema.about('simulated time at which it began'),
    at: InstantSchema,
    count: s.integer.about('number of similar items that this mark combines'),
    failed: s.boolean.about('true if the call returned an error'),
    trace: s.string.orNull(),
    points: s.list(PointSchema).about('moments within an advance of the clock'),
  }),
);

type Mark = s.Shown<typeof MarkSchema>;

/** A mark while its neighbours are merged into it. */
type Growing = { -readonly [K in keyof Mark]: Mark[K] };

/**
 * The history of a world as a limited number of marks: equal neighbours are merged, but failures stay separate. Entries before
 * all packs of a company were set up are omitted.
 */
function marksOf(engine: Engine, most: number): Mark[] {
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

const MOST = 1_000;
/** Maximum number of entries of one advance in a response. */
const MOST_ENTRIES = 500;

const StepSchema = s.named(
  'TimelineStep',
  s.object({
    key: s.string.about('identifies the step in `before`'),
    call: s.map.about('the call, in the format of `GET /stream`').optional(),
    entries: s
      .list(s.map)
      .about(
        `ledger entries, in the format of \`GET /stream\`: those of the call, or the first ${MOST_ENTRIES} of an advance`,
      ),
    from: InstantSchema.about('simulated time at which the previous step ended'),
    first: s.integer.about('number of the first ledger entry; 0 if there is none'),
    last: s.integer.about('number of the last ledger entry'),
    timers: s.integer.about('number of timers that fired'),
  }),
);

/** Routes of the world's timeline, for people. */
export const TIMELINE_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /timeline',
    {
      id: 'timeline',
      tag: 'history',
      about:
        'History as a list of calls, clock advances, external events and other changes, oldest first; without `before`, the newest',
      query: {
        search: optional(text, 'words that must all occur in ids, paths, events, statuses (`status:402`) or errors'),
        kind: optional(
          oneOf('call', 'failed', 'clock', 'cause', 'control'),
          'return only calls, failed calls, clock advances, external events, or everything else (`control`)',
        ),
        before: optional(text, '`key` of a step or number of a ledger entry; the page ends before it'),
        at: optional(asked, 'the history as of this moment (default: now)'),
        limit: optional(count(1, MOST), 'maximum number of steps (default: 200)'),
      },
      response: s.object({
        data: s.list(StepSchema),
        earlier: s.integer.about('number of matching steps before this page'),
        total: s.integer.about('number of matching steps'),
        of: s.integer.about('number of steps that were searched'),
      }),
      errors: [404, 422],
    },
    ({ engine }, { query: { search = '', kind, before, at, limit = 200 } }) => {
      const until = at === undefined ? engine.world.ledger.count : momentNamed(engine, at);
      const all = happeningsOf(engine, until);
      const matches = matcher(search, kind);
      const found = all.filter(matches);
      const candidates = before === undefined ? found : earlierThan(engine, all, before).filter(matches);
      const page = candidates.slice(-limit);
      const first = firstEntry(page);
      const effects = first === undefined ? undefined : effectsSince(engine, first);
      const step = (each: Happening): s.Shown<typeof StepSchema> => {
        const entries = each.kind === 'call' ? each.made : each.entries;
        return {
          key: each.key,
          ...(each.kind === 'call' ? { call: callMessage(each.call.trace) } : {}),
          entries: entries.slice(0, MOST_ENTRIES).map((entry) => entryMessage(engine, entry, effects?.get(entry.n))),
          from: packInstant(engine, timeBefore(engine, each)),
          first: entries.at(0)?.n ?? 0,
          last: entries.at(-1)?.n ?? each.n,
          timers: entries.filter(({ command }) => command === 'timer').length,
        };
      };
      return {
        body: { data: page.map(step), earlier: candidates.length - page.length, total: found.length, of: all.length },
      };
    },
  ),
  route(
    'GET /marks',
    {
      id: 'marks',
      tag: 'history',
      about: 'History as a limited number of marks, for a slider',
      query: { limit: optional(count(10, MOST), 'approximate number of marks (default: 320)') },
      response: s.object({ oldest: s.integer, last: s.integer, data: s.list(MarkSchema) }),
    },
    ({ engine }, { query: { limit = 320 } }) => {
      const { ledger } = engine.world;
      const oldest = Math.max(ledger.oldest, engine.firstMoment);
      return { body: { oldest, last: ledger.count, data: marksOf(engine, limit) } };
    },
  ),
];

/** Returns a test whether a row of the timeline is of a kind and contains all words of a text. */
function matcher(search: string, kind: string | undefined): (each: Happening) => boolean {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return (each) => {
    if (kind === 'failed' ? !isFailure(each) : kind !== undefined && each.kind !== kind) return false;
    if (words.length === 0) return true;
    const own = wordsOf(each);
    return words.every((word) => own.includes(word));
  };
}

/** Returns the rows before a call (by its id) or before an entry (by its number), which may be within an advance. */
function earlierThan(engine: Engine, all: readonly Happening[], before: string): readonly Happening[] {
  if (/^\d{1,15}$/.test(before)) return happeningsOf(engine, Number(before) - 1);
  const place = all.findIndex(({ key }) => key === before);
  if (place < 0) throw unknown('trace', before);
  return all.slice(0, place);
}

/** Returns the simulated time before a row of the timeline, in milliseconds. */
function timeBefore({ world }: Engine, happening: Happening): number {
  const first = happening.kind === 'call' ? happening.n : happening.entries[0].n - 1;
  return world.ledger.entry(first)?.at ?? world.t0;
}

/** Returns the number of the first entry on a page that isn't part of a call. */
function firstEntry(page: readonly Happening[]): number | undefined {
  const numbers = page.flatMap((each) => (each.kind === 'call' ? [] : [each.entries[0].n]));
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}
