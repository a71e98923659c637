import { isMap, isScalar, isSeq, type Pair, parseDocument, type Scalar } from 'yaml';

/** A key or value of a YAML text that can be mutated. */
export interface Spot {
  readonly path: readonly (string | number)[];
  /** The path as text: `operations/create/do/0`. */
  readonly place: string;
  /** Offsets of the key, if it is a pair of a map. */
  readonly key: { readonly start: number; readonly end: number; readonly text: string } | undefined;
  /** Offsets of a scalar as written, including quotes; `value` is the parsed scalar. */
  readonly scalar:
    { readonly start: number; readonly end: number; readonly value: unknown; readonly quoted: boolean } | undefined;
  /** Offsets of the whole value. */
  readonly start: number;
  readonly end: number;
  readonly kind: 'scalar' | 'map' | 'list' | 'empty';
  /** Whether it is inside `{...}` or `[...]`. */
  readonly flow: boolean;
}

/** Every key and value of a YAML text, in order. */
export function spotsOf(text: string): Spot[] {
  const spots: Spot[] = [];
  const visit = (node: unknown, path: readonly (string | number)[], key: Spot['key'], flow: boolean): void => {
    const range = rangeOf(node);
    if (path.length > 0) {
      const kind = isMap(node)
        ? 'map'
        : isSeq(node)
          ? 'list'
          : range === undefined || range[0] === range[1]
            ? 'empty'
            : 'scalar';
      const [start, end] = range ?? [key?.end ?? 0, key?.end ?? 0];
      spots.push({
        path,
        place: path.map((step) => String(step).replaceAll('/', '|')).join('/'),
        key,
        start,
        end,
        kind,
        flow,
        scalar: isScalar(node) && kind === 'scalar' ? scalarSpot(node, start, end) : undefined,
      });
    }
    if (isMap(node)) {
      const inner = flow || node.flow === true;
      for (const pair of node.items) visitPair(pair, path, inner);
    } else if (isSeq(node)) {
      const inner = flow || node.flow === true;
      node.items.forEach((item, index) => visit(item, [...path, index], undefined, inner));
    }
  };
  const visitPair = (pair: Pair, path: readonly (string | number)[], flow: boolean): void => {
    const range = rangeOf(pair.key);
    if (!isScalar(pair.key) || range === undefined) return;
    const name = pair.key.source ?? String(pair.key.value);
    visit(pair.value, [...path, name], { start: range[0], end: range[1], text: name }, flow);
  };
  visit(parseDocument(text, { uniqueKeys: false }).contents, [], undefined, false);
  return spots;
}

function scalarSpot(node: Scalar, start: number, end: number): Spot['scalar'] {
  return { start, end, value: node.value, quoted: node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE' };
}

function rangeOf(node: unknown): [number, number] | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined;
  const [start, end] = node.range as [number, number];
  return [start, end];
}
