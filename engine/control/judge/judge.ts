import { ANY, CodeUnit, compileExpression, type Host, Scope } from '../../expression/index.js';
import { ExpressionFailure, type Json, type JsonObject } from '../../values/index.js';
import { publicValue } from '../../model/index.js';
import type { Engine } from '../../runtime/index.js';
import type { StoredEntry } from '../../world/index.js';
import { changedBetween, type ChangeStep, valueDifferences, historiesOf, nameOf } from '../changes.js';
import type { DeliveryReport } from '../context.js';
import { checkOperation, unknownResource } from '../lookup.js';
import { pastOf } from '../ledger-position.js';
import { ControlRejection } from '../rejection.js';
import type { CallsCheck, ChangeCheck, Check, CountWanted, DeliveredCheck } from './checks.js';
import { hasValues } from './predicates.js';

/** What became of a check. */
interface CheckResult {
  readonly kind: string;
  readonly holds: boolean;
  readonly weight: number;
  /** What was found. */
  readonly found: string;
}

interface Judged {
  readonly engine: Engine;
  /** Number of the ledger entry after which everything counts. */
  readonly since: number;
  /** Entries that the calls did not make although they could have: orders to the outside. */
  readonly outside: ReadonlySet<number>;
  /** Values that expressions have by name. */
  readonly names: JsonObject;
  readonly deliveries: readonly DeliveryReport[];
}

/** An object that is not as it was. */
interface JudgedChange {
  readonly collection: string;
  readonly id: string;
  readonly change: 'added' | 'changed' | 'removed';
  readonly value: JsonObject;
  /** Paths of the fields that differ. */
  readonly fields: readonly string[];
  /** Numbers of the entries that touched it. */
  readonly entries: readonly number[];
}

/** Most names in what was found. */
const SHOWN = 5;

/** Judges checks over what happened since a moment. Changes nothing. */
export class Judge {
  readonly #entries: readonly StoredEntry[];
  readonly #changes: readonly JudgedChange[];
  /** Entries that did what a check expects. */
  readonly #expected = new Set<number>();

