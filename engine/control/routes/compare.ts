import { equal, type Json, type JsonObject } from '../../expression/index.js';
import { publicValue, type ResourceDef } from '../../model/index.js';
import type { StoredEntry, World } from '../../world/index.js';
import { changesAt, type Difference, differences, historiesOf, keyOf, type Step, valueAt } from '../changes.js';
import { type ControlContext, type ControlRoute, route } from '../context.js';
import { asked, momentNamed, momentView, pastOf, whoDid } from '../moments.js';
import { unknown } from '../refusal.js';
import { count, optional, required, text, wrongValue } from '../shape.js';

const MOST = 10_000;
/** Links of a chain of causes. */
const LONGEST = 50;

/** An object that two moments tell differently. */
interface Changed {
  readonly def: ResourceDef;
  readonly id: string;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** What differs between two moments, and how a value came about. */
export function compareRoutes({ engine }: ControlContext): ControlRoute[] {
  const { world, model } = engine;
  return [
    route(
      'GET /diff',
      { query: { from: required(asked), to: optional(asked), limit: optional(count(1, MOST)) } },
      ({ query: { from, to, limit = 1_000 } }) => {
        const first = momentNamed(engine, from);
        const last = to === undefined ? world.ledger.count : momentNamed(engine, to);
        if (first > last) throw wrongValue('from', `must not be a later moment than 'to' (${first} and ${last})`);
        const [a, b] = [pastOf(engine, first), pastOf(engine, last)];
        const changed = [...changedBetween(a, b)];
        const shown = changed.slice(0, limit);
        const told = new Map<number, StoredEntry>();
        const histories = historiesOf(
          world.ledger.since(first, last),
          shown.map(({ def, id }) => keyOf(def.collection, id)),
        );
        const objects = shown.map((each) =>
          objectView(each, histories.get(keyOf(each.def.collection, each.id)) ?? [], told),
        );
        const entries = [...told.values()].sort((x, y) => x.n - y.n).map((entry) => whoDid(engine, entry));
        return {
          body: {
            from: momentView(engine, a),
            to: momentView(engine, b),
            objects,
            objects_total: changed.length,
            entries,
          },
        };
      },
    ),
    route(
      'GET /why',
      { query: { object: required(text), field: required(text) } },
      ({ query: { object: id, field } }) => {
        const { oldest } = world.ledger;
        const start = pastOf(engine, Math.max(oldest, engine.firstMoment));
        const entries = world.ledger.since(start.ledger.count);
        const def = resourceOf(id, start, entries);
        const path = field.split('.');
        if (!def.schema.fields.has(path[0]))
          throw unknown('field', field, model.env.suggest(path[0], def.schema.fields.keys()));
        const before = start.collections[def.index].get(id)?.value;
        const steps = historiesOf(entries, [keyOf(def.collection, id)]).get(keyOf(def.collection, id)) ?? [];
        const changes = changesAt(
          before && shownOf(def, before),
          steps.map((step) => ({ ...step, value: step.value && shownOf(def, step.value) })),
          path,
        ).reverse();
        const value = world.collections[def.index].get(id)?.value;
        const [made, ...earlier] = changes;
        return {
          body: {
            collection: def.collection,
            object: id,
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
    for (const def of model.resources) {
      const [from, to] = [a.collections[def.index], b.collections[def.index]];
      for (const { id, value: before } of from.ordered().all()) {
        const after = to.get(id)?.value;
        if (after === undefined || (after !== before && !equal(before, after))) yield { def, id, before, after };
      }
      for (const { id, value } of to.ordered().all())
        if (from.get(id) === undefined) yield { def, id, before: undefined, after: value };
    }
  }

  /** @param told every entry that it names is added */
  function objectView(
    { def, id, before, after }: Changed,
    steps: readonly Step[],
    told: Map<number, StoredEntry>,
  ): JsonObject {
    const by = (entry: StoredEntry | undefined): Json => {
      if (entry) told.set(entry.n, entry);
      return entry?.n ?? null;
    };
    const named = { collection: def.collection, id };
    const shown = { before: before && shownOf(def, before), after: after && shownOf(def, after) };
    if (!shown.before || !shown.after) {
      const made = steps.findLast(
        ({ value }, at) => (value === undefined) !== ((at === 0 ? before : steps[at - 1].value) === undefined),
      );
      return {
        ...named,
        change: shown.after ? 'created' : 'deleted',
        by: by(made?.entry),
        value: shown.after ?? shown.before ?? null,
        fields: [],
      };
    }
    const fields = differences(shown.before, shown.after).map(({ path, from, to }) => {
      const made = changesAt(before, steps, path).at(-1);
      return {
        field: path.join('.'),
        from: from ?? null,
        to: to ?? null,
        by: by(made?.entry),
        transition: made ? transitionOf(def, id, made) : null,
      };
    });
    return { ...named, change: 'changed', by: by(steps.at(-1)?.entry), value: null, fields };
  }

  /** What led to a value: who wrote it; if a timer did, who moved the clock and who armed it; who pinned it. */
  function chainOf(def: ResourceDef, id: string, made: Step & Difference): JsonObject[] {
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

  function changeView(def: ResourceDef, id: string, step: Step & Difference): JsonObject {
    const source = step.sources.findLast(
      ({ path, value }) => path === step.path.join('.') && equal(value, step.to ?? null),
    );
    return {
      ...whoDid(engine, step.entry),
      from: step.from ?? null,
      to: step.to ?? null,
      transition: transitionOf(def, id, step),
      source: source?.source ?? null,
    };
  }

  /** The way of its machine, where the value is an object's status. */
  function transitionOf(def: ResourceDef, id: string, { entry, path, from, to }: Step & Difference): JsonObject | null {
    if (path.length !== 1 || path[0] !== def.status || typeof to !== 'string') return null;
    const { args } = entry;
    const seen = entry.trace === null ? undefined : world.traces.get(entry.trace);
    const traced = seen?.transitions.findLast((each) => each.id === id && each.to === to);
    const timer = entry.command === 'timer' && isArgs(args) && args['object'] === id ? args['trigger'] : null;
    return { from: from ?? null, to, trigger: traced?.trigger ?? timer ?? null };
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

  function pinOf({ entry, sources, path, to }: Step & Difference): StoredEntry | undefined {
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

  function resourceOf(id: string, start: World, entries: readonly StoredEntry[]): ResourceDef {
    const there = model.resources.find(
      ({ index }) => world.collections[index].get(id) ?? start.collections[index].get(id),
    );
    if (there) return there;
    for (const { changes } of entries) {
      const put = changes.find((change) => change.op === 'put' && change.id === id);
      const def = put?.op === 'put' ? model.byCollection.get(put.collection) : undefined;
      if (def) return def;
    }
    throw unknown('object', id);
  }
}

function shownOf(def: ResourceDef, value: JsonObject): JsonObject {
  const shown = publicValue(def, value);
  return isArgs(shown) ? shown : {};
}

function isArgs(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
