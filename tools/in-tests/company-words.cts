/** Types for the names of several packs in one world: each name has its pack as a prefix, as in the control API. */
import type { Words, WordsOf } from '../../engine/control/words.cjs';

/** A pack in a shared world. */
export interface TestPackOptions {
  /** Folder of the pack, or name of a bundled pack. */
  readonly pack: string;
  /** The name of the pack in the world; the pack's own by default. */
  readonly name?: string;
  /** Values of variables that pack.yaml declares. */
  readonly vars?: Readonly<Record<string, string>>;
}

/** The packs of a world. */
export type TestPacks = readonly (string | TestPackOptions)[];

/** A pack's name in the world; for a folder, the folder's name. */
export type NameOf<M> = M extends string
  ? M extends `${string}/${infer Rest}`
    ? NameOf<Rest>
    : M
  : M extends { readonly name: infer N extends string }
    ? N
    : M extends { readonly pack: infer P extends string }
      ? NameOf<P>
      : never;

/** Type of the names in one of the packs. */
export type WordsIn<M> = WordsOf<M extends { readonly pack: infer P } ? P : M>;

type Keys = 'causes' | 'operations';

/** Type of the names in a pack, with the pack's name as a prefix. */
type Prefixed<M, K extends Keys> = M extends unknown
  ? { readonly [N in keyof WordsIn<M>[K] & string as `${NameOf<M>}/${N}`]: WordsIn<M>[K][N] }
  : never;

type Plain<M, K extends Exclude<keyof Words, Keys>> = M extends unknown ? WordsIn<M>[K] : never;

type Events<M> = M extends unknown ? WordsIn<M>['events'] | `${NameOf<M>}/${WordsIn<M>['events']}` : never;

/** Type that intersects the members of a union. */
type Together<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never;

/** The names of all packs of a world. Events may omit their pack. */
export interface CompanyWords<P extends TestPacks> extends Words {
  readonly causes: Extract<Together<Prefixed<P[number], 'causes'>>, Words['causes']>;
  readonly operations: Extract<Together<Prefixed<P[number], 'operations'>>, Words['operations']>;
  /** Not available for the whole world: each pack has its own durations (`sandbox.vendors.NAME.control.durations(...)`). */
  readonly durations: never;
  readonly scenarios: Plain<P[number], 'scenarios'>;
  readonly pins: Plain<P[number], 'pins'>;
  readonly branches: Plain<P[number], 'branches'>;
  readonly testValues: Plain<P[number], 'testValues'>;
  readonly events: Events<P[number]>;
  readonly errors: Plain<P[number], 'errors'>;
}
