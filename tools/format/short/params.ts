import type { Pair, YAMLMap } from 'yaml';
import { asParam } from '../../../engine/pack/index.js';
import type { Json } from '../../../engine/values/index.js';
import { type Draft, filled, isBlockMap, isMap, isScalar, pairKey, pairsOf, type DraftPlace, WIDTH } from './draft.js';
import { isRecord } from '../../../engine/values/index.js';

/** Maximum length of a declaration that shares its line. */
const OWN_LINE = 28;

/** The parameters of an operation, with their place in the file. */
interface Params {
  readonly pair: Pair;
  readonly map: YAMLMap;
  readonly inFlow: boolean;
}

/**
 * Writes parameters by name if several operations, or a field, declare them alike, and moves shared declarations to `params:`
 * of the resource. Operations with comments or anchors in their parameters stay.
 */
export function shortenParams(draft: Draft, place: DraftPlace): void {
  const operations = draft.top.get('operations');
  if (!operations || draft.top.has('params') || !isMap(operations.value)) return;
  const all = operations.value.items.flatMap((operation) => paramsOf(draft, operation));
  const fields = pairsOf(draft.top.get('fields')?.value);
  const shared = new Map<string, { readonly type: string; readonly text: string }>();
  const byField = new Map<string, string>();
  for (const [name, types] of declarations(draft, all)) {
    const [type, pairs] = [...types].toSorted(([, a], [, b]) => b.length - a.length)[0];
    const field = fields.get(name);
    const isField =
      field !== undefined && !pairsOf(field.value).has('view') && typeKey(asParam(dataOf(draft, field.value))) === type;
    if (isField) byField.set(name, type);
    else if (pairs.length > 1) shared.set(name, { type, text: declaration(draft, pairs[0], place) });
  }
  const isNamed = (pair: Pair): boolean =>
    (shared.get(nameOf(pair))?.type ?? byField.get(nameOf(pair))) === typeKey(dataOf(draft, pair.value));
  for (const params of all) shortenOne(draft, params, isNamed, place);
  if (shared.size === 0) return;
  const [at] = draft.rangeOf(operations.key);
  draft.edit(
    at,
    at,
    `params:\n${[...shared].map(([name, { text }]) => `${filled(`  ${name}: `, text, '    ')}\n`).join('')}\n`,
  );
}

/** Writes the parameters of one operation. A long list keeps its lines unless a parameter can be written as just its name. */
function shortenOne(draft: Draft, params: Params, isNamed: (pair: Pair) => boolean, place: DraftPlace): void {
  const { items } = params.map;
  const required = items.filter((pair) => isRequired(draft, pair));
  const text = (pair: Pair): string => {
    const name = `${nameOf(pair)}${required.includes(pair) ? '!' : ''}`;
    return isNamed(pair) ? name : `${name}: ${declaration(draft, pair, place)}`;
  };
  if (items.some(isNamed) || params.map.flow === true) {
    if (items.some(isNamed) || required.length > 0)
      draft.edit(
        draft.rangeOf(params.pair.key)[1] + 1,
        draft.rangeOf(params.map)[1],
        laidOut(draft, params, items.map(text)),
      );
    return;
  }
  for (const pair of required)
    if (!isBlockMap(pair.value)) draft.edit(draft.rangeOf(pair.key)[0], draft.rangeOf(pair.value)[1], text(pair));
}

function paramsOf(draft: Draft, operation: Pair): Params[] {
  const pair = pairsOf(operation.value).get('params');
  if (!pair || !isMap(pair.value) || !isMap(operation.value)) return [];
  const text = draft.slice(operation.value).replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/g, '""');
  const isPlain =
    draft.fitsOneLine(pair.value) &&
    !/(?:^|[\s{[,])[&*][A-Za-z]|<</.test(text) &&
    pair.value.items.every(({ value }) => value !== null);
  return isPlain && pair.value.items.length > 0
    ? [{ pair, map: pair.value, inFlow: operation.value.flow === true }]
    : [];
}

/** Names of parameters with the types in operations, and their locations. */
function declarations(draft: Draft, all: readonly Params[]): ReadonlyMap<string, ReadonlyMap<string, readonly Pair[]>> {
  const found = new Map<string, Map<string, Pair[]>>();
  for (const pair of all.flatMap(({ map }) => map.items)) {
    const types = found.get(nameOf(pair)) ?? new Map<string, Pair[]>();
    const type = typeKey(dataOf(draft, pair.value));
    found.set(nameOf(pair), types.set(type, [...(types.get(type) ?? []), pair]));
  }
  return found;
}

/** Serializes a type without `required`, so that equal types have equal keys. */
function typeKey(type: Json): string {
  const { required: _required, ...long } = isRecord(type) ? type : { type };
  return JSON.stringify(Object.entries(long).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function dataOf(draft: Draft, node: unknown): Json {
  return isMap(node) || isScalar(node) ? (node.toJS(draft.document) as Json) : null;
}

/** Returns the name of a parameter, without the mark of required ones. */
function nameOf(pair: Pair): string {
  return pairKey(pair).replace(/!$/, '');
}

function isRequired(draft: Draft, pair: Pair): boolean {
  const type = dataOf(draft, pair.value);
  return pairKey(pair).endsWith('!') || (isRecord(type) && type['required'] === true);
}

/** Returns the text of a type without `required: true`. */
function declaration(draft: Draft, { value }: Pair, place: DraftPlace): string {
  if (!isMap(value)) return draft.slice(value);
  const items = value.items.filter((each) => pairKey(each) !== 'required' || draft.slice(each.value) !== 'true');
  const [only] = items;
  if (items.length === 1 && pairKey(only) === 'type' && isScalar(only.value)) return draft.slice(only.value);
  return `{ ${items.map((each) => draft.pair(each, { ...place, inFlow: true, key: undefined })).join(', ')} }`;
}

/** Lays out parameters: fills lines with names, and gives a long declaration its own line. */
function laidOut(draft: Draft, { pair, inFlow }: Params, items: readonly string[]): string {
  const indent = draft.column(draft.rangeOf(pair.key)[0]);
  const line = `{ ${items.join(', ')} }`;
  if (inFlow || indent + 'params: '.length + line.length <= WIDTH) return ` ${line}`;
  const start = ' '.repeat(indent + 2);
  const lines: string[] = [];
  let current = `${start}{ `;
  let afterOwn = false;
  items.forEach((item, at) => {
    const piece = at < items.length - 1 ? `${item}, ` : `${item} }`;
    const isOwn = item.includes(': ') && item.length > OWN_LINE;
    if (at > 0 && (isOwn || afterOwn || lastLine(current).length + piece.trimEnd().length > WIDTH)) {
      lines.push(current.trimEnd());
      current = `${start}  `;
    }
    current = filled(current, piece, `${start}    `);
    afterOwn = isOwn;
  });
  return `\n${[...lines, current.trimEnd()].join('\n')}`;
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}
