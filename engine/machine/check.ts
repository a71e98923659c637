import { suggest } from '../pack/index.js';
import { type ConfigPath, type MachineConfig, slots, type StateConfig, targetState } from './config.js';

/** A problem in a `machine:` block. */
interface MachineProblem {
  readonly path: ConfigPath;
  readonly code:
    | 'initial_missing'
    | 'unknown_state'
    | 'unreachable_state'
    | 'nested_states'
    | 'unsupported_type'
    | 'bad_state_name'
    | 'bad_trigger_name'
    | 'final_state_leaves'
    | 'never_taken'
    | 'endless_always';
  readonly message: string;
  readonly suggestion?: string;
}

const STATE_NAME = /^[A-Za-z][\w-]*$/;
const RESERVED = new Set(['constructor', 'prototype']);

/** Returns the parts of a machine config that can't work or never happen; an empty list means that the config compiles. */
export function checkMachine(config: MachineConfig): MachineProblem[] {
  const states = Object.entries(config.states ?? {}).map(([name, state]) => [name, state ?? {}] as const);
  const names = states.map(([name]) => name);
  const problems: MachineProblem[] = [
    ...checkInitial(config, names),
    ...states.flatMap(([name, state]) => checkState(name, state)),
    ...checkTriggers(config, []),
    ...states.flatMap(([name, state]) => [...checkTriggers(state, ['states', name])]),
    ...checkTransitions({ on: config.on }, [], names),
    ...states.flatMap(([name, state]) => checkTransitions(state, ['states', name], names)),
  ];
  if (problems.length > 0) return problems;
  return endless(states);
}

function unknownState(path: ConfigPath, name: unknown, names: readonly string[]): MachineProblem {
  const word = String(name);
  const suggestion = suggest(word, names);
  return { path, code: 'unknown_state', message: `there is no state '${word}'`, suggestion };
}

function checkInitial(config: MachineConfig, names: readonly string[]): MachineProblem[] {
  if (config.initial == null) {
    return [
      {
        path: [],
        code: 'initial_missing',
        message: 'the machine has no `initial` state',
        suggestion: names[0],
      },
    ];
  }
  return names.includes(config.initial) ? [] : [unknownState(['initial'], config.initial, names)];
}

function checkState(name: string, state: StateConfig): MachineProblem[] {
  const path = ['states', name];
  const problems: MachineProblem[] = [];
  if (!STATE_NAME.test(name) || RESERVED.has(name)) {
    problems.push({
      path,
      code: 'bad_state_name',
      message: `'${name}' cannot be the name of a state (a letter, then letters, digits, _ and -)`,
    });
  }
  if ('states' in state) {
    problems.push({
      path: [...path, 'states'],
      code: 'nested_states',
      message: 'states cannot be nested: a machine is flat, its state is the status',
    });
  }
  if (state.type != null && state.type !== 'final' && state.type !== 'atomic') {
    problems.push({
      path: [...path, 'type'],
      code: 'unsupported_type',
      message: `'${state.type}' is not a type of a flat state (final or atomic)`,
    });
  }
  if (state.type === 'final') {
    for (const slot of slots(state, path)) {
      problems.push({
        path: slot.path,
        code: 'final_state_leaves',
        message: `'${name}' is final: nothing can happen in it`,
      });
    }
  }
  return problems;
}

function checkTriggers(state: StateConfig, path: ConfigPath): MachineProblem[] {
  return Object.keys(state.on ?? {})
    .filter((name) => name === '' || name.includes('*') || name.startsWith('xstate.'))
    .map((name) => ({
      path: [...path, 'on', name],
      code: 'bad_trigger_name',
      message: `'${name}' cannot be a trigger: triggers are plain names`,
    }));
}

function checkTransitions(state: StateConfig, path: ConfigPath, names: readonly string[]): MachineProblem[] {
  const problems: MachineProblem[] = [];
  for (const slot of slots(state, path)) {
    let open: ConfigPath | undefined;
    for (const candidate of slot.candidates) {
      if (candidate.target != null && !names.includes(targetState(candidate.target))) {
        problems.push(unknownState(candidate.targetPath, candidate.target, names));
      }
      if (open !== undefined) {
        problems.push({
          path: candidate.path,
          code: 'never_taken',
          message: 'this is never taken: the candidate before it has no guard',
        });
      }
      if (candidate.guard == null) open = candidate.path;
    }
  }
  return problems;
}

type States = readonly (readonly [string, StateConfig])[];

/** Returns a problem for each unreachable state, except for states that are unreachable only because another state is. */
export function lostStates(config: MachineConfig): MachineProblem[] {
  const states = Object.entries(config.states).map(([name, state]) => [name, state ?? {}] as const);
  const exits = new Map(states.map(([name, state]) => [name, targets(state)]));
  const found = new Set<string>();
  const follow = (from: readonly string[]): void => {
    const queue = [...from];
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (found.has(name)) continue;
      found.add(name);
      queue.push(...(exits.get(name) ?? []));
    }
  };
  follow([config.initial, ...targets({ on: config.on })]);
  const left = (): string[] => states.map(([name]) => name).filter((name) => !found.has(name));
  const first: string[] = [];
  for (let lost = left(); lost.length > 0; lost = left()) {
    const isBehind = (name: string): boolean => lost.some((each) => each !== name && exits.get(each)?.includes(name));
    const begins = lost.filter((name) => !isBehind(name));
    const reported = begins.length > 0 ? begins : lost.slice(0, 1);
    first.push(...reported);
    follow(reported);
  }
  return first.map((name) => ({
    path: ['states', name],
    code: 'unreachable_state',
    message: `no transition leads to '${name}'`,
  }));
}

function targets(state: StateConfig): string[] {
  return slots(state, []).flatMap((slot) =>
    slot.candidates.flatMap(({ target }) => (target == null ? [] : [targetState(target)])),
  );
}

/** Reports cycles of `always` transitions without guards, which would never end. */
function endless(states: States): MachineProblem[] {
  const next = new Map<string, string>();
  for (const [name, state] of states) {
    const [only] = slots({ always: state.always }, []).flatMap((slot) => slot.candidates);
    if (only?.target != null && only.guard == null && targetState(only.target) !== name)
      next.set(name, targetState(only.target));
  }
  return [...next.keys()]
    .filter((start) => {
      let at = next.get(start);
      for (let steps = 0; at !== undefined && at !== start && steps < next.size; steps++) at = next.get(at);
      return at === start;
    })
    .map((name) => ({
      path: ['states', name, 'always'],
      code: 'endless_always',
      message: `'${name}' leads back to itself by \`always\` without a guard`,
    }));
}
