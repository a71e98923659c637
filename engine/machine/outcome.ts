/** A delayed transition of a state: the named delay, and the trigger of its timer. */
export interface DelayedTrigger {
  readonly delay: string;
  readonly trigger: string;
}

/** The result of a transition. Shared between equal transitions, so it is immutable. */
export interface TransitionOutcome {
  /** Always true: without a transition there is no outcome. */
  readonly changed: true;
  /** The state afterwards. */
  readonly target: string;
  /** Step lists to run, in XState's order: exit, transition, entry, and again for each `always` that follows. */
  readonly actions: readonly string[];
  /** States that were entered, in order, those only passed through by `always` included. Empty for an inner transition. */
  readonly entered: readonly string[];
  /** Timers to start once `cancel` is done. */
  readonly arm: readonly DelayedTrigger[];
  /** Triggers of running timers that stop. */
  readonly cancel: readonly string[];
}

/** Evaluates a guard. */
export type Ask = (guard: string) => boolean;
