import type { ReplayedResponse, Replayed, Sandbox } from '../../engine/index.js';
import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import type { VersionShape } from '../../engine/program/index.js';
import { type BugFile, readBug } from '../command/bug-file.js';
import { counted, Exit, Failure, type Output } from '../command/output.js';
import { responseDifferences, pairs, type Rules } from '../recordings/compare.js';
import { ID } from '../recordings/ids.js';

/** A difference between two versions; `absent` if one has no value. */
interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Calls, events or objects with the same differences. */
interface Group {
  /** Name of the operation, event type or resource, such as `subscriptions.create`, `invoice.paid` or `customer`. */
  readonly what: string;
  /** For calls, numbers in the file, from 1; for events and objects, ids. */
  readonly which: readonly (number | string)[];
  readonly changes: readonly Change[];
}

/** An event or object of one run, as each of the two versions shows it. */
interface ShownVersion {
  readonly what: string;
  readonly id: string;
  readonly before: Json;
  readonly after: Json;
}

/** The results of a run in one version. */
interface Run {
  readonly calls: readonly ReplayedResponse[];
  readonly events: readonly ShownVersion[];
  readonly objects: readonly ShownVersion[];
}

/** The parsed options of `sandbox compare --version`. */
export interface CompareVersionsOptions {
  readonly pack?: string;
  readonly json?: boolean;
  /** Whether only fields are listed that the second version lacks. */
  readonly gone?: boolean;
  /** The only fields that are listed, by name or path. */
  readonly fields?: readonly string[];
}

type Versions = readonly [string, string];
type VersionedEngine = Sandbox['engine'];

/**
 * Repeats a file in two versions of the vendor's API and prints the differences for an application: in calls, events, and final objects. Returns the
 * exit code: 0 if there are none.
 * @throws Failure if the file is invalid, its pack is another one, or has no such version
 */
export async function compareVersions(
  file: string,
  given: readonly string[],
  { pack, json, ...wanted }: CompareVersionsOptions,
  output: Output,
): Promise<number> {
  const [before, after, ...more] = given;
  if (after === undefined || more.length > 0)
    throw new Failure(Exit.cannotRun, 'two_versions', 'give two versions: --version X --version Y');
  const bug = await readBug(file, pack);
  const versions: Versions = [before, after];
  const [one, other] = [await runIn(bug, before, versions), await runIn(bug, after, versions)];
  const rules = rulesOf(one, other);
  const only = (groups: readonly Group[]): Group[] => withChanges(groups, wanted);
  const calls = only(callGroups(one, other, rules));
  const differing = one.calls.every(({ status }, at) => other.calls.at(at)?.status === status)
    ? countsOf(one, other)
    : [];
  const events = only([...differing, ...shownGroups(one.events, rules, versions)]);
  const objects = only(shownGroups(one.objects, rules, versions));
  if (json) output.print(JSON.stringify({ versions, steps: one.calls.length, calls, events, objects }));
  else {
    output.print(`${counted(one.calls.length, 'call')} in ${before} and in ${after}`);
    show('responses', calls, ({ which }) => `${which.length === 1 ? 'call' : 'calls'} ${which.join(', ')}`, output);
    show(
      'events',
      events,
      ({ which }) => (which.length === 0 ? 'how many' : `${which.length}x, such as ${which[0]}`),
      output,
    );
    show('objects at the end', objects, ({ which }) => `${which.length}x, such as ${which[0]}`, output);
  }
  return calls.length + events.length + objects.length > 0 ? Exit.wrongInput : Exit.done;
}

/** Replays the file with every call in one version. */
async function runIn({ bug, pack }: BugFile, version: string, versions: Versions): Promise<Run> {
  const { LedgerMismatch, PackCache, replayBug, SecretsSealed } = await import('../../engine/index.js');
  const calls: ReplayedResponse[] = [];
  let replayed: Replayed;
  try {
    replayed = await replayBug(bug, {
      pack,
      version,
      events: versions,
      cache: PackCache.ofInstallation(),
      onResponse: (call) => call.step.kind === 'call' && calls.push(call),
      onDefect: (error, what) => {
        throw new Error(`defect in ${what}`, { cause: error });
      },
    });
  } catch (error) {
    if (error instanceof LedgerMismatch) throw new Failure(Exit.wrongInput, 'other_pack', error.message);
    if (error instanceof SecretsSealed) throw new Failure(Exit.wrongInput, 'secrets_sealed', error.message);
    throw error;
  }
  try {
    return { calls, ...leftIn(replayed.sandbox.engine, versions) };
  } finally {
    await replayed.sandbox.close();
  }
}

/**
 * Returns the events and objects of a run in both versions. A call that one version rejects would change what follows, so both are from the same run.
 */
function leftIn(engine: VersionedEngine, names: Versions): Pick<Run, 'events' | 'objects'> {
  const { runtime, model, world } = engine;
  const [before, after] = names.map((name) => shapeOf(engine, name));
  const emitted = model.settings.events;
  const events: ShownVersion[] = [];
  const objects: ShownVersion[] = [];
  for (const row of world.collections.flatMap((collection) => [...collection.ordered().all()])) {
    const { def, response } = runtime.resources[row.resource];
    const shown = (value: JsonObject, shape: VersionShape | null): Json =>
      JSON.parse(JSON.stringify((shape?.plan(row.resource) ?? response()).value(runtime.reader, value))) as Json;
    const { id, value } = row;
    if (def.name !== emitted?.resource) {
      objects.push({ what: def.name, id, before: shown(value, before), after: shown(value, after) });
      continue;
    }
    const written = emitted.renderings === null ? null : value[emitted.renderings];
    const [one, other] = names.map((name) => {
      const own = isObject(written ?? null) ? (written as JsonObject)[name] : undefined;
      return shown({ ...value, ...(isObject(own ?? null) ? (own as JsonObject) : {}) }, null);
    });
    events.push({ what: isObject(one) ? String(one['type']) : def.name, id, before: one, after: other });
  }
  return { events, objects };
}

