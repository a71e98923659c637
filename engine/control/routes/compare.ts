import { equal, type Json, type JsonObject } from '../../values/index.js';
import { publicValue, type ResourceDef } from '../../model/index.js';
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
import { type ControlContext, type ControlRoute, route } from '../context.js';
import { asked, pastOf, whoDid } from '../ledger-position.js';
import { tenantNamed } from '../lookup.js';
import { unknown } from '../rejection.js';
import { count, optional, required, text, wrongValue } from '../shape.js';
import { type History, historiesBetween, sideOf, sideView } from '../compare-target.js';

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

/** What differs between two moments, and how a value came about. */
export function compareRoutes(context: ControlContext): ControlRoute[] {
  const { engine } = context;
  const { world, model } = engine;
  return [
    route(
      'GET /diff',
      { query: { from: required(asked), to: optional(asked), limit: optional(count(1, MOST)) } },
      async ({ query: { from, to, limit = 1_000 } }) => {
        const a = await sideOf(context, from);
        const b = to === undefined ? await sideOf(context, world.ledger.count) : await sideOf(context, to);
        if (a.engine === b.engine && a.n > b.n)
          throw wrongValue('from', `must not be a later moment than 'to' (${a.n} and ${b.n})`);
        const histories = await historiesBetween(context, a, b);
        const changed = [...changedBetween(a.past, b.past)];
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
            entries: made.told(),
            ...(other ? { from_entries: other.told() } : {}),
          },
        };
      },
    ),
    route(
      'GET /why',
      { query: { object: required(text), field: required(text), tenant: optional(text) } },
      ({ query: { object: id, field, tenant: whose } }) => {
        const { oldest } = world.ledger;
        const start = pastOf(engine, Math.max(oldest, engine.firstMoment));
        const entries = world.ledger.since(start.ledger.count);
        const object = objectOf(id, tenantNamed(engine, whose), start, entries);
        const { def, tenant } = object;
        const path = field.split('.');
        if (!def.schema.fields.has(path[0]))
          throw unknown('field', field, model.env.suggest(path[0], def.schema.fields.keys()));
        const before = start.tenants.known(tenant, def.index)?.get(id)?.value;
        const steps = historiesOf(entries, [nameOf(object)]).get(nameOf(object)) ?? [];
        const changes = changesAt(
          before && shownOf(def, before),
          steps.map((step) => ({ ...step, value: step.value && shownOf(def, step.value) })),
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
            value: (value && valueAt(shownOf(def, value), path)) ?? null,
            chain: made ? chainOf(def, id, made) : [],
            earlier: earlier.map((each) => changeView(def, id, each)),
          },
        };
      },
    ),
  ];

  function* changedBetween(a: World, b: World): Generator<Changed> {
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
  function objectView(changed: Changed, made: Makers, other: Makers | null): JsonObject {
    const { def, id, tenant, before, after } = changed;
    const named = { collection: def.collection, id, ...(tenant === null ? {} : { tenant }) };
    const shown = { before: before && shownOf(def, before), after: after && shownOf(def, after) };
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
    const fields = differences(shown.before, shown.after).map(({ path, from, to }): JsonObject => {
      const there = other?.value(changed, path);
      const theirs: JsonObject = there ? { from_by: there.by, from_transition: there.transition } : {};
      return {
        field: path.join('.'),
        from: from ?? null,
        to: to ?? null,
        ...made.value(changed, path),
        ...theirs,
      };
    });
    const theirs: JsonObject = other ? { from_by: other.last(changed) } : {};
    return { ...named, change: 'changed', by: made.last(changed), ...theirs, value: null, fields };
  }

  /** What led to a value: who wrote it; if a timer did, who advanced the clock and who armed it; who pinned it. */
  function chainOf(def: ResourceDef, id: string, made: ChangeStep & ObjectDifference): JsonObject[] {
    const chain: JsonObject[] = [{ did: 'wrote', ...changeView(def, id, made) }];
    const pinned = pinOf(made);
    if (pinned) chain.push({ did: 'pinned', ...whoDid(engine, pinned) });
    for (let entry: StoredEntry | undefined = made.entry; entry?.command === 'timer' && chain.length < LONGEST;) {
      const mover = moverOf(entry);
      if (mover) chain.push({ did: 'moved the clock', ...whoDid(engine, mover) });
      entry = armedBy(entry);
      if (entry) chain.push({ did: 'armed the timer', ...whoDid(engine, entry) });
    }
    return chain;
  }

  function changeView(def: ResourceDef, id: string, step: ChangeStep & ObjectDifference): JsonObject {
    const source = step.sources.findLast(
      ({ path, value }) => path === step.path.join('.') && equal(value, step.to ?? null),
    );
    return {
      ...whoDid(engine, step.entry),
      from: step.from ?? null,
      to: step.to ?? null,
      transition: transitionOf(world, def, id, step),
      source: source?.source ?? null,
    };
  }

  function moverOf(timer: StoredEntry): StoredEntry | undefined {
    return world.ledger.since(0, timer.n).findLast(({ command, args }) => command === 'clock' && args !== null);
  }

  /** The entry that armed the timer which fired. */
  function armedBy(timer: StoredEntry): StoredEntry | undefined {
    const { args } = timer;
    if (!isArgs(args)) return undefined;
    const spent = timer.changes.find(
      (change) => change.op === 'disarm' && change.id === args['object'] && change.trigger === args['trigger'],
    );
    if (spent?.op !== 'disarm') return undefined;
    return world.ledger
      .since(0, timer.n - 1)
      .findLast(
        ({ changes, command }) =>
          command !== 'rewind' &&
          changes.some((each) => each.op === 'arm' && each.seq === spent.seq && each.id === spent.id),
      );
  }

  function pinOf({ entry, sources, path, to }: ChangeStep & ObjectDifference): StoredEntry | undefined {
    const field = path.join('.');
    const source = sources.findLast((each) => each.path === field && equal(each.value, to ?? null));
    if (source?.source !== 'pin') return undefined;
    return world.ledger
      .since(0, entry.n)
      .findLast(({ changes }) =>
        changes.some(
          (each) => each.op === 'set' && each.register === 'pins' && isArgs(each.value) && each.value['path'] === field,
        ),
      );
  }

  /** @param whose the tenant that is named; undefined: whosever it is, those of none first */
  function objectOf(
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
        (change) =>
          change.op === 'put' && change.id === id && (whose === undefined || (change.tenant ?? null) === whose),
      );
      const def = put?.op === 'put' ? model.byCollection.get(put.collection) : undefined;
      if (def && put?.op === 'put') return { def, id, tenant: put.tenant ?? null };
    }
    throw unknown('object', id);
  }
}

