import type { Json, JsonObject } from '../values/index.js';
import type { BrokenRule, SchemaKind } from '../model/index.js';
import type { TimeFormat } from '../world/index.js';

/** Why a parameter is rejected: an error that the engine raises, with its arguments. */
export interface ParamProblem {
  readonly error: string;
  readonly args: JsonObject;
}

/** The context of decoding. */
export interface ParamContext {
  /** Values are text (forms, query strings) and parsed by their type. */
  readonly text: boolean;
  readonly time: TimeFormat;
  readonly rejectUnknown: boolean;
  /** Length limit of texts without one of their own; null: none. */
  readonly longestText: number | null;
  /** Which single values count as a list of one; null: none. */
  readonly singleValues: 'texts' | 'maps' | null;
  readonly suggest: (word: string, known: Iterable<string>) => string | undefined;
  /** The map that a list of a form (`m[7]=x`) means, for parameters whose type is a map. */
  readonly listAsMap: (list: readonly Json[]) => JsonObject | undefined;
  /** Resolves an id: returns the id to use (test values create an object), or the problem. */
  readonly resolve: (refs: readonly string[], id: string, param: string) => string | ParamProblem;
  /** The object with an id, for rules between parameters; undefined if there is none. */
  readonly object: (refs: readonly string[], id: string) => JsonObject | undefined;
  /** Whether the call's version has a switch. */
  readonly hasSwitch: (name: string) => boolean;
}

/** Kinds of schemas whose error is that of another kind. */
export const ERROR_KINDS: Readonly<Partial<Record<SchemaKind, string>>> = {
  map: 'object',
  ref: 'string',
};

export const OF_CHOICES: ReadonlySet<SchemaKind> = new Set(['enum', 'const', 'one_of']);

/** The error for a broken rule. */
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

/** Whether the problem is a plain value in place of a structure, or the reverse. */
export function asksForOtherForm({ error, args }: ParamProblem, given: Json, at: string): boolean {
  const structured = typeof given === 'object' && given !== null;
  const others = structured ? ['string'] : ['object', 'array'];
  return args['param'] === at && others.some((kind) => error === `parameter_invalid_${kind}`);
}
