import { ANY, CodeUnit, compileExpression, type Host, Scope } from '../../expression/index.js';
import { ExpressionFailure, type Json, type JsonObject } from '../../values/index.js';
import { publicValue } from '../../model/index.js';
import type { Engine } from '../../runtime/index.js';
import type { StoredEntry, Trace } from '../../world/index.js';
import { changedBetween, type ChangeStep, valueDifferences, historiesOf, nameOf } from '../changes.js';
import type { DeliveryReport } from '../deliveries.js';
import { checkOperation, unknownResource } from '../lookup.js';
import { pastOf } from '../ledger-position.js';
import { ControlRejection } from '../rejection.js';
import type { CallsCheck, ChangeCheck, Check, CountWanted, DeliveredCheck } from './checks.js';
import { hasValues } from './predicates.js';

/** The result of a check. */
interface CheckResult {
  readonly kind: string;
  readonly holds: boolean;
  readonly weight: number;
  /** The actual result, or the evidence. */
  readonly found: string;
}

/** One of the packs whose world is judged. */
export interface JudgedMember {
  /** Prefix of the pack's names, before a slash; null if it is the only pack. */
  readonly name: string | null;
  readonly engine: Engine;
  readonly deliveries: readonly DeliveryReport[];
}

interface Judged {
  /** The packs whose changes are judged: one, or all of a company. */
  readonly members: readonly JudgedMember[];
  /** Number of the ledger entry after which changes and calls are judged. */
  readonly since: number;
  /** Numbers of entries that the control API made although vendor API calls could have. */
  readonly outside: ReadonlySet<number>;
  /** Values that expressions can use by name. */
  readonly names: JsonObject;
}

/** An object that changed. */
interface JudgedChange {
  readonly collection: string;
  readonly id: string;
  readonly change: 'added' | 'changed' | 'removed';
  readonly value: JsonObject;
  /** The object's value before it changed; of an added one its present value. */
  readonly before: JsonObject;
  /** Paths of the changed fields. */
  readonly fields: readonly string[];
  /** Numbers of the entries that changed the object. */
  readonly entries: readonly number[];
}

/** Maximum number of names in one result. */
const SHOWN = 5;

/** Evaluates checks of changes, calls and deliveries since a moment. Changes nothing in the world. */
export class Judge {
  /** The judged entries, each with the collections that it changed. */
  readonly #entries: readonly { readonly entry: StoredEntry; readonly collections: readonly string[] }[];
  readonly #changes: readonly JudgedChange[];
  /** Numbers of entries whose effects a check expects. */
  readonly #expected = new Set<number>();

