import { candidates, type MachineConfig, slots, type StateConfig, targetState } from '../../machine/index.js';

/** One arrow between two states, for all transitions between them. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  /** Triggers of the transitions that an arrow represents, and names of waits. */
  readonly triggers: readonly string[];
  readonly timers: readonly string[];
  /** Whether a transition is taken by itself as soon as its condition holds. */
  readonly always: boolean;
}

export interface StateBox {
  readonly name: string;
  readonly isInitial: boolean;
  /** Whether no transition leaves the state. */
  readonly isFinal: boolean;
  /** Triggers of transitions that don't change the state. */
  readonly inside: readonly string[];
}

/** A machine, as it is drawn and described. */
export interface MachineGraph {
  readonly states: readonly StateBox[];
  readonly arrows: readonly Arrow[];
}

interface Gathered {
  readonly triggers: Set<string>;
  readonly timers: Set<string>;
  always: boolean;
}

/** The states of a machine and its arrows; transitions with the same ends share one. */
export function graphOf({ initial, states, on }: MachineConfig): MachineGraph {
  const boxes: StateBox[] = [];
  const arrows: Arrow[] = [];
  for (const [name, declared] of Object.entries(states)) {
    const state = declared ?? {};
    const ways = new Map<string, Gathered>();
    for (const { kind, trigger, target } of waysOf(state, on)) {
      const to = target ?? name;
      const way = ways.get(to) ?? { triggers: new Set(), timers: new Set(), always: false };
      ways.set(to, way);
      if (kind === 'on') way.triggers.add(trigger);
      else if (kind === 'after') way.timers.add(trigger);
      else way.always = true;
    }
    const own = ways.get(name);
    ways.delete(name);
    boxes.push({
      name,
      isInitial: name === initial,
      isFinal: ways.size === 0,
      inside: own ? [...own.triggers, ...[...own.timers].map((timer) => `after ${timer}`)] : [],
    });
    for (const [to, { triggers, timers, always }] of ways)
      arrows.push({ from: name, to, triggers: [...triggers], timers: [...timers], always });
  }
  return { states: boxes, arrows };
}

interface GraphEdge {
  readonly kind: 'on' | 'after' | 'always';
  readonly trigger: string;
  /** The state to which the transition leads; undefined: it stays in its state. */
  readonly target: string | undefined;
}

function waysOf(state: StateConfig, common: MachineConfig['on']): GraphEdge[] {
  const own = slots(state, []).flatMap(({ kind, name, candidates: found }) =>
    found.flatMap((each): GraphEdge[] =>
      each.forbidden ? [] : [{ kind, trigger: name, target: each.target && targetState(each.target) }],
    ),
  );
  if (state.type === 'final') return own;
  const everywhere = Object.entries(common ?? {}).flatMap(([trigger, config]) =>
    Object.hasOwn(state.on ?? {}, trigger)
      ? []
      : candidates(config, []).map(({ target }): GraphEdge => ({
          kind: 'on',
          trigger,
          target: target && targetState(target),
        })),
  );
  return [...own, ...everywhere];
}
