/** A transition: XState's transition object, with names (or inline expressions) for guards and step lists. */
export interface TransitionConfig {
  readonly target?: string;
  readonly guard?: string;
  readonly actions?: string | readonly string[];
  readonly reenter?: boolean;
  readonly description?: string;
}

/** A target, a transition, or candidates of which the first with a true guard is taken; null forbids the trigger. */
export type TransitionsConfig = string | null | TransitionConfig | readonly (string | TransitionConfig)[];

/** A state in a `machine:` block: its transitions, actions and kind. */
export interface StateConfig {
  readonly on?: Readonly<Record<string, TransitionsConfig>>;
  /** Transitions that are taken after a delay, by the delay's name. */
  readonly after?: Readonly<Record<string, TransitionsConfig>>;
  readonly always?: TransitionsConfig;
  readonly entry?: string | readonly string[];
  readonly exit?: string | readonly string[];
  readonly type?: string;
  readonly description?: string;
}

/** A `machine:` block: a flat XState v5 machine config. */
export interface MachineConfig {
  readonly initial: string;
  readonly on?: Readonly<Record<string, TransitionsConfig>>;
  readonly states: Readonly<Record<string, StateConfig | null>>;
}

/** Keys and indexes that lead to a value in the machine's config. */
export type ConfigPath = readonly (string | number)[];

/** A transition in its long form, with its path. */
export interface Candidate extends TransitionConfig {
  readonly path: ConfigPath;
  /** Whether the state rejects the trigger, even if the machine's own `on` has a transition for it. */
  readonly forbidden?: true;
  /** Path of the target's name in the config; of a transition in its short form, the path of the transition. */
  readonly targetPath: ConfigPath;
}

/** Returns the transitions in a value of the config, in their long form and in the order in which XState tries them. */
export function candidates(config: TransitionsConfig | undefined, path: ConfigPath): Candidate[] {
  if (config === undefined) return [];
  if (config === null) return [{ forbidden: true, path, targetPath: path }];
  if (typeof config === 'string') return [{ target: config, path, targetPath: path }];
  if (isSequence(config)) return config.flatMap((each, index) => candidates(each, [...path, index]));
  return [{ ...config, path, targetPath: [...path, 'target'] }];
}

/** Converts a name, a list of names or nothing to a list of names. */
export function nameList(names: string | readonly string[] | undefined): readonly string[] {
  if (names == null) return [];
  return typeof names === 'string' ? [names] : names;
}

/** Returns the state's name in a transition's target; in the machine's own `on`, XState writes it after a dot. */
export function targetState(target: string): string {
  return target.startsWith('.') ? target.slice(1) : target;
}

function isSequence(
  config: TransitionConfig | readonly (string | TransitionConfig)[],
): config is readonly (string | TransitionConfig)[] {
  return Array.isArray(config);
}

/** Lists the keys of a state, or of the machine itself, that have transitions: `on`, `after` and `always`. */
export function slots(
  state: StateConfig,
  path: ConfigPath,
): { kind: 'on' | 'after' | 'always'; name: string; path: ConfigPath; candidates: Candidate[] }[] {
  const named = (kind: 'on' | 'after') =>
    Object.entries(state[kind] ?? {}).map(([name, config]) => {
      const at = [...path, kind, name];
      return { kind, name, path: at, candidates: candidates(config, at) };
    });
  const always = candidates(state.always ?? undefined, [...path, 'always']);
  return [
    ...named('on'),
    ...named('after'),
    ...(always.length > 0
      ? [{ kind: 'always' as const, name: 'always', path: [...path, 'always'], candidates: always }]
      : []),
  ];
}