  constructor(private readonly judged: Judged) {
    const { members, since } = judged;
    // Packs of a company share one ledger, so each one selects its own changes.
    const entries = members.map(({ engine }) => engine.world.entriesFrom(since));
    this.#entries = members.flatMap((member, at) =>
      entries[at].map((entry) => ({
        entry,
        collections: entry.changes.flatMap((each) => ('collection' in each ? prefixed(member, each.collection) : [])),
      })),
    );
    this.#changes = members.flatMap((member, at) => changesOf(member, since, entries[at]));
  }

  /** The results of the checks, in their order. `unchanged` is evaluated last, once all expected changes are known. */
  results(checks: readonly Check[]): CheckResult[] {
    const results = checks.map((check) => (check.unchanged === undefined ? this.#result(check) : null));
    return checks.map((check, at) => results[at] ?? this.#result(check));
  }

  #result(check: Check): CheckResult {
    const [kind, [holds, found]] = this.#outcome(check);
    return { kind, holds, weight: check.weight ?? 1, found };
  }

  #outcome({
    added,
    changed,
    removed,
    final,
    vendor,
    calls,
    delivered,
    unchanged,
  }: Check): [string, [boolean, string]] {
    if (added !== undefined) return ['added', this.#change('added', added)];
    if (changed !== undefined) return ['changed', this.#change('changed', changed)];
    if (removed !== undefined) return ['removed', this.#change('removed', removed)];
    if (calls !== undefined) return ['calls', this.#calls(calls)];
    if (delivered !== undefined) return ['delivered', this.#delivered(delivered)];
    if (unchanged !== undefined) return ['unchanged', this.#unchanged(unchanged)];
    return ['final', this.#final(final ?? 'true', vendor ?? null)];
  }

  #change(kind: JudgedChange['change'], { collection, where, count, to, from, same }: ChangeCheck): [boolean, string] {
    this.#requireCollection(collection);
    const hits = this.#changes.filter(
      (each) =>
        each.change === kind &&
        each.collection === collection &&
        hasValues(where, each.value) &&
        Object.entries(to).every(
          ([path, wanted]) => isTouched(each, path) && hasValues({ [path]: wanted }, each.value),
        ) &&
        Object.entries(from).every(([path, was]) => isTouched(each, path) && hasValues({ [path]: was }, each.before)) &&
        !same.some((path) => isTouched(each, path)),
    );
    const wanted = count ?? { min: 1 };
    for (const { entries } of hits) for (const n of entries) this.#expected.add(n);
    const ids = hits.slice(0, SHOWN).map(({ id }) => id);
    return [isWithin(hits.length, wanted), `${hits.length} ${kind}${ids.length === 0 ? '' : `: ${ids.join(', ')}`}`];
  }

  /** The pack that a name's prefix means, and the rest of the name. @throws ControlRejection */
  #meant(text: string): readonly [member: JudgedMember, rest: string] {
    const { members } = this.judged;
    if (members[0].name === null) return [members[0], text];
    const [, name, rest] = /^([^/]*)\/(.*)$/s.exec(text) ?? [text, '', text];
    return [this.#vendor(name, text), rest];
  }

  #vendor(name: string | null, of: string): JudgedMember {
    const found = this.judged.members.find((each) => each.name === name);
    if (found) return found;
    const names = this.judged.members.flatMap((each) => each.name ?? []);
    const hint =
      names.length === 0 ? 'there is one pack, which has no name here' : `begin with ${names.join('/ or ')}/`;
    throw new ControlRejection(404, 'unknown_pack', `'${of}' names no pack: ${hint}`);
  }

  #requireCollection(text: string): void {
    const [{ engine }, collection] = this.#meant(text);
    if (!engine.model.byCollection.has(collection)) throw unknownResource(engine, collection);
  }

  #final(source: string, vendor: string | null): [boolean, string] {
    const { names } = this.judged;
    const { engine } = this.#vendor(vendor, vendor ?? source);
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

  /** Names of the called operations, in the order of the calls. */
  #operations(): string[] {
    const { members, since } = this.judged;
    const made = members.flatMap((member) =>
      tracesSince(member.engine, since).map(({ operation, entry, id }) => ({
        operation: prefixed(member, operation ?? ''),
        entry,
        // Sorts calls that only read after the call that wrote the latest entry.
        reads: member.engine.world.ledger.entry(entry)?.trace === id ? 0 : 1,
      })),
    );
    if (members.length > 1) made.sort((a, b) => a.entry - b.entry || a.reads - b.reads);
    return made.map(({ operation }) => operation);
  }

  #calls({ never, operation, min, max, order, unsupported }: CallsCheck): [boolean, string] {
    const made = this.#operations();
    for (const name of [...(never ?? []), ...(order ?? []), ...(operation === undefined ? [] : [operation])]) {
      const [{ engine }, rest] = this.#meant(name);
      checkOperation(engine, rest);
    }
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
    const [{ deliveries }, name] = this.#meant(event);
    const count = deliveries.filter(
      ({ type, status }) => type === name && (status === 'delivered' || status === 'recorded'),
    ).length;
    return [isWithin(count, { min, ...(max === undefined ? {} : { max }) }), `${count} delivered`];
  }

  /** Evaluates `unchanged`: only entries with an expected effect, of the clock, or from outside may change anything. */
  #unchanged(allow: readonly string[]): [boolean, string] {
    const { outside } = this.judged;
    for (const each of allow) this.#requireCollection(each);
    const allowed = new Set(outside);
    for (const { entry, collections } of this.#entries)
      if (collections.some((each) => allow.includes(each))) allowed.add(entry.n);
    const blamed = new Set<number>();
    for (const { n, origin } of this.#entries.map(({ entry }) => entry)) {
      const isOwn = origin === 'call' || origin === 'cause' || origin === 'seed' || origin === 'control';
      if (isOwn && !allowed.has(n) && !this.#expected.has(n)) blamed.add(n);
    }
    const odd = this.#changes.filter(
      ({ collection, entries }) => !allow.includes(collection) && entries.some((n) => blamed.has(n)),
    );
    const shown = odd.slice(0, SHOWN).map(({ change, collection, id }) => `${change} ${collection} ${id}`);
    const more = odd.length > SHOWN ? ` and ${odd.length - SHOWN} more` : '';
    return [odd.length === 0, odd.length === 0 ? 'nothing else' : `${shown.join(', ')}${more}`];
  }
}

/** A name with the pack's prefix, if there are several packs. */
function prefixed({ name }: JudgedMember, of: string): string {
  return name === null ? of : `${name}/${of}`;
}

/** The changed objects of one pack. */
function changesOf(member: JudgedMember, since: number, entries: readonly StoredEntry[]): JudgedChange[] {
  const { engine } = member;
  const changed = [...changedBetween(engine, pastOf(engine, since), engine.world)];
  const histories = historiesOf(entries, changed.map(nameOf));
  return changed.map((each) => {
    const { def, id, before, after } = each;
    const steps: readonly ChangeStep[] = histories.get(nameOf(each)) ?? [];
    const shown = [before, after].map((value) => value && publicValue(def, value));
    return {
      collection: prefixed(member, def.collection),
      id,
      change: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
      get value() {
        return publicValue(def, each.after ?? each.before ?? {});
      },
      get before() {
        return publicValue(def, each.before ?? each.after ?? {});
      },
      fields: before && after ? valueDifferences(shown[0], shown[1]).map(({ path }) => path.join('.')) : [],
      entries: steps.map(({ entry }) => entry.n),
    };
  });
}

/** The calls of a pack's API since a moment, in the order in which they were made. */
function tracesSince(engine: Engine, since: number): Trace[] {
  const calls = engine.world.traces.calls();
  const last = engine.world.ledger.entry(since)?.trace;
  const before = calls.findLastIndex(({ id, entry }) => entry < since || (last != null && id === last));
  return calls.slice(before + 1).map(({ trace }) => trace);
}

function isTouched({ fields }: JudgedChange, path: string): boolean {
  return fields.some((field) => field === path || field.startsWith(`${path}.`) || path.startsWith(`${field}.`));
}

function isWithin(count: number, wanted: CountWanted): boolean {
  if (typeof wanted === 'number') return count === wanted;
  return count >= (wanted.min ?? 0) && count <= (wanted.max ?? Infinity);
}
