import { type FileKind, readText } from '../../../engine/pack/index.js';
import type { Json } from '../../../engine/values/index.js';
import {
  below,
  Draft,
  isAlias,
  isBlockMap,
  isMap,
  isSame,
  isScalar,
  isSeq,
  pairKey,
  type DraftPlace,
  plainest,
  wholeExpression,
  WIDTH,
} from './draft.js';
import { shortenErrors } from './errors.js';
import { shortenParams } from './params.js';
import { isRecord } from '../../../engine/values/index.js';

/** Kinds of files without expressions; their texts aren't shortened. */
const LEFT: ReadonlySet<FileKind> = new Set([
  'browser',
  'example',
  'mcp',
  'graphql',
  'task',
  'table',
  'actors',
  'facts',
]);
/** Keys that identify a step. `HOLDS_STEPS`: keys whose values contain nested steps. */
const STEPS = [
  'create',
  'set',
  'delete',
  'send',
  'emit',
  'run',
  'fail',
  'return',
  'pin',
  'unpin',
  'wait',
  'advance_clock',
  'unsupported',
  'delay',
  'call',
  'if',
  'for',
  'within',
];
const HOLDS_STEPS = ['then', 'else', 'do', 'let'];

/**
 * Rewrites a pack file in short forms: `=expression`, names without a colon, parameters by name, errors with defaults, and steps on one line if they
 * fit. Edits the text, so that comments and other parts stay.
 * @returns undefined if the text isn't YAML, or the result would have another meaning
 */
export function shorten(kind: FileKind, text: string): string | undefined {
  if (LEFT.has(kind)) return text;
  const draft = new Draft(text);
  if (draft.document.errors.length > 0) return undefined;
  const place: DraftPlace = { expressions: true, variables: false, inFlow: false, key: undefined };
  if (kind === 'errors') shortenErrors(draft, place);
  if (kind === 'resource') shortenParams(draft, place);
  visit(draft, draft.document.contents, place, false);
  const made = draft.result();
  return made === text || meaning(kind, made) === meaning(kind, text) ? made : undefined;
}

/** Serializes the meaning of a file in its long form; the order of attributes of a parameter and of its fields doesn't matter. */
function meaning(kind: FileKind, text: string): string {
  const { file, problems } = readText('', kind, text);
  if (problems.some(({ severity }) => severity === 'error')) return `broken ${text}`;
  const inParams = (value: Json, depth: number): Json => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const entries = Object.entries(value).map(([key, each]) => [key, inParams(each, depth + 1)] as const);
    // Treats a parameter that has only a type like the type alone.
    if (depth === 4 && entries.length === 1 && isRecord(value) && typeof value['type'] === 'string')
      return value['type'];
    return Object.fromEntries(depth < 4 ? entries : entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  };
  const { operations, ...rest } = isRecord(file.data) ? file.data : {};
  return JSON.stringify([
    kind === 'resource' ? inParams({ operations: operations ?? null }, 0) : operations,
    isRecord(file.data) ? rest : file.data,
  ]);
}

/** Shortens a node and everything inside of it. @param inList whether the node is an item of a list */
function visit(draft: Draft, node: unknown, place: DraftPlace, inList: boolean): void {
  if (node === null || isAlias(node)) return;
  if (isScalar(node)) {
    const expression = place.expressions ? wholeExpression(node.value) : undefined;
    if (expression === undefined || draft.touches(node)) return;
    const [from, to] = draft.rangeOf(node);
    const written = draft.slice(node);
    if (!written.includes('\n'))
      return draft.edit(from, to, place.inFlow ? plainest(`=${expression}`) : plainestInBlock(expression));
    const [open, close] = [written.indexOf('${'), written.lastIndexOf('}')];
    draft.edit(from + open, from + open + 2, '=');
    draft.edit(from + close, from + close + 1, '');
  } else if (isSeq(node)) {
    for (const each of node.items)
      visit(draft, each, { ...place, inFlow: place.inFlow || node.flow === true, key: undefined }, true);
  } else if (isMap(node)) {
    const keys = node.items.map(pairKey);
    const isStep =
      inList &&
      !place.variables &&
      keys.some((key) => STEPS.includes(key)) &&
      !keys.some((key) => HOLDS_STEPS.includes(key));
    if (isStep && onOneLine(draft, node, place, draft.column(draft.rangeOf(node)[0]))) return;
    for (const pair of node.items) {
      const inside = below(place, pairKey(pair), node.flow === true);
      const [from, to] = [draft.rangeOf(pair.key)[1], draft.rangeOf(pair.value)[1]];
      if ((node.flow === true || place.inFlow) && isSame(pair, place)) {
        if (!draft.touches(pair.value)) draft.edit(from, to, '');
        continue;
      }
      const isArguments = inside.variables && !place.variables && isBlockMap(pair.value);
      if (isArguments && argumentsOnOneLine(draft, pair.value, inside, from, to)) continue;
      visit(draft, pair.value, inside, false);
    }
  }
}

/** Formats an expression as a value of a block map or list. */
function plainestInBlock(expression: string): string {
  // Commas and brackets need quotes only inside { } and [ ].
  const plain = `=${expression}`;
  return /: |:$| #|\s$/.test(plain) ? plainest(plain) : plain;
}

/** Puts a multi-line `with:` on one line, beside its key or below it. */
function argumentsOnOneLine(draft: Draft, node: unknown, place: DraftPlace, from: number, to: number): boolean {
  if (!isMap(node) || !draft.fitsOneLine(node) || draft.touches(node)) return false;
  const made = draft.flow(node, { ...place, inFlow: true });
  const beside = draft.column(from) + 2 + made.length <= WIDTH;
  if (!beside && (node.items.length < 2 || draft.column(draft.rangeOf(node)[0]) + made.length > WIDTH)) return false;
  if (beside) draft.edit(from + 1, to, ` ${made}`);
  else draft.edit(...draft.rangeOf(node), made);
  return true;
}

function onOneLine(draft: Draft, node: unknown, place: DraftPlace, column: number): boolean {
  if (!isBlockMap(node) || !draft.fitsOneLine(node) || draft.touches(node)) return false;
  const made = draft.flow(node, { ...place, inFlow: true });
  if (column + made.length > WIDTH) return false;
  draft.edit(...draft.rangeOf(node), made);
  return true;
}
