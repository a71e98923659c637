/** Values of parameters by name. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Types for the names in a pack; the control client accepts no others. Without types of a pack, every name is a string;
 * `sandbox types PACK` generates them.
 */
export interface Words {
  /** Parameters of each external event. */
  readonly causes: Readonly<Record<string, Values>>;
  /** Names of the operations of each collection. */
  readonly operations: Readonly<Record<string, string>>;
  readonly durations: string;
  readonly scenarios: string;
  /** Paths of fields that can be pinned. */
  readonly pins: string;
  readonly branches: string;
  readonly testValues: string;
  readonly events: string;
  readonly errors: string;
}

/** Types of packs, by the name or folder that is passed. A module can add one: `interface Packs { './packs/mine': Mine }`. */
// Empty here: packs are added by declaration merging.
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Packs {}

/** The names of a pack by its name; any string if it isn't known at compile time. */
export type WordsOf<Pack> = Pack extends keyof Packs ? Extract<Packs[Pack], Words> : Words;

/** Names of a pack's collections. */
export type CollectionName<W extends Words> = keyof W['operations'] & string;

/** A name of an event, or a pattern with `*`. */
export type EventPattern<W extends Words> = W['events'] | `${string}*${string}`;
