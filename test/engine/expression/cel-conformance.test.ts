import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../../engine/values/index.js';
import { compile } from './sample-environment.js';
import { ROOT } from '../../support/root.js';

/**
 * The conformance cases of the CEL specification (its "simple" tests), as far as the language takes them: literals of JSON,
 * operators, conditions, lists, maps, macros and texts. Outside are unsigned numbers, bytes, messages, timestamps as a type,
 * keys of maps other than text and the extensions. `dyn(x)` is written `(x)`: the checker knows more than CEL's does.
 */

type Case = readonly [name: string, source: string, wanted: { readonly value: Json } | { readonly error: true }];

const CASES = JSON.parse(
  readFileSync(join(ROOT, 'test', 'engine', 'expression', 'cel-conformance.json'), 'utf8'),
) as readonly Case[];

/** Where the language differs, and what it gives instead (docs/internals/decisions.md, "Expressions"); undefined: an error. */
const DECIDED: readonly { readonly why: string; readonly cases: RegExp; readonly gives: (value: Json) => boolean }[] = [
  { why: 'numbers are JSON numbers: no 64-bit overflow', cases: /overflow|_range$|int64_min_/, gives: isLarge },
  { why: 'a missing member is null', cases: /index_out_of_bounds|zero_based_double_error/, gives: isNull },
];
/** A division by zero is an error at once: there is no NaN, and an error does not wait for what stands behind it. */
const AT_ONCE = /_nan$|short_circuit_error_right|list_elem_error_shortcircuit/;

function isLarge(value: Json): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

function isNull(value: Json): boolean {
  return value === null;
}

/** The value of an expression; undefined when it is refused, or fails. */
function valueOf(source: string): Json | undefined {
  try {
    return compile(source).run();
  } catch {
    return undefined;
  }
}

test('there are as many cases as there were', () => {
  expect(CASES.length).toBeGreaterThan(500);
});

test.each(CASES)('%s: %s', (name, source, wanted) => {
  const value = valueOf(source);
  const decided = DECIDED.find(({ cases }) => cases.test(name));
  if ('error' in wanted && decided !== undefined && value !== undefined) expect(decided.gives(value)).toBe(true);
  else if ('error' in wanted || AT_ONCE.test(name)) expect(value).toBeUndefined();
  else expect(value).toEqual(wanted.value);
});
