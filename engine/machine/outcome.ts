/** A delayed transition of a state: the named delay, and the trigger of its timer. */
export interface DelayedTrigger {
  readonly delay: string;
  readonly trigger: string;
}

/** The result of a transition. Shared between equal transitions, so it is immutable. */
export interface TransitionOutcome {
  /** Always true, since a state without a transition has no outcome at all. */
  readonly changed: true;
  /** The object's state after the transition. */
  readonly target: string;
  /** Step lists to run, in XState's order: exit, transition, entry, and again for each `always` that follows. */
  readonly actions: readonly string[];
  /** States that were entered, in order, those only passed through by `always` included. Empty for an inner transition. */
  readonly entered: readonly string[];
  /** Timers to start once `cancel` is done. */
  readonly arm: readonly DelayedTrigger[];
  /** Triggers of the running timers that the transition cancels. */
  readonly cancel: readonly string[];
}

/** Evaluates the guard with a name; returns whether its condition holds. */
export type Ask = (guard: string) => boolean;
