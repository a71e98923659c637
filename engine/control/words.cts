/** Values of parameters by name. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * What a pack calls things, as types: the control client takes these names and no others. For a pack without types of its names,
 * every name is a string; `sandbox types PACK` writes them.
 */
export interface Words {
  /** Parameters of each world event. */
  readonly causes: Readonly<Record<string, Values>>;
  /** Names of the calls of each collection. */
  readonly operations: Readonly<Record<string, string>>;
  readonly durations: string;
  readonly scenarios: string;
  /** Paths that a pin may name. */
  readonly pins: string;
  readonly branches: string;
  readonly testValues: string;
  readonly events: string;
  readonly errors: string;
}

/** Names of packs, by name or folder of the pack as it is given. A module may add one: `interface Packs { './packs/mine': Mine }`. */
// Empty here: who adds a pack merges it in.
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Packs {}

/** The names of a pack by its name; where it is not known while compiling, any. */
export type WordsOf<Pack> = Pack extends keyof Packs ? Extract<Packs[Pack], Words> : Words;

/** Names of a pack's collections. */
export type CollectionName<W extends Words> = keyof W['operations'] & string;

/** A name of an event, or a pattern with `*`. */
export type EventPattern<W extends Words> = W['events'] | `${string}*${string}`;
