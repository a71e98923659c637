import * as s from '../schema.js';
import type { JsonObject } from '../../values/index.js';
import { publicValue } from '../../model/index.js';
import type { StoredEntry, World } from '../../world/index.js';
import {
  type Changed,
  changedBetween,
  changesAt,
  type ChangeStep,
  valueDifferences,
  historiesOf,
  type NamedObject,
  nameOf,
} from '../changes.js';
import { asked, whoDid, WhoSchema, type RequestedMoment, momentNamed, momentView, pastOf } from '../ledger-position.js';
import { OWNER } from '../lookup.js';
import { type ControlRoute, route } from '../route.js';
import { count, optional, required, wrongValue, InstantSchema } from '../shape.js';
import { type Transition, transitionOf, TransitionSchema } from '../transition.js';
import type { Engine } from '../../runtime/index.js';
import type { ControlContext } from '../context.js';
import { ControlRejection, unknownWorld } from '../rejection.js';
import type { FoundWorld } from '../worlds.js';

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
interface History {
  readonly engine: Engine;
  /** The world before the first entry; undefined: empty. */
  readonly base: World | undefined;
  readonly entries: readonly StoredEntry[];
}

/** A world's id or name, and a moment of it; the present if the moment is empty. */
const OF_WORLD = /^([A-Za-z0-9][\w.-]{0,62})@(.*)$/s;

/** Finds a requested moment: of this world, or `<world>@<moment>` for any world of the server. @throws ControlRejection */
async function sideOf({ engine, worlds }: ControlContext, at: RequestedMoment): Promise<CompareSide> {
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
const SideSchema = s.object({
  world: s.string.about('id of the world, if the request named one').optional(),
  entry: s.integer,
  now: InstantSchema,
});

function sideView({ engine, found, past }: CompareSide): s.Shown<typeof SideSchema> {
  return { ...(found ? { world: found.id } : {}), ...momentView(engine, past) };
}

/**
 * Entries that may have made the sides differ. For one world, those between the two moments; for two worlds, those since their
 * last common entry, or all known ones if they have none.
 */
async function historiesBetween(
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

const MOST = 10_000;

const BY = s.integer
  .orNull()
  .about('number of the last ledger entry that caused the difference; null if the ledger no longer holds it');
const FROM_BY = s.integer
  .orNull()
  .about('when comparing two worlds: number of the last ledger entry of the `from` world that set its value')
  .optional();

const ObjectDiffSchema = s.named(
  'ObjectDiff',
  s.object({
    collection: s.string,
    id: s.string,
    tenant: OWNER,
    change: s.oneOf('created', 'changed', 'deleted'),
    by: BY,
    from_by: FROM_BY,
    value: s.any.about('the object, if it was created or deleted'),
    fields: s.list(
      s.object({
        field: s.string.about('path of the field'),
        from: s.any,
        to: s.any,
        by: BY,
        from_by: FROM_BY,
        from_transition: TransitionSchema.orNull().optional(),
        transition: TransitionSchema.orNull(),
      }),
    ),
  }),
);

type ObjectDiff = s.Shown<typeof ObjectDiffSchema>;

/** The route that compares two moments. */
export const COMPARE_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /diff',
    {
      id: 'diff',
      heavy: true,
      tag: 'history',
      about: 'Differences between two moments, and the ledger entries that caused them',
      query: {
        from: required(
          asked,
          'the earlier moment; <world>@<moment> selects another world of the server, <world>@ its present',
        ),
        to: optional(asked, 'the later moment, also of another world (default: now)'),
        limit: optional(count(1, MOST), 'maximum number of objects (default: 1,000)'),
      },
      response: s.object({
        from: SideSchema,
        to: SideSchema,
        objects: s.list(ObjectDiffSchema),
        objects_total: s.integer,
        entries: s.list(WhoSchema).about('the ledger entries that `by` refers to'),
        from_entries: s
          .list(WhoSchema)
          .about('when comparing two worlds: the ledger entries that `from_by` refers to')
          .optional(),
      }),
      errors: [403, 404, 409, 422],
    },
    async (context, { query: { from, to, limit = 1_000 } }) => {
      const { engine } = context;
      const a = await sideOf(context, from);
      const b = to === undefined ? await sideOf(context, engine.world.ledger.count) : await sideOf(context, to);
      if (a.engine === b.engine && a.n > b.n)
        throw wrongValue('from', `must not be a later moment than 'to' (${a.n} and ${b.n})`);
      const histories = await historiesBetween(context, a, b);
      const shown: Changed[] = [];
      let total = 0;
      for (const each of changedBetween(engine, a.past, b.past)) if (++total <= limit) shown.push(each);
      const keys = shown.map(nameOf);
      const made = new Makers(histories.to, keys);
      const other = histories.from && new Makers(histories.from, keys);
      const sides = { from: sideView(a), to: sideView(b) };
      return { chunks: textOf(sides, shown, total, made, other) };
    },
  ),
];

