import type { Build } from './build.js';
import type { DocumentedCall } from './contract.js';
import { objectOr, successOf } from './document.js';
import { machineOf, STATE_FIELDS, stateAfter, stateLater, statesOf } from './machine.js';
import { snake } from './names.js';
import type { ShownObjects } from './objects.js';
import type { Remarks } from './questions.js';
import type { SurveyedResource } from './survey.js';
import { isText, isTimestamp } from './types.js';
import { flagsSet } from './verbs.js';

/** The state field of a resource, the state after each action, and the state machine. */
export interface StateFound {
  readonly field: string;
  readonly after: ReadonlyMap<string, string>;
  /** Undefined if calls can set the field, which a machine would forbid. */
  readonly machine?: Record<string, unknown>;
  /** States of the machine that no call leads to. */
  readonly outside: readonly string[];
  /** Durations of transitional states. */
  readonly delays?: Readonly<Record<string, string>>;
}

/** Duration of a transitional state: long enough to be observed, short enough to wait for. */
const LATER = 'seconds(5)';

/** Derives the state field and its machine from actions and examples. */
export function shownState(
  build: Build,
  found: SurveyedResource,
  objects: ShownObjects,
  remarks: Remarks,
): StateFound | undefined {
  const field = STATE_FIELDS.find((each) => objects.fields.has(each));
  const kept = field === undefined ? undefined : objects.fields.get(field);
  if (field === undefined || kept === undefined || found.isSingle === true) return undefined;
  const states = statesOf(kept);
  const after = new Map<string, string>();
  for (const { kind, name, call } of found.calls) {
    if (kind !== 'action') continue;
    const shown = new Set(build.examplesOf(call).map(({ response }) => objectOr(objects.within(response))[field]));
    // Examples with several states show that the action leads to no particular one.
    const isFlag = shown.size === 0 && Object.values(flagged(name, objects)).some((each) => typeof each === 'boolean');
    const to = shown.size > 1 || isFlag ? undefined : stateAfter(name, [...shown][0], states, !isLater(build, call));
    if (to !== undefined) after.set(name, to);
  }
  // Actions that lead to the initial state matter only if others leave it.
  if ([...after.values()].every((to) => to === kept.at_first)) after.clear();
  const initial = kept.at_first;
  if (states.length === 0 || typeof initial !== 'string' || kept.nullable || objects.settable.has(field))
    return after.size === 0 ? undefined : { field, after, outside: [] };
  objects.fields.set(field, { ...kept, type: { enum: states, machine: true } });
  const waiting = new Set(
    found.calls.filter(({ call }) => isLater(build, call)).map(({ name }) => after.get(name) ?? initial),
  );
  const later = new Map(
    [initial, ...after.values()].flatMap((state) => {
      const next = stateLater(state, states, waiting.has(state));
      return next === undefined ? [] : [[state, next] as const];
    }),
  );
  const { machine, outside } = machineOf(states, initial, after, later);
  const delays = later.size === 0 ? {} : { delays: { later: LATER } };
  const known = [
    ...[...after].map(([operation, to]) => `'${operation}' leads to ${to}`),
    ...[...later].map(([state, to]) => `${state} becomes ${to} after 5 seconds`),
  ];
  const ways = (most: number): string =>
    [
      ...known,
      ...(outside.length === 0 ? [] : [`only external events lead to ${outside.slice(0, most).join(', ')}`]),
    ].join(', ');
  remarks.notes.push(`${field}: ${ways(6)}; which transitions are there, and when? (its \`machine:\`)`);
  const next =
    outside.find((each) => each !== initial && !/fail|error|cancel|expire/i.test(each)) ??
    states.find((each) => each !== initial);
  if (later.size === 0)
    remarks.questions.push({
      at: ['machine'],
      into: [],
      ask: `Which transitions does \`${field}\` have, and when? ${ways(4)}.`,
      write: `delays: { later: seconds(5) }, machine: { states: { ${initial}: { after: { later: ${next} } } } }`,
      calls: found.calls.length,
    });
  return { field, after, machine, outside, ...delays };
}

/** Whether a call returns before its effect is complete (202). */
function isLater(build: Build, { operation }: DocumentedCall): boolean {
  return successOf(build.document, operation)?.status === 202;
}

/** Steps that change the state, through the machine if there is one, and set the time field of the same name. */
export function stepsTo(
  { field, machine }: StateFound,
  objects: ShownObjects,
  to: string,
  trigger: string,
): Record<string, unknown>[] {
  const values = { ...(machine === undefined ? { [field]: to } : {}), ...timesOf(objects, [to]) };
  return [
    ...(machine === undefined ? [] : [{ send: trigger }]),
    ...(Object.keys(values).length > 0 ? [{ set: 'self', to: values }] : []),
  ];
}

/** Sets the time fields that are named after a state, such as `archived_at` of `archived`, to simulated time. */
function timesOf(objects: ShownObjects, words: readonly string[]): Record<string, unknown> {
  const names = words.map((each) => `${snake(each)}_at`);
  return Object.fromEntries(
    [...objects.fields]
      .filter(([name, { at_first }]) => (at_first === null || at_first === undefined) && names.includes(snake(name)))
      .map(([name, { type, now }]) => [name, now ?? nowAs(type)]),
  );
}

/** The current simulated time as a template for a field of this type. */
function nowAs(type: unknown): string {
  if (isTimestamp(type)) return '${now}';
  return isText(type) ? "${format_time(now, 'YYYY-MM-DDTHH:mm:ssZ')}" : '${unix(now)}';
}

/** Fields that an action's name sets: `archive` sets `archived` and `archived_at`, `disable` clears `enabled`. */
export function flagged(action: string, objects: ShownObjects): Record<string, unknown> {
  const flags = flagsSet(action);
  const values: Record<string, unknown> = {};
  for (const [name, { type }] of objects.fields) {
    const flag = flags.find((each) => each.name === snake(name).replace(/^is_/, ''));
    const isBoolean = type === 'boolean' || type === 'boolean?' || objectOr(type)['type'] === 'boolean';
    if (flag !== undefined && isBoolean) values[name] = flag.to;
  }
  const [done, undone] = [true, false].map((to) => flags.filter((each) => each.to === to).map((each) => each.name));
  const cleared = Object.keys(timesOf(objects, undone)).map((name) => [name, null] as const);
  return { ...values, ...timesOf(objects, done), ...Object.fromEntries(cleared) };
}

/** External events, for causes.yaml, for the states that no call leads to. */
export function causesOf(
  state: StateFound | undefined,
  objects: ShownObjects,
  { name }: SurveyedResource,
): Record<string, unknown> {
  if (state === undefined) return {};
  return Object.fromEntries(
    state.outside.map((to) => [
      `${name}.${to}`,
      {
        description: `A ${objects.title} becomes ${to}.`,
        subject: { param: `${name}_id`, resource: name },
        do: stepsTo(state, objects, to, to),
      },
    ]),
  );
}
