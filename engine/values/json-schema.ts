import { createRequire } from 'node:module';
import type * as Ajv07 from 'ajv';
import type * as Ajv2019 from 'ajv/dist/2019.js';
import type * as Ajv2020 from 'ajv/dist/2020.js';
import type { AnySchema, ErrorObject, FuncKeywordDefinition, Options, ValidateFunction, Vocabulary } from 'ajv';
import { LIMITS } from '../limits.js';
import { spendTurns } from './budget.js';
import { ExpressionFailure, type Json } from './json-value.js';
import { pathOfPointer } from './json-pointer.js';
import { textPattern } from './pattern.js';
import { COST, shapeProblem, withCosts } from './schema-shape.js';
import { canonical, isObject } from './values.js';

/** A problem of a value by a JSON Schema: its path, and a sentence. */
export interface SchemaProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A compiled schema: its validator, or why it is no JSON Schema. */
type Tried = { readonly validate: ValidateFunction } | { readonly problem: string };

type Dialect = '2020' | '2019' | '07';

const OPTIONS: Options = {
  allErrors: true,
  strict: false,
  validateFormats: false,
  logger: false,
  code: { regExp: Object.assign(countedPattern, { code: 'countedPattern' }) },
};
const MOST_PROBLEMS = 100;
/** Cost of a validation step in the budget of expressions. */
const STEP_TURNS = 2;
const MOST_VALIDATORS = 1000;
/** Limit of the cached schemas, in characters. */
const MAX_CACHED_CHARACTERS = 4_000_000;

/** Thrown if validation takes too many steps. */
class TooMuchWork extends Error {}

/** Steps of the running validation. Validation is synchronous, so there is one at a time. */
let steps = 0;

function spend(count: number): true {
  steps += count;
  if (steps > LIMITS.schemaSteps.value) throw new TooMuchWork();
  return true;
}

/** A pattern whose use counts as steps, by the length of the text. */
function countedPattern(source: string): { test(text: string): boolean; toString(): string } {
  const pattern = textPattern(source);
  return {
    test: (text) => spend(1 + text.length / 100) && pattern.test(text),
    toString: () => `/${source}/u`,
  };
}

/** A keyword that counts the cost of each schema. */
const COUNTED: FuncKeywordDefinition = { keyword: COST, schemaType: 'number', validate: (cost: number) => spend(cost) };

/** Keywords of drafts after 07: `dependentRequired`, `dependentSchemas`, `minContains`, `unevaluatedProperties` and more. */
const NEWER = ['ajv/dist/vocabularies/next.js', 'ajv/dist/vocabularies/unevaluated/index.js'];

/** Ajv compares all pairs of items; this looks each one up. */
const UNIQUE_ITEMS: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: { message: 'must NOT have duplicate items' },
  validate: (unique: boolean, items: readonly Json[]) => {
    if (!unique) return true;
    const seen = new Set<string>();
    for (const item of items) {
      const text = canonical(item);
      spend(1 + text.length / 32);
      if (seen.has(text)) return false;
      seen.add(text);
    }
    return true;
  },
};

const byValue = new WeakMap<object, Tried>();
const byText = new Map<string, Tried>();
let textKept = 0;
const compilers = new Map<Dialect, Ajv07.Ajv>();

/** Why a value isn't a JSON Schema (draft 2020-12, 2019-09 or 07; unknown keywords are accepted); undefined if it is. */
export function jsonSchemaProblem(schema: Json): string | undefined {
  if (!isObject(schema)) return 'a schema is a map';
  const tried = tryOut(schema);
  return 'problem' in tried ? tried.problem : undefined;
}

/**
 * The problems of a value by a JSON Schema; empty if it is valid. `format` is an annotation. Null means no schema, which
 * accepts everything.
 * @throws ExpressionFailure if the schema is invalid
 */
export function schemaProblems(schema: Json, value: Json): readonly SchemaProblem[] {
  if (schema === null) return [];
  const tried = tryOut(schema);
  if ('problem' in tried) throw new ExpressionFailure(`invalid JSON Schema: ${tried.problem}`);
  const { validate } = tried;
  const verdict = check(validate, value);
  spendTurns(Math.min(steps, LIMITS.schemaSteps.value) * STEP_TURNS);
  if (verdict === 'valid') return [];
  if (verdict === 'too much work') {
    const message = `The value takes more than ${LIMITS.schemaSteps.value} steps to check against this schema.`;
    return [{ path: [], message }];
  }
  const problems = new Map<string, SchemaProblem>();
  for (const error of (validate.errors ?? []).filter(isOutermost)) {
    const problem = { path: pathOf(error, value), message: messageOf(error) };
    problems.set(JSON.stringify([problem.path, problem.message]), problem);
    if (problems.size >= MOST_PROBLEMS) break;
  }
  return [...problems.values()];
}

function check(validate: ValidateFunction, value: Json): 'valid' | 'invalid' | 'too much work' {
  steps = 0;
  try {
    return validate(value) ? 'valid' : 'invalid';
  } catch (error) {
    // A value nested deeper than the stack counts as too much work.
    if (error instanceof TooMuchWork || error instanceof RangeError) return 'too much work';
    throw error;
  }
}

