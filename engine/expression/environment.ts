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
  /** First row with the value in a column; null if there is none. */
  find(column: string, value: Json): Json;
}

/** A flow that expressions may call: one without effects. */
export interface FlowFunction {
  readonly args: ReadonlyMap<string, { readonly type: Type; readonly required: boolean }>;
  /** Why expressions can't call the flow, as the end of a sentence that begins with `flow NAME`; null: they can. */
  readonly unfit: () => string | null;
  /** Compiles a call of the flow. @param given arguments in the flow's order; missing ones at the end are null */
  readonly call: (given: readonly Compiled[], scope: Scope) => Compiled;
}

/** The names that a pack's expressions can use. Built once per pack. */
export interface Environment {
  /** The compiled texts of the pack, for stack traces and `explain --js`. */
  readonly texts?: SourceTexts;
  /** Resource name -> its number and the type of its objects. */
  readonly resources: ReadonlyMap<
    string,
    { readonly index: number; readonly type: Type & { kind: 'object' }; readonly shapes: readonly string[] }
  >;
  readonly tables: ReadonlyMap<string, Table>;
  readonly vars: ReadonlyMap<string, string>;
  /** Flows by name; set once the pack's files are read. */
  readonly flows?: ReadonlyMap<string, FlowFunction>;
  readonly durations: ReadonlySet<string>;
  /** Called with each duration that an expression uses. */
  readonly useDuration?: (name: string) => void;
  /** Id formats that don't count objects. */
  readonly idFormats: ReadonlySet<string>;
  /** Names of values that scenarios can provide. */
  readonly scenarioValues: ReadonlySet<string>;
  /** Names of the pack's rate limits. */
  readonly rateLimits?: ReadonlySet<string>;
  /** Names that `version.has('...')` accepts. */
  readonly switches?: ReadonlySet<string>;
  /** Whether the pack's worlds have tenants. */
  readonly hasTenants?: boolean;
  /** Present if tokens have scopes. `asked` is set if an expression reads one, so that its result depends on the caller. */
  readonly scopes?: { asked: boolean } | undefined;
  /** How the version of the current file shows objects; undefined outside of versions' files. */
  readonly shaped?: Shaped;
  /** The type of timestamps in the pack's format. */
  readonly timestamp: Type;
  /** The resource of the object that `actor` returns; undefined: the pack has no actors. */
  readonly actor?: string;
  /** The type of `request`. */
  readonly request: Type;
  /** Converts milliseconds to the pack's time format (`fromMs`), and back (`toMs`). */
  readonly fromMs: (ms: number) => Json;
  readonly toMs: (value: Json) => number;
  /** Suggests the known word that is most similar; undefined if none is. */
  readonly suggest: (word: string, known: Iterable<string>) => string | undefined;
}
