/** A named duration of the pack. */
export interface NamedDuration {
  readonly name: string;
  /** Length of the wait in milliseconds; null: the wait never ends, unless a test overrides the duration. */
  readonly defaultMs: number | null;
  readonly description: string;
}

/** A wait: a number of milliseconds, or a named duration. */
export type Wait = number | NamedDuration;