  constructor(private readonly judged: Judged) {
    const { engine, since } = judged;
    this.#entries = engine.world.ledger.since(since);
    const changed = [...changedBetween(engine, pastOf(engine, since), engine.world)];
    const histories = historiesOf(this.#entries, changed.map(nameOf));
    this.#changes = changed.map((each) => {
      const { def, id, before, after } = each;
      const steps: readonly ChangeStep[] = histories.get(nameOf(each)) ?? [];
      const shown = [before, after].map((value) => value && publicValue(def, value));
      return {
        collection: def.collection,
        id,
        change: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
        get value() {
          return publicValue(def, each.after ?? each.before ?? {});
        },
        fields: before && after ? valueDifferences(shown[0], shown[1]).map(({ path }) => path.join('.')) : [],
        entries: steps.map(({ entry }) => entry.n),
      };
    });
  }

  /** In the order of the checks. What nothing else may change is judged last, when all that is expected is known. */
  results(checks: readonly Check[]): CheckResult[] {
    const results = checks.map((check) => (check.unchanged === undefined ? this.#result(check) : null));
    return checks.map((check, at) => results[at] ?? this.#result(check));
  }

  #result(check: Check): CheckResult {
    const [kind, [holds, found]] = this.#outcome(check);
    return { kind, holds, weight: check.weight ?? 1, found };
  }

  #outcome({ added, changed, removed, final, calls, delivered, unchanged }: Check): [string, [boolean, string]] {
    if (added !== undefined) return ['added', this.#change('added', added)];
    if (changed !== undefined) return ['changed', this.#change('changed', changed)];
    if (removed !== undefined) return ['removed', this.#change('removed', removed)];
    if (calls !== undefined) return ['calls', this.#calls(calls)];
    if (delivered !== undefined) return ['delivered', this.#delivered(delivered)];
    if (unchanged !== undefined) return ['unchanged', this.#unchanged(unchanged)];
    return ['final', this.#final(final ?? 'true')];
  }

  #change(kind: JudgedChange['change'], { collection, where, count, to }: ChangeCheck): [boolean, string] {
    const { engine } = this.judged;
    if (!engine.model.byCollection.has(collection)) throw unknownResource(engine, collection);
    const hits = this.#changes.filter(
      (each) =>
        each.change === kind &&
        each.collection === collection &&
        hasValues(where, each.value) &&
        Object.entries(to).every(
          ([path, wanted]) => isTouched(each, path) && hasValues({ [path]: wanted }, each.value),
        ),
    );
    const wanted = count ?? { min: 1 };
    for (const { entries } of hits) for (const n of entries) this.#expected.add(n);
    const ids = hits.slice(0, SHOWN).map(({ id }) => id);
    return [isWithin(hits.length, wanted), `${hits.length} ${kind}${ids.length === 0 ? '' : `: ${ids.join(', ')}`}`];
  }

  #final(source: string): [boolean, string] {
    const { engine, names } = this.judged;
    const known = Object.entries(names);
    const unit = new CodeUnit('check');
    const scope = new Scope(unit);
    const parameters = known.map(([name]) => scope.declare(name, ANY).js);
    let run;
    try {
      run = unit.expression<[Host, ...Json[]]>(
        ['x', ...parameters],
        compileExpression(source, scope, engine.model.env),
      );
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new ControlRejection(422, 'invalid_value', `'${source}': ${message}`, { path: 'final' });
    }
    try {
      const value = run(engine.runtime.reader, ...known.map(([, value]) => value));
      return [value === true, `it is ${JSON.stringify(value)}`];
    } catch (error) {
      if (error instanceof ExpressionFailure) return [false, error.message];
      throw error;
    }
  }

  /** Operations of the vendor's API that were called, in order. */
  #operations(): string[] {
    const { engine, since } = this.judged;
    const newest = engine.world.traces.newest(Infinity);
    const last = engine.world.ledger.since(since - 1, since).at(0)?.trace;
    const end = newest.findIndex(({ id, entry }) => entry < since || (last != null && id === last));
    return (end < 0 ? newest : newest.slice(0, end)).map(({ operation }) => operation ?? '').reverse();
  }

  #calls({ never, operation, min, max, order, unsupported }: CallsCheck): [boolean, string] {
    const made = this.#operations();
    for (const name of [...(never ?? []), ...(order ?? []), ...(operation === undefined ? [] : [operation])])
      checkOperation(this.judged.engine, name);
    if (never) {
      const bad = [...new Set(made.filter((name) => never.includes(name)))];
      return [bad.length === 0, bad.length === 0 ? 'none of them' : bad.join(', ')];
    }
    if (order) {
      let at = 0;
      for (const name of made) if (name === order[at]) at++;
      return [at === order.length, at === order.length ? 'in this order' : `not called then: ${order[at]}`];
    }
    const ofAll = unsupported === undefined;
    const count = made.filter((name) =>
      ofAll ? operation === undefined || name === operation : name.includes(' '),
    ).length;
    const wanted = ofAll
      ? { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
      : unsupported;
    return [isWithin(count, wanted), `${count} calls`];
  }

  #delivered({ event, min = 1, max }: DeliveredCheck): [boolean, string] {
    const count = this.judged.deliveries.filter(
      ({ type, status }) => type === event && (status === 'delivered' || status === 'recorded'),
    ).length;
    return [isWithin(count, { min, ...(max === undefined ? {} : { max }) }), `${count} delivered`];
  }

  /** Who did what a check expects did whatever else follows from it; no call is to blame for time and the outside. */
  #unchanged(allow: readonly string[]): [boolean, string] {
    const { engine, outside } = this.judged;
    for (const each of allow) if (!engine.model.byCollection.has(each)) throw unknownResource(engine, each);
    const blamed = new Set<number>();
    for (const { n, origin, changes } of this.#entries) {
      const isOwn = origin === 'call' || origin === 'cause' || origin === 'seed' || origin === 'control';
      const isAllowed = changes.some((each) => 'collection' in each && allow.includes(each.collection));
      if (isOwn && !outside.has(n) && !this.#expected.has(n) && !isAllowed) blamed.add(n);
    }
    const odd = this.#changes.filter(
      ({ collection, entries }) => !allow.includes(collection) && entries.some((n) => blamed.has(n)),
    );
    const shown = odd.slice(0, SHOWN).map(({ change, collection, id }) => `${change} ${collection} ${id}`);
    const more = odd.length > SHOWN ? ` and ${odd.length - SHOWN} more` : '';
    return [odd.length === 0, odd.length === 0 ? 'nothing else' : `${shown.join(', ')}${more}`];
  }
}

function isTouched({ fields }: JudgedChange, path: string): boolean {
  return fields.some((field) => field === path || field.startsWith(`${path}.`) || path.startsWith(`${field}.`));
}

function isWithin(count: number, wanted: CountWanted): boolean {
  if (typeof wanted === 'number') return count === wanted;
  return count >= (wanted.min ?? 0) && count <= (wanted.max ?? Infinity);
}
