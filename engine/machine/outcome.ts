/** A delayed transition of a state: the named delay, and the trigger that the timer raises when it is over. */
export interface DelayedTrigger {
  readonly delay: string;
  readonly trigger: string;
}

/** What a transition comes to. Shared between sends with the same responses: never changed. */
export interface TransitionOutcome {
  /** A transition was taken. Always true: where none was taken there is no outcome. */
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

/** What a guard returns now. */
export type Ask = (guard: string) => boolean;
