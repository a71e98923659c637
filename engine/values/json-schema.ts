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

/** Where a value doesn't match a JSON Schema: the path, and a sentence. */
export interface SchemaProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The result of compiling a schema: its validator, or why the schema is invalid. */
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
/** Number of turns in the budget of expressions that one step of validation costs. */
const STEP_TURNS = 2;
const MOST_VALIDATORS = 1000;
/** Size limit of all cached schemas, in characters. */
const MAX_CACHED_CHARACTERS = 4_000_000;

/** Thrown if validation takes too many steps. */
class TooMuchWork extends Error {}

/** Number of steps that the running validation has taken. Validation is synchronous, so only one runs at a time. */
let steps = 0;

function spend(count: number): true {
  steps += count;
  if (steps > LIMITS.schemaSteps.value) throw new TooMuchWork();
  return true;
}

/** Compiles a pattern whose every test counts as steps of validation, by the length of the text. */
function countedPattern(source: string): { test(text: string): boolean; toString(): string } {
  const pattern = textPattern(source);
  return {
    test: (text) => spend(1 + text.length / 100) && pattern.test(text),
    toString: () => `/${source}/u`,
  };
}

/** A keyword that adds the cost of its schema to the steps of validation. */
const COUNTED: FuncKeywordDefinition = { keyword: COST, schemaType: 'number', validate: (cost: number) => spend(cost) };

/** Ajv's modules for keywords of drafts after 07, such as `dependentRequired` and `unevaluatedProperties`. */
const NEWER = ['ajv/dist/vocabularies/next.js', 'ajv/dist/vocabularies/unevaluated/index.js'];

/** Replaces Ajv's `uniqueItems`, which compares all pairs of items, by a look-up of each item. */
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

/** Returns why a value isn't a JSON Schema (draft 2020-12, 2019-09 or 07); unknown keywords are accepted. */
export function jsonSchemaProblem(schema: Json): string | undefined {
  if (!isObject(schema)) return 'a schema is a map';
  const tried = tryOut(schema);
  return 'problem' in tried ? tried.problem : undefined;
}

/**
 * Returns the problems of a value by a JSON Schema; empty if it is valid. `format` isn't checked. A null schema accepts
 * everything.
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
    // A value that is nested too deeply for the stack counts as too much work.
    if (error instanceof TooMuchWork || error instanceof RangeError) return 'too much work';
    throw error;
  }
}

/** Formats a path as text after a prefix: `input.items[0].name`. */
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
      steps = -Infinity; // Ajv also validates the schema itself, whose size is limited already.
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
 * Compiles a schema, and then removes it from Ajv, which registers it by its `$id`, since another schema may have the same one.
 */
function compiledBy(ajv: Ajv07.Ajv, schema: AnySchema): ReturnType<Ajv07.Ajv['compile']> {
  try {
    return ajv.compile(schema);
  } finally {
    if (typeof schema === 'object') ajv.removeSchema(schema);
  }
}

/** The drafts by which a schema is tried, in order: the one that it names, else the newest and then draft 07. */
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

/** Returns Ajv for a draft, loaded on first use, since loading takes as long as a whole start may. */
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
      // A schema that mixes drafts is tried as draft 07 as well, with the newer keywords added.
      for (const vocabulary of NEWER) {
        const { default: keywords } = require(vocabulary) as { readonly default: Vocabulary };
        ajv.addVocabulary(keywords);
      }
      return ajv;
    }
  }
}

/**
 * Whether an error is reported. Errors in alternatives that don't apply, and those of property names, repeat an outer error.
 */
function isOutermost({ keyword, schemaPath, propertyName }: ErrorObject): boolean {
  return keyword !== 'if' && propertyName === undefined && !/\/(anyOf|oneOf)\/\d+\//.test(schemaPath);
}

function pathOf({ instancePath, params }: ErrorObject, value: Json): (string | number)[] {
  const path = pathOfPointer(instancePath, value);
  const member = memberOf(params);
  return member === undefined ? path : [...path, member];
}

/** Returns the name of the member that an error about an object concerns; undefined: none. */
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