/** A path as text after a prefix: `input.items[0].name`. */
export function pathText(prefix: string, path: readonly (string | number)[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return prefix === '' && text.startsWith('.') ? text.slice(1) : prefix + text;
}

function tryOut(schema: Json): Tried {
  const key = typeof schema === 'object' && schema !== null ? schema : undefined;
  let tried = key && byValue.get(key);
  if (tried) return tried;
  const text = JSON.stringify(schema);
  tried = byText.get(text);
  if (!tried) {
    tried = compile(schema);
    textKept += text.length;
    if (byText.size >= MOST_VALIDATORS || textKept > MAX_CACHED_CHARACTERS) {
      byText.clear();
      textKept = text.length;
    }
    byText.set(text, tried);
  }
  if (key) byValue.set(key, tried);
  return tried;
}

function compile(schema: Json): Tried {
  const unshapely = isObject(schema) ? shapeProblem(schema) : undefined;
  if (unshapely !== undefined) return { problem: unshapely };
  let problem: string | undefined;
  for (const dialect of dialectsOf(schema)) {
    try {
      steps = -Infinity; // Ajv checks the schema itself by a schema: its size is bounded already.
      const validate = compiledBy(compiler(dialect), withCosts(withoutDialect(schema)) as AnySchema);
      if ('$async' in validate) return { problem: '$async is not supported' };
      return { validate };
    } catch (error) {
      problem ??= error instanceof Error ? error.message : String(error);
    }
  }
  return { problem: problem ?? 'no dialect fits' };
}

/**
 * Ajv registers the schema while it compiles, for references to its root; it is removed, since a later schema may have the same
 * `$id`.
 */
function compiledBy(ajv: Ajv07.Ajv, schema: AnySchema): ReturnType<Ajv07.Ajv['compile']> {
  try {
    return ajv.compile(schema);
  } finally {
    if (typeof schema === 'object') ajv.removeSchema(schema);
  }
}

/** The newest draft unless the schema names one; a schema without one may still be draft 07. */
function dialectsOf(schema: Json): readonly Dialect[] {
  const named = isObject(schema) ? schema['$schema'] : undefined;
  if (typeof named !== 'string' || named.includes('2020-12')) return ['2020', '07'];
  return named.includes('2019-09') ? ['2019'] : ['07'];
}

function withoutDialect(schema: Json): AnySchema {
  if (!isObject(schema) || typeof schema['$schema'] !== 'string') return schema as AnySchema;
  const { $schema: _named, ...rest } = schema;
  return rest;
}

/** Ajv is loaded when a schema is first used, since loading takes as long as a whole start may. */
function compiler(dialect: Dialect): Ajv07.Ajv {
  let made = compilers.get(dialect);
  if (!made) compilers.set(dialect, (made = newCompiler(dialect)));
  return made;
}

function newCompiler(dialect: Dialect): Ajv07.Ajv {
  const ajv = bareCompiler(dialect);
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword(UNIQUE_ITEMS);
  ajv.addKeyword(COUNTED);
  return ajv;
}

function bareCompiler(dialect: Dialect): Ajv07.Ajv {
  const require = createRequire(import.meta.url);
  switch (dialect) {
    case '2020': {
      const { Ajv2020: Compiler } = require('ajv/dist/2020.js') as typeof Ajv2020;
      return new Compiler(OPTIONS);
    }
    case '2019': {
      const { Ajv2019: Compiler } = require('ajv/dist/2019.js') as typeof Ajv2019;
      return new Compiler(OPTIONS);
    }
    case '07': {
      const { Ajv: Compiler } = require('ajv') as typeof Ajv07;
      const ajv = new Compiler({ ...OPTIONS, next: true, unevaluated: true });
      // Schemas that mix drafts are read as draft 07 too, with the newer keywords.
      for (const vocabulary of NEWER) {
        const { default: keywords } = require(vocabulary) as { readonly default: Vocabulary };
        ajv.addVocabulary(keywords);
      }
      return ajv;
    }
  }
}

/**
 * Whether an error is reported: errors in alternatives that don't apply, and of property names, are covered by the outer error.
 */
function isOutermost({ keyword, schemaPath, propertyName }: ErrorObject): boolean {
  return keyword !== 'if' && propertyName === undefined && !/\/(anyOf|oneOf)\/\d+\//.test(schemaPath);
}

function pathOf({ instancePath, params }: ErrorObject, value: Json): (string | number)[] {
  const path = pathOfPointer(instancePath, value);
  const member = memberOf(params);
  return member === undefined ? path : [...path, member];
}

/** The member of an object that an error about the object refers to. */
function memberOf(params: Readonly<Record<string, unknown>>): string | undefined {
  const keys = ['missingProperty', 'additionalProperty', 'unevaluatedProperty', 'propertyName'];
  const found = keys.map((key) => params[key]).find((name) => typeof name === 'string');
  return typeof found === 'string' ? found : undefined;
}

function messageOf({ keyword, params, message }: ErrorObject): string {
  if ('missingProperty' in params) return 'The value is required.';
  switch (keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'false schema':
      return 'The value is not allowed.';
    case 'propertyNames':
      return 'The value has a name that is not allowed.';
    case 'enum':
      return `The value must be one of: ${(params as { allowedValues: unknown[] }).allowedValues.map(String).join(', ')}.`;
    case 'const':
      return `The value must be ${JSON.stringify((params as { allowedValue: unknown }).allowedValue)}.`;
    default:
      return `The value ${(message ?? 'is not valid').replace(' NOT ', ' not ')}.`;
  }
}
