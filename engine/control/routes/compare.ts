import { equal, type JsonObject } from '../../values/index.js';
import { publicValue, type ResourceDef } from '../../model/index.js';
import type { Engine } from '../../runtime/index.js';
import type { StoredEntry, World } from '../../world/index.js';
import {
  changesAt,
  type ObjectDifference,
  differences,
  historiesOf,
  keyOf,
  type ChangeStep,
  valueAt,
} from '../changes.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { asked, pastOf, WHO, whoDid, WhoSchema } from '../ledger-position.js';
import { OWNER, tenantNamed, textOf } from '../lookup.js';
import { unknown } from '../rejection.js';
import { count, optional, required, text, wrongValue } from '../shape.js';
import { type History, historiesBetween, SideSchema, sideOf, sideView } from '../compare-target.js';

const MOST = 10_000;
/** Links of a chain of causes. */
const LONGEST = 50;

/** An object of whatever tenant; null: of none. */
interface NamedSide {
  readonly def: ResourceDef;
  readonly id: string;
  readonly tenant: string | null;
}

/** An object that two moments tell differently. */
interface Changed extends NamedSide {
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

type Ledger = World['ledger'];

const TransitionSchema = s.object({ from: s.string.orNull(), to: s.string, trigger: s.string.orNull() });

type Transition = s.Shown<typeof TransitionSchema>;

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

const SOURCE = s.string.orNull().about('where a value from outside came from');

const ValueChangeSchema = s.named(
  'ValueChange',
  s.object({ ...WHO, from: s.any, to: s.any, transition: TransitionSchema.orNull(), source: SOURCE }),
);

const CauseLinkSchema = s.named(
  'CauseLink',
  s.object({
    did: s.oneOf('wrote', 'pinned', 'armed the timer', 'moved the clock'),
    ...WHO,
    from: s.any.optional(),
    to: s.any.optional(),
    transition: TransitionSchema.orNull().optional(),
    source: SOURCE.optional(),
  }),
);

/** What differs between two moments, and how a value came about. */
export const COMPARE_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /diff',
    {
      id: 'diff',
      tag: 'history',
      about: 'What differs between two moments, and which entry made it so',
      query: {
        from: required(
          asked,
          'the earlier moment, or <world>@<moment> of any world of the server (nothing behind @: its present)',
        ),
        to: optional(asked, 'the later one, or one of another world; the present unless given'),
        limit: optional(count(1, MOST), 'so many objects; 1,000 unless given'),
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
      const changed = [...changedBetween(engine, a.past, b.past)];
      const shown = changed.slice(0, limit);
      const keys = shown.map(nameOf);
      const made = new Makers(histories.to, keys);
      const other = histories.from && new Makers(histories.from, keys);
      const objects = shown.map((each) => objectView(each, made, other));
      return {
        body: {
          from: sideView(a),
          to: sideView(b),
          objects,
          objects_total: changed.length,
          entries: made.entriesOf(),
          ...(other ? { from_entries: other.entriesOf() } : {}),
        },
      };
    },
  ),
  route(
    'GET /why',
    {
      id: 'why',
      tag: 'history',
      about: 'How the value of a field came about',
      query: {
        object: required(text, 'id of the object'),
        field: required(text, 'path of the field'),
        tenant: optional(
          text,
          'whose it is, where several tenants have an object with this id; `none`: that of no tenant, which is meant unless given',
        ),
      },
      response: s.object({
        collection: s.string,
        object: s.string,
        tenant: OWNER,
        field: s.string,
        value: s.any,
        chain: s.list(CauseLinkSchema).about('the entry that wrote the value, then what led to it'),
        earlier: s.list(ValueChangeSchema).about('earlier changes of the field, newest first'),
      }),
      errors: [404],
    },
    ({ engine }, { query: { object: id, field, tenant: whose } }) => {
      const { world, model } = engine;
      const start = pastOf(engine, Math.max(world.ledger.oldest, engine.firstMoment));
      const entries = world.ledger.since(start.ledger.count);
      const object = objectOf(engine, id, tenantNamed(engine, whose), start, entries);
      const { def, tenant } = object;
      const path = field.split('.');
      if (!def.schema.fields.has(path[0]))
        throw unknown('field', field, model.env.suggest(path[0], def.schema.fields.keys()));
      const before = start.tenants.known(tenant, def.index)?.get(id)?.value;
      const steps = historiesOf(entries, [nameOf(object)]).get(nameOf(object)) ?? [];
      const changes = changesAt(
        before && publicValue(def, before),
        steps.map((step) => ({ ...step, value: step.value && publicValue(def, step.value) })),
        path,
      ).reverse();
      const value = world.tenants.known(tenant, def.index)?.get(id)?.value;
      const [made, ...earlier] = changes;
      return {
        body: {
          collection: def.collection,
          object: id,
          ...(tenant === null ? {} : { tenant }),
          field,
          value: (value && valueAt(publicValue(def, value), path)) ?? null,
          chain: made ? chainOf(engine, def, id, made) : [],
          earlier: earlier.map((each) => changeView(engine, def, id, each)),
        },
      };
    },
  ),
];

