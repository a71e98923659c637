import type { Json } from '../values/index.js';
import type { Shaped } from './host.js';
import type { SourceTexts } from './texts.js';
import type { Compiled } from './compiled.js';
import type { Scope } from './scope.js';
import type { Type } from './types.js';

/** A constant table of the pack with its lookup indexes. */
export interface Table {
  readonly name: string;
  readonly row: Type;
  readonly columns: ReadonlyMap<string, Type>;
  readonly rows: readonly Json[];
  /** First row whose column has the value; null when there is none. */
  find(column: string, value: Json): Json;
}

/** A flow of the pack that expressions may call: one that only computes. */
export interface FlowFunction {
  readonly args: ReadonlyMap<string, { readonly type: Type; readonly required: boolean }>;
  /** Why expressions cannot call it, behind `flow NAME`; null: they can. */
  readonly unfit: () => string | null;
  /** @param given its arguments in their order; what is left out at the end is null */
  readonly call: (given: readonly Compiled[], scope: Scope) => Compiled;
}

/** What a pack's expressions may name. Built once per pack. */
export interface Environment {
  /** What is made of the pack, for stacks and `explain --js`. */
  readonly texts?: SourceTexts;
  /** Resource name -> its number at run time and the type of its objects. */
  readonly resources: ReadonlyMap<
    string,
    { readonly index: number; readonly type: Type & { kind: 'object' }; readonly shapes: readonly string[] }
  >;
  readonly tables: ReadonlyMap<string, Table>;
  readonly vars: ReadonlyMap<string, string>;
  /** Flows by name; filled once the pack's files are read. */
  readonly flows?: ReadonlyMap<string, FlowFunction>;
  readonly durations: ReadonlySet<string>;
  /** Called with every duration that an expression names. */
  readonly useDuration?: (name: string) => void;
  /** Id formats that need no place in a collection. */
  readonly idFormats: ReadonlySet<string>;
  /** Values that scenarios may provide. */
  readonly scenarioValues: ReadonlySet<string>;
  /** Names of the pack's rate limits. */
  readonly rateLimits?: ReadonlySet<string>;
  /** Names that `version.has('...')` may ask for. */
  readonly switches?: ReadonlySet<string>;
  /** Worlds have tenants. */
  readonly hasTenants?: boolean;
  /** Tokens have scopes; `asked` once an expression asks for one: what it returns depends on the caller. */
  readonly scopes?: { asked: boolean } | undefined;
  /** In the file of a version: how it shows objects. */
  readonly shaped?: Shaped;
  /** The type of timestamps in the pack's representation. */
  readonly timestamp: Type;
  /** The resource whose object `actor` is: who calls. Undefined: the pack does not say. */
  readonly actor?: string;
  /** The type of `request`: what may be known of the call that runs. */
  readonly request: Type;
  /** The pack's representation of an instant in milliseconds, and back. */
  readonly fromMs: (ms: number) => Json;
  readonly toMs: (value: Json) => number;
  /** Nearest known word, for suggestions. */
  readonly suggest: (word: string, known: Iterable<string>) => string | undefined;
}
