import { isMap, isScalar, isSeq, type Pair, parseDocument } from 'yaml';
import type { FileKind } from '../../../engine/pack/index.js';
import { Declared } from './schema.js';

/** A key or value of a YAML text that can be mutated. */
export interface Spot {
  readonly path: readonly (string | number)[];
  /** Offsets and text of the key; undefined for items of lists. */
  readonly key: { readonly start: number; readonly end: number; readonly text: string } | undefined;
  /** Whether the key is a keyword of the language or a name chosen by the pack; null: neither, or there is no key. */
  readonly keyIs: 'word' | 'name' | null;
  /** A scalar value; `quoted`: written with quotes. */
  readonly scalar: { readonly value: unknown; readonly quoted: boolean } | undefined;
  /** Offsets of the whole value, including quotes. */
  readonly start: number;
  readonly end: number;
  readonly kind: 'scalar' | 'map' | 'list' | 'empty';
  /** Whether the key or value is inside `{...}` or `[...]`. */
  readonly flow: boolean;
  readonly declared: Declared;
  /** The surrounding map or list; null at the top of the file. */
  readonly parent: Spot | null;
}

type Key = Pick<Spot, 'key' | 'keyIs'>;

/** Lists every key and value of a YAML text, in order. @param file kind of file, which selects the schema */
export function spotsOf(text: string, file: FileKind): Spot[] {
  const spots: Spot[] = [];
  const visit = (node: unknown, step: string | number, parent: Spot | null, declared: Declared, named: Key): void => {
    const [start, end] = rangeOf(node) ?? [named.key?.end ?? 0, named.key?.end ?? 0];
    const kind = isMap(node) ? 'map' : isSeq(node) ? 'list' : start === end ? 'empty' : 'scalar';
    const scalar =
      isScalar(node) && kind === 'scalar'
        ? { value: node.value, quoted: node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE' }
        : undefined;
    const path = [...(parent?.path ?? []), step];
    const flow = parent !== null && (parent.flow || text[parent.start] === '{' || text[parent.start] === '[');
    const spot = { path, ...named, scalar, start, end, kind, flow, declared, parent } as const;
    spots.push(spot);
    visitInside(node, spot, declared);
  };
  const visitInside = (node: unknown, parent: Spot | null, declared: Declared): void => {
    if (isMap(node)) for (const pair of node.items) visitPair(pair, parent, declared);
    if (isSeq(node))
      node.items.forEach((item, index) =>
        visit(item, index, parent, declared.atItem(item), { key: undefined, keyIs: null }),
      );
  };
  const visitPair = (pair: Pair, parent: Spot | null, declared: Declared): void => {
    const range = rangeOf(pair.key);
    if (!isScalar(pair.key) || range === undefined) return;
    const name = pair.key.source ?? String(pair.key.value);
    const { at, keyIs } = declared.atKey(name.replace(/!$/, ''), pair.value);
    visit(pair.value, name, parent, at, { key: { start: range[0], end: range[1], text: name }, keyIs });
  };
  const { contents } = parseDocument(text, { uniqueKeys: false });
  visitInside(contents, null, Declared.ofFile(file, contents));
  return spots;
}

function rangeOf(node: unknown): [number, number] | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined;
  const [start, end] = node.range as [number, number];
  return [start, end];
}