function* changedBetween({ model }: Engine, a: World, b: World): Generator<Changed> {
  const tenants = [null, ...new Set([...a.tenants.ids, ...b.tenants.ids])];
  for (const tenant of tenants) {
    for (const def of model.resources) {
      if (tenant !== null && def.shared) continue;
      const [from, to] = [a, b].map((each) => each.tenants.known(tenant, def.index));
      for (const { id, value: before } of from?.ordered().all() ?? []) {
        const after = to?.get(id)?.value;
        if (after === undefined || (after !== before && !equal(before, after)))
          yield { def, id, tenant, before, after };
      }
      for (const { id, value } of to?.ordered().all() ?? [])
        if (from?.get(id) === undefined) yield { def, id, tenant, before: undefined, after: value };
    }
  }
}

/** @param other of the world that `from` is a moment of, when that is another one */
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
  const fields = differences(shown.before, shown.after).map(({ path, from, to }): ObjectDiff['fields'][number] => {
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

/** What led to a value: who wrote it; if a timer did, who advanced the clock and who armed it; who pinned it. */
function chainOf(
  engine: Engine,
  def: ResourceDef,
  id: string,
  made: ChangeStep & ObjectDifference,
): s.Shown<typeof CauseLinkSchema>[] {
  const chain: s.Shown<typeof CauseLinkSchema>[] = [{ did: 'wrote', ...changeView(engine, def, id, made) }];
  const { ledger } = engine.world;
  const pinned = pinOf(ledger, made);
  if (pinned) chain.push({ did: 'pinned', ...whoDid(engine, pinned) });
  for (let entry: StoredEntry | undefined = made.entry; entry?.command === 'timer' && chain.length < LONGEST;) {
    const mover = moverOf(ledger, entry);
    if (mover) chain.push({ did: 'moved the clock', ...whoDid(engine, mover) });
    entry = armedBy(ledger, entry);
    if (entry) chain.push({ did: 'armed the timer', ...whoDid(engine, entry) });
  }
  return chain;
}

function changeView(
  engine: Engine,
  def: ResourceDef,
  id: string,
  step: ChangeStep & ObjectDifference,
): s.Shown<typeof ValueChangeSchema> {
  const source = step.sources.findLast(
    ({ path, value }) => path === step.path.join('.') && equal(value, step.to ?? null),
  );
  return {
    ...whoDid(engine, step.entry),
    from: step.from ?? null,
    to: step.to ?? null,
    transition: transitionOf(engine.world, def, id, step),
    source: source?.source ?? null,
  };
}

function moverOf(ledger: Ledger, timer: StoredEntry): StoredEntry | undefined {
  return ledger.since(0, timer.n).findLast(({ command, args }) => command === 'clock' && args !== null);
}

/** The entry that armed the timer which fired. */
function armedBy(ledger: Ledger, timer: StoredEntry): StoredEntry | undefined {
  const { args } = timer;
  if (!isArgs(args)) return undefined;
  const spent = timer.changes.find(
    (change) => change.op === 'disarm' && change.id === args['object'] && change.trigger === args['trigger'],
  );
  if (spent?.op !== 'disarm') return undefined;
  return ledger
    .since(0, timer.n - 1)
    .findLast(
      ({ changes, command }) =>
        command !== 'rewind' &&
        changes.some((each) => each.op === 'arm' && each.seq === spent.seq && each.id === spent.id),
    );
}

function pinOf(ledger: Ledger, { entry, sources, path, to }: ChangeStep & ObjectDifference): StoredEntry | undefined {
  const field = path.join('.');
  const source = sources.findLast((each) => each.path === field && equal(each.value, to ?? null));
  if (source?.source !== 'pin') return undefined;
  return ledger
    .since(0, entry.n)
    .findLast(({ changes }) =>
      changes.some(
        (each) => each.op === 'set' && each.register === 'pins' && isArgs(each.value) && each.value['path'] === field,
      ),
    );
}

/** @param whose the tenant that is named; undefined: whosever it is, those of none first */
function objectOf(
  { world, model }: Engine,
  id: string,
  whose: string | null | undefined,
  start: World,
  entries: readonly StoredEntry[],
): NamedSide {
  for (const { tenants } of [world, start]) {
    for (const def of model.resources) {
      const row = whose === undefined ? tenants.find(def.index, id) : tenants.known(whose, def.index)?.get(id);
      if (row) return { def, id, tenant: row.tenant };
    }
  }
  for (const { changes } of entries) {
    const put = changes.find(
      (change) => change.op === 'put' && change.id === id && (whose === undefined || (change.tenant ?? null) === whose),
    );
    const def = put?.op === 'put' ? model.byCollection.get(put.collection) : undefined;
    if (def && put?.op === 'put') return { def, id, tenant: put.tenant ?? null };
  }
  throw unknown('object', id);
}

/** Who made objects and values what they are at the end of a history. */
class Makers {
  readonly #steps: Map<string, ChangeStep[]>;
  readonly #entries = new Map<number, StoredEntry>();

  constructor(
    private readonly history: History,
    keys: Iterable<string>,
  ) {
    this.#steps = historiesOf(history.entries, keys);
  }

  /** The entry that made or deleted an object last. */
  existence(object: NamedSide): number | null {
    const steps = this.#of(object);
    const before = this.#before(object);
    const made = steps.findLast(
      ({ value }, at) => (value === undefined) !== ((at === 0 ? before : steps[at - 1].value) === undefined),
    );
    return this.#report(made?.entry);
  }

  /** The entry that changed a value last, and the way of the machine that it was. */
  value(
    object: NamedSide,
    path: readonly string[],
  ): { readonly by: number | null; readonly transition: Transition | null } {
    const made = changesAt(this.#before(object), this.#of(object), path).at(-1);
    const { world } = this.history.engine;
    return {
      by: this.#report(made?.entry),
      transition: made ? transitionOf(world, object.def, object.id, made) : null,
    };
  }

  /** The entry that changed an object last. */
  last(object: NamedSide): number | null {
    return this.#report(this.#of(object).at(-1)?.entry);
  }

  /** Every entry that was named, in order. */
  entriesOf(): s.Shown<typeof WhoSchema>[] {
    const { engine } = this.history;
    return [...this.#entries.values()].sort((x, y) => x.n - y.n).map((entry) => whoDid(engine, entry));
  }

  #of(object: NamedSide): readonly ChangeStep[] {
    return this.#steps.get(nameOf(object)) ?? [];
  }

  #before({ def, id, tenant }: NamedSide): JsonObject | undefined {
    return this.history.base?.tenants.known(tenant, def.index)?.get(id)?.value;
  }

  #report(entry: StoredEntry | undefined): number | null {
    if (entry) this.#entries.set(entry.n, entry);
    return entry?.n ?? null;
  }
}

function nameOf({ def, id, tenant }: NamedSide): string {
  return keyOf(def.collection, id, tenant);
}

/** The way of its machine, where the value is an object's status. */
function transitionOf(
  world: World,
  def: ResourceDef,
  id: string,
  { entry, path, from, to }: ChangeStep & ObjectDifference,
): Transition | null {
  if (path.length !== 1 || path[0] !== def.status || typeof to !== 'string') return null;
  const { args } = entry;
  const seen = entry.trace === null ? undefined : world.traces.get(entry.trace);
  const traced = seen?.transitions.findLast((each) => each.id === id && each.to === to);
  const timer = entry.command === 'timer' && isArgs(args) && args['object'] === id ? args['trigger'] : null;
  return { from: textOf(from), to, trigger: traced?.trigger ?? textOf(timer) };
}

function isArgs(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
