/** A named wait of the pack. */
export interface NamedDuration {
  readonly name: string;
  /** Null: it never ends, unless a test sets it. */
  readonly defaultMs: number | null;
  readonly description: string;
}

/** A wait: so many milliseconds, or as long as a named duration says. */
export type Wait = number | NamedDuration;
