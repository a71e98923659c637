import type { SchemaContext } from './schema-context.js';
import type { ProblemCode } from '../codes.js';
import { type Json, type JsonObject, packPattern } from '../values/index.js';
import { describeType } from '../expression/index.js';
import { suggest } from '../pack/index.js';
import { inside, keyIn, type Diagnostics, type SourceLocation } from './diagnostics.js';
import { type Clamp, type Format, type SchemaRules, rulesOf, type Schema, type SchemaKind } from './schema.js';

const RULES = ['min', 'max', 'clamp', 'decimals', 'max_length', 'pattern', 'format'] as const;

/** Kinds of types that can have bounds; `TEXTUAL`: kinds that can have rules for texts. A union can have both. */
const BOUNDED: ReadonlySet<SchemaKind> = new Set(['integer', 'number', 'one_of', 'any', 'timestamp', 'map', 'array']);

const TEXTUAL: ReadonlySet<SchemaKind> = new Set(['string', 'ref', 'one_of', 'any', 'enum', 'map', 'array']);

/** Reads the rules of a type and those in a declaration of that type. Reports rules that don't apply to the type. */
export function readRules(file: JsonObject, base: Schema, place: SourceLocation, context: SchemaContext): SchemaRules {
  const known = rulesOf(base);
  if (!RULES.some((key) => key in file)) return known;
  const { min, max, clamp, decimals, max_length, pattern, format } = file;
  const rules: SchemaRules = {
    min: typeof min === 'number' ? min : known.min,
    max: typeof max === 'number' ? max : known.max,
    clamp: clamp === undefined ? known.clamp : clampOf(clamp, inside(place, 'clamp'), context),
    decimals: typeof decimals === 'number' ? decimals : known.decimals,
    max_length: typeof max_length === 'number' ? max_length : known.max_length,
    pattern: typeof pattern === 'string' ? packPattern(pattern) : known.pattern,
    format: typeof format === 'string' ? formatOf(format, place, context) : known.format,
  };
  checkRules(rules, base, place, context.diagnostics);
  return rules;
}

function formatOf(name: string, place: SourceLocation, { formats, diagnostics }: SchemaContext): Format | undefined {
  const format = diagnostics.find(inside(place, 'format'), 'format', name, formats);
  return format;
}

/** Returns the value of `clamp`, or of the variable that `clamp` names. */
function clampOf(given: Json, place: SourceLocation, { vars, diagnostics }: SchemaContext): Clamp {
  if (typeof given === 'boolean') return given;
  const [, name] = VARIABLE.exec(String(given)) ?? [];
  if (name !== undefined) diagnostics.known(place, 'variable', name, vars);
  const word = name === undefined ? String(given) : (vars.get(name) ?? 'reject');
  const clamp = CLAMPS.get(word);
  if (clamp === undefined)
    diagnostics.problem(
      place,
      'invalid-value',
      `the variable '${name}' is '${word}': it has to be ${[...CLAMPS.keys()].join(', ')}`,
      {
        suggestion: suggest(word, CLAMPS.keys()),
      },
    );
  return clamp ?? false;
}

const VARIABLE = /^\$\{\s*vars\.(\w+)\s*\}$/;

const CLAMPS: ReadonlyMap<string, Clamp> = new Map<string, Clamp>([
  ['clamp', true],
  ['reject', false],
  ['max', 'max'],
  ['min', 'min'],
]);

function checkRules(rules: SchemaRules, { kind, expr }: Schema, place: SourceLocation, diagnostics: Diagnostics): void {
  const { min, max, clamp } = rules;
  const wrong = (key: string, code: ProblemCode, message: string): void =>
    diagnostics.problem(keyIn(place, key), code, message);
  if (min !== undefined && max !== undefined && min > max)
    diagnostics.problem(inside(place, 'min'), 'invalid-value', `the least value ${min} is above the greatest ${max}`);
  if (clamp && min === undefined && max === undefined)
    wrong('clamp', 'no-bounds', 'there is no bound that values could be moved to');
  // A text may have `min` and `max_length`, and a map may have `max_length` besides `min` and `max`.
  const bound = min !== undefined && kind !== 'string' ? 'min' : max !== undefined ? 'max' : undefined;
  if (bound !== undefined && !BOUNDED.has(kind))
    wrong(bound, 'wrong-type', `only numbers, lists and maps have bounds; this is ${describeType(expr)}`);
  if (rules.decimals !== undefined && kind !== 'number')
    wrong(
      'decimals',
      'wrong-type',
      `only numbers have decimals; this is ${kind === 'integer' ? 'a whole number' : describeType(expr)}`,
    );
  for (const key of ['max_length', 'pattern', 'format'] as const) {
    if (rules[key] === undefined || TEXTUAL.has(kind)) continue;
    wrong(key, 'wrong-type', `only text has a ${key.replace('_', ' ')}; this is ${describeType(expr)}`);
  }
}