/** Writes the response object by object. The entries come last, since writing the objects collects them. */
function* textOf(
  sides: object,
  shown: readonly Changed[],
  total: number,
  made: Makers,
  other: Makers | null,
): Generator<string> {
  yield `${JSON.stringify(sides).slice(0, -1)},"objects":[`;
  for (const [at, each] of shown.entries()) yield (at > 0 ? ',' : '') + JSON.stringify(objectView(each, made, other));
  const entries = { entries: made.entriesOf(), ...(other ? { from_entries: other.entriesOf() } : {}) };
  yield `],"objects_total":${total},${JSON.stringify(entries).slice(1)}`;
}

/** A changed object with its causes. @param other the other world, if `from` is a moment of another one */
function objectView(changed: Changed, made: Makers, other: Makers | null): ObjectDiff {
  const { def, id, tenant, before, after } = changed;
  const named = { collection: def.collection, id, ...(tenant === null ? {} : { tenant }) };
  const shown = { before: before && publicValue(def, before), after: after && publicValue(def, after) };
  if (!shown.before || !shown.after) {
    const by = made.existence(changed);
    return {
      ...named,
      change: shown.after ? 'created' : 'deleted',
      by,
      ...(other ? { from_by: other.existence(changed) } : {}),
      value: shown.after ?? shown.before ?? null,
      fields: [],
    };
  }
  const fields = valueDifferences(shown.before, shown.after).map(({ path, from, to }): ObjectDiff['fields'][number] => {
    const there = other?.value(changed, path);
    const theirs = there ? { from_by: there.by, from_transition: there.transition } : {};
    return {
      field: path.join('.'),
      from: from ?? null,
      to: to ?? null,
      ...made.value(changed, path),
      ...theirs,
    };
  });
  const theirs = other ? { from_by: other.last(changed) } : {};
  return { ...named, change: 'changed', by: made.last(changed), ...theirs, value: null, fields };
}

/** Finds the entries that caused the state of objects and values at the end of a history. */
class Makers {
  readonly #steps: Map<string, ChangeStep[]>;
  readonly #entries = new Map<number, StoredEntry>();

  constructor(
    private readonly history: History,
    keys: Iterable<string>,
  ) {
    this.#steps = historiesOf(history.entries, keys);
  }

  /** The last entry that made or deleted an object. */
  existence(object: NamedObject): number | null {
    const steps = this.#of(object);
    const before = this.#before(object);
    const made = steps.findLast(
      ({ value }, at) => (value === undefined) !== ((at === 0 ? before : steps[at - 1].value) === undefined),
    );
    return this.#report(made?.entry);
  }

  /** The last entry that changed a value, and the machine's transition if there was one. */
  value(
    object: NamedObject,
    path: readonly string[],
  ): { readonly by: number | null; readonly transition: Transition | null } {
    const made = changesAt(this.#before(object), this.#of(object), path).at(-1);
    const { world } = this.history.engine;
    return {
      by: this.#report(made?.entry),
      transition: made ? transitionOf(world, object.def, object.id, made) : null,
    };
  }

  /** The last entry that changed an object. */
  last(object: NamedObject): number | null {
    return this.#report(this.#of(object).at(-1)?.entry);
  }

  /** Returns all entries that the other methods have returned so far, in order. */
  entriesOf(): s.Shown<typeof WhoSchema>[] {
    const { engine } = this.history;
    return [...this.#entries.values()].sort((x, y) => x.n - y.n).map((entry) => whoDid(engine, entry));
  }

  #of(object: NamedObject): readonly ChangeStep[] {
    return this.#steps.get(nameOf(object)) ?? [];
  }

  #before({ def, id, tenant }: NamedObject): JsonObject | undefined {
    return this.history.base?.tenants.known(tenant, def.index)?.get(id)?.value;
  }

  #report(entry: StoredEntry | undefined): number | null {
    if (entry) this.#entries.set(entry.n, entry);
    return entry?.n ?? null;
  }
}
