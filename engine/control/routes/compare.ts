import type { JsonObject } from '../../values/index.js';
import { publicValue } from '../../model/index.js';
import type { StoredEntry } from '../../world/index.js';
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
import { type History, historiesBetween, SideSchema, sideOf, sideView } from '../compare-target.js';
import { asked, whoDid, WhoSchema } from '../ledger-position.js';
import { OWNER } from '../lookup.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { count, optional, required, wrongValue } from '../shape.js';
import { type Transition, transitionOf, TransitionSchema } from '../transition.js';

const MOST = 10_000;

const BY = s.integer.orNull().about('the last entry that made it so; null: the ledger does not hold it any more');
const FROM_BY = s.integer
  .orNull()
  .about('of two worlds: the last entry of the other one that made it what it is there')
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
    value: s.any.about('of an object that was created or deleted'),
    fields: s.list(
      s.object({
        field: s.string.about('its path'),
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
      about: 'What differs between two moments, and which entry made it so',
      query: {
        from: required(
          asked,
          'the earlier moment, or <world>@<moment> of any world of the server (nothing behind @: its present)',
        ),
        to: optional(asked, 'the later one, or one of another world (default: the present)'),
        limit: optional(count(1, MOST), 'number of objects (default: 1,000)'),
      },
      response: s.object({
        from: SideSchema,
        to: SideSchema,
        objects: s.list(ObjectDiffSchema),
        objects_total: s.integer,
        entries: s.list(WhoSchema).about('the entries that `by` names'),
        from_entries: s.list(WhoSchema).about('of two worlds: the entries that `from_by` names').optional(),
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