/** Finds the shape of a version; null if it is the base version. */
function shapeOf({ pack }: VersionedEngine, name: string): VersionShape | null {
  const found = pack.versions?.find(name, false);
  if (found) return found.version.shape;
  const names = pack.versions?.all.map((each) => each.name).join(', ') ?? 'none: it takes any';
  throw new Failure(Exit.cannotRun, 'no_version', `the pack has no version ${name}`, `It has ${names}.`);
}

/** Pairs the ids of both runs: equal ids mean the same object, unless ids at the same path differ. */
function rulesOf(one: Run, other: Run): Rules {
  const ids = new Map<string, string>();
  for (const [at, { body }] of one.calls.entries()) {
    const then = other.calls.at(at)?.body;
    for (const [id] of body.matchAll(/[\w-]+/g)) if (ID.test(id) && !ids.has(id)) ids.set(id, id);
    if (then !== undefined) for (const [id, its] of pairs(parsed(body), parsed(then))) ids.set(id, its);
  }
  return { random: [], settings: [], isLater: false, isEarlier: false, ids };
}

/** Finds event types with different counts in two runs whose calls are equal. */
function countsOf(one: Run, other: Run): Group[] {
  const count = ({ events }: Run, type: string): number => events.filter(({ what }) => what === type).length;
  return [...new Set([...one.events, ...other.events].map(({ what }) => what))].flatMap((what): Group[] => {
    const [before, after] = [count(one, what), count(other, what)];
    return before === after
      ? []
      : [{ what, which: [], changes: [{ path: '', before: `${before}x`, after: `${after}x` }] }];
  });
}

function shownGroups(all: readonly ShownVersion[], rules: Rules, versions: Versions): Group[] {
  return groups(
    all.map(({ what, id, before, after }) => ({
      what,
      which: [id],
      changes: changesOf(before, after, rules, versions),
    })),
  );
}

function callGroups(one: Run, other: Run, rules: Rules): Group[] {
  return groups(
    one.calls.flatMap((call, at): Group[] => {
      const then = other.calls.at(at);
      if (call.step.kind !== 'call' || then === undefined) return [];
      const what = call.step.operation;
      const which = [at + 1];
      if (call.status !== then.status)
        return [{ what, which, changes: [{ path: '', before: outcome(call), after: outcome(then) }] }];
      return [{ what, which, changes: changesOf(parsed(call.body), parsed(then.body), rules) }];
    }),
  );
}

/** Formats the result of a call: its status, and its error. */
function outcome({ status, body }: ReplayedResponse): string {
  const message = /"message": ?"((?:[^"\\]|\\.)*)"/.exec(body)?.[1];
  return status < 400 || message === undefined ? String(status) : `${status} ${message}`;
}

/** Finds differences between two values. @param versions names of the two versions, which don't count as differences */
function changesOf(before: Json, after: Json, rules: Rules, versions?: Versions): Change[] {
  const found = new Map<string, Change>();
  for (const { path, recorded, ours } of responseDifferences(before, after, rules)) {
    const isName = recorded === JSON.stringify(versions?.[0]) && ours === JSON.stringify(versions?.[1]);
    if (!isName && !found.has(path)) found.set(path, { path, before: recorded, after: ours });
  }
  return [...found.values()];
}

/** Keeps only the requested changes, and drops groups without any. */
function withChanges(
  all: readonly Group[],
  { gone = false, fields }: Pick<CompareVersionsOptions, 'gone' | 'fields'>,
): Group[] {
  const isWanted = ({ path, after }: Change): boolean =>
    (!gone || (path !== '' && after === 'absent')) &&
    (fields === undefined || fields.includes(path) || fields.includes(path.slice(path.lastIndexOf('.') + 1)));
  return all
    .map((group) => ({ ...group, changes: group.changes.filter(isWanted) }))
    .filter(({ changes }) => changes.length > 0);
}

/** Combines items with equal differences. */
function groups(all: readonly Group[]): Group[] {
  const made = new Map<string, Group>();
  for (const each of all) {
    if (each.changes.length === 0) continue;
    // Compares changes by path only, since values differ between objects; counts of events have no path.
    const key = `${each.what} ${each.changes.map(({ path, before, after }) => (path === '' ? before + after : path)).join()}`;
    const known = made.get(key);
    made.set(key, known ? { ...known, which: [...known.which, ...each.which] } : each);
  }
  return [...made.values()];
}

function show(title: string, all: readonly Group[], which: (group: Group) => string, output: Output): void {
  output.print(all.length === 0 ? `${title}: the same` : `${title}:`);
  for (const each of all) {
    output.print(`  ${each.what} (${which(each)})`);
    for (const { path, before, after } of emptyLast(each.changes))
      output.print(`    ${path === '' ? '' : `${path}: `}${before} -> ${after}`);
  }
}

/** Sorts values that are null or absent in both versions last: few applications notice them. */
function emptyLast(changes: readonly Change[]): readonly Change[] {
  const isSmall = ({ before, after }: Change): boolean =>
    [before, after].every((each) => each === 'absent' || each === 'null');
  return [...changes.filter((each) => !isSmall(each)), ...changes.filter(isSmall)];
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
