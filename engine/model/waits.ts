/** A named duration of the pack. */
export interface NamedDuration {
  readonly name: string;
  /** How long the wait lasts by default, in milliseconds; null: it never ends, unless a test overrides it. */
  readonly defaultMs: number | null;
  readonly description: string;
}

/** A wait: a number of milliseconds, or a named duration. */
export type Wait = number | NamedDuration;
