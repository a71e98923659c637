import { keptInside, seenByCallers } from './address.js';
import { type Compiled, truth } from './compiled.js';
import type { Site } from './site.js';
import { ExpressionError, type ExpressionNode } from './parse.js';
import { automatonOf, BadPattern, patternProblem, type TextPattern, textPattern } from '../values/index.js';
import { capture, matched, replaceMatches } from './pattern-functions.js';
import { accepts, describeType, STRING } from './types.js';

export type SpecialCall = ExpressionNode & { op: 'call' };

export function arity(node: SpecialCall, count: number, usage: string): void {
  if (node.args.length !== count) throw new ExpressionError(`usage: ${usage}`, node.start);
}

/** `matches(text, "pattern")`, also `text.matches("pattern")`: the pattern is constant and runs in linear time. */
export function compileMatches(node: SpecialCall, site: Site): Compiled {
  const args = node.of ? [node.of, ...node.args] : node.args;
  if (args.length !== 2) throw new ExpressionError('usage: matches(text, "pattern")', node.start);
  const [textNode, patternNode] = args;
  const subject = site.compile(textNode);
  if (!accepts(STRING, subject.type))
    throw new ExpressionError(`matches() needs text, not ${describeType(subject.type)}`, textNode.start);
  const source = site.compile(patternNode).constant;
  if (typeof source !== 'string')
    throw new ExpressionError('the pattern of matches() is constant text', patternNode.start);
  const pattern = site.unit.refer(compilePattern(source, patternNode.start), 'pattern');
  return truth(`${site.unit.refer(matched, 'matched')}(${pattern}, ${seenByCallers(subject, site.unit)})`);
}

/** `replace_matches(text, "pattern", replacement)`: `$1` to `$9` in the replacement are groups, `$0` is the whole match. */
export function compileReplaceMatches(node: SpecialCall, site: Site): Compiled {
  arity(node, 3, 'replace_matches(text, "pattern", replacement)');
  const [subject, finder] = compileFinder(node, site);
  const replacement = site.compile(node.args[2]);
  if (!accepts(STRING, replacement.type))
    throw new ExpressionError(`the replacement is text, not ${describeType(replacement.type)}`, node.args[2].start);
  const called = site.unit.refer(replaceMatches, 'replaceMatches');
  const [text, put] = [seenByCallers(subject, site.unit), seenByCallers(replacement, site.unit)];
  return { type: STRING, js: keptInside(STRING, `${called}(${finder}, ${text}, ${put})`, site.unit) };
}

/** `capture(text, "pattern")`: the first group of the first match, or the whole match; null if nothing matches. */
export function compileCapture(node: SpecialCall, site: Site): Compiled {
  arity(node, 2, 'capture(text, "pattern")');
  const [subject, finder] = compileFinder(node, site);
  const found = `${site.unit.refer(capture, 'capture')}(${finder}, ${seenByCallers(subject, site.unit)})`;
  return { type: STRING, js: keptInside(STRING, found, site.unit) };
}

/** Compiles the arguments of a pattern function: the text, and the constant pattern as JavaScript. */
function compileFinder({ args: [textNode, patternNode], name }: SpecialCall, site: Site): [Compiled, string] {
  const subject = site.compile(textNode);
  if (!accepts(STRING, subject.type))
    throw new ExpressionError(`${name}() needs text, not ${describeType(subject.type)}`, textNode.start);
  const source = site.compile(patternNode).constant;
  if (typeof source !== 'string')
    throw new ExpressionError(`the pattern of ${name}() is constant text`, patternNode.start);
  compilePattern(source, patternNode.start);
  try {
    return [subject, site.unit.refer(automatonOf(source), 'finder')];
  } catch (error) {
    throw error instanceof BadPattern ? new ExpressionError(error.problem.message, patternNode.start) : error;
  }
}

function compilePattern(source: string, start: number): TextPattern {
  const problem = patternProblem(source);
  if (problem === undefined) return textPattern(source);
  throw new ExpressionError(problem.kind === 'broken' ? `not a pattern: ${problem.message}` : problem.message, start);
}