/** Who made objects and values what they are at the end of a history. */
class Makers {
  readonly #steps: Map<string, ChangeStep[]>;
  readonly #told = new Map<number, StoredEntry>();

  constructor(
    private readonly history: History,
    keys: Iterable<string>,
  ) {
    this.#steps = historiesOf(history.entries, keys);
  }

  /** The entry that made or deleted an object last. */
  existence(object: NamedSide): Json {
    const steps = this.#of(object);
    const before = this.#before(object);
    const made = steps.findLast(
      ({ value }, at) => (value === undefined) !== ((at === 0 ? before : steps[at - 1].value) === undefined),
    );
    return this.#tell(made?.entry);
  }

  /** The entry that changed a value last, and the way of the machine that it was. */
  value(object: NamedSide, path: readonly string[]): { readonly by: Json; readonly transition: Json } {
    const made = changesAt(this.#before(object), this.#of(object), path).at(-1);
    const { world } = this.history.engine;
    return { by: this.#tell(made?.entry), transition: made ? transitionOf(world, object.def, object.id, made) : null };
  }

  /** The entry that changed an object last. */
  last(object: NamedSide): Json {
    return this.#tell(this.#of(object).at(-1)?.entry);
  }

  /** Every entry that was named, in order. */
  told(): JsonObject[] {
    const { engine } = this.history;
    return [...this.#told.values()].sort((x, y) => x.n - y.n).map((entry) => whoDid(engine, entry));
  }

  #of(object: NamedSide): readonly ChangeStep[] {
    return this.#steps.get(nameOf(object)) ?? [];
  }

  #before({ def, id, tenant }: NamedSide): JsonObject | undefined {
    return this.history.base?.tenants.known(tenant, def.index)?.get(id)?.value;
  }

  #tell(entry: StoredEntry | undefined): Json {
    if (entry) this.#told.set(entry.n, entry);
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
): JsonObject | null {
  if (path.length !== 1 || path[0] !== def.status || typeof to !== 'string') return null;
  const { args } = entry;
  const seen = entry.trace === null ? undefined : world.traces.get(entry.trace);
  const traced = seen?.transitions.findLast((each) => each.id === id && each.to === to);
  const timer = entry.command === 'timer' && isArgs(args) && args['object'] === id ? args['trigger'] : null;
  return { from: from ?? null, to, trigger: traced?.trigger ?? timer ?? null };
}

function shownOf(def: ResourceDef, value: JsonObject): JsonObject {
  const shown = publicValue(def, value);
  return isArgs(shown) ? shown : {};
}

function isArgs(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
