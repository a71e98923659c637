import type { Json, JsonObject } from '../values/index.js';
import type { BrokenRule, SchemaKind } from '../model/index.js';
import type { TimeFormat } from '../world/index.js';

/** Why a parameter is rejected: the name of an engine error, and its arguments. */
export interface ParamProblem {
  readonly error: string;
  readonly args: JsonObject;
}

/** Functions and settings for decoding parameters. */
export interface ParamContext {
  /** Whether values arrived as text (form or query) and have to be converted to their types. */
  readonly text: boolean;
  readonly time: TimeFormat;
  readonly rejectUnknown: boolean;
  /** Length limit in characters of texts that declare no limit; null: none. */
  readonly longestText: number | null;
  /** Which single values a list parameter accepts as a list with one item; null: none. */
  readonly singleValues: 'texts' | 'maps' | null;
  readonly suggest: (word: string, known: Iterable<string>) => string | undefined;
  /** Converts a list to the map that a form meant by it (`m[7]=x`), for parameters whose type is a map. */
  readonly listAsMap: (list: readonly Json[]) => JsonObject | undefined;
  /** Returns the object's id for an id in a call, after creating the object if the id is a test value; or a problem. */
  readonly resolve: (refs: readonly string[], id: string, param: string) => string | ParamProblem;
  /** Returns the value of the object with an id, for rules between parameters; undefined if there is none. */
  readonly object: (refs: readonly string[], id: string) => JsonObject | undefined;
  /** Whether the call's API version has the version switch with a name. */
  readonly hasSwitch: (name: string) => boolean;
}

/** For kinds of types without an error of their own, the kind whose error they use. */
export const ERROR_KINDS: Readonly<Partial<Record<SchemaKind, string>>> = {
  map: 'object',
  ref: 'string',
};

export const OF_CHOICES: ReadonlySet<SchemaKind> = new Set(['enum', 'const', 'one_of']);

/** Returns the name of the engine's error for a broken rule of a type. */
export function ruleError({ rule, of, size }: BrokenRule): string {
  switch (rule) {
    case 'min':
      return size === 0 && of !== 'number' ? 'parameter_empty' : 'parameter_below_minimum';
    case 'max':
      return of === 'number' ? 'parameter_above_maximum' : 'parameter_too_many';
    case 'max_length':
      return 'parameter_too_long';
    case 'pattern':
    case 'format':
    case 'decimals':
      return 'parameter_invalid_format';
  }
}

/** Whether a problem reports a scalar in place of a map or list, or the reverse. */
export function asksForOtherForm({ error, args }: ParamProblem, given: Json, at: string): boolean {
  const structured = typeof given === 'object' && given !== null;
  const others = structured ? ['string'] : ['object', 'array'];
  return args['param'] === at && others.some((kind) => error === `parameter_invalid_${kind}`);
}
