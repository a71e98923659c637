import { isPair, isScalar, isSeq, parseDocument, type Scalar, visit } from 'yaml';
import type { FileKind, PackSource } from '../../engine/pack/index.js';
import { Machines, type StateUse } from './states.js';

/** The kind of a name in a pack. States belong to the file of their machine. */
export type NameKind = 'resource' | 'flow' | 'error' | 'event' | 'table' | 'type' | 'duration' | 'state';

/** An occurrence of a name. Offsets count characters from the start of the file. */
export interface NameOccurrence {
  readonly kind: NameKind;
  readonly name: string;
  /** Path of the file, relative to the pack's folder. */
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly defines: boolean;
  /** The file of the machine that has the state; only for states. */
  readonly owner?: string;
}

/** Paths whose keys are names, by kind of file. */
const DEFINING_KEYS: readonly { readonly kind: NameKind; readonly file: FileKind | null; readonly at: RegExp }[] = [
  { kind: 'error', file: 'errors', at: /^errors\/[^/]+$/ },
  { kind: 'type', file: 'types', at: /^[^/]+$/ },
  { kind: 'event', file: 'resource', at: /^events\/[^/]+$/ },
  { kind: 'state', file: 'resource', at: /^machine\/states\/[^/]+$/ },
  { kind: 'duration', file: 'pack', at: /^durations\/[^/]+$/ },
  { kind: 'flow', file: null, at: /^flows\/[^/]+$/ },
];
/** Paths of values that define a name. */
const DEFINING_VALUES: readonly { readonly kind: NameKind; readonly file: FileKind; readonly at: RegExp }[] = [
  { kind: 'resource', file: 'resource', at: /^resource$/ },
  { kind: 'flow', file: 'flow', at: /^flow$/ },
  { kind: 'table', file: 'table', at: /^table$/ },
];
/** Paths of values that refer to a name, by their end. */
const NAMING: readonly { readonly kind: NameKind; readonly at: RegExp }[] = [
  { kind: 'resource', at: /\/(?:create|ref|resource|stands_for)(?:\/\d+)?$/ },
  { kind: 'flow', at: /\/run$/ },
  { kind: 'error', at: /\/(?:fail|refusals\/[^/]+\/error)$|^outside\/\d+\/error$/ },
  { kind: 'event', at: /\/emit$/ },
  { kind: 'state', at: /^machine\/(?:initial|states\/.*)$|^events\/[^/]+\/enter(?:\/\d+)?$/ },
];
/** Functions in expressions whose first argument is a name. */
const CALLS: readonly { readonly kind: NameKind; readonly pattern: RegExp }[] = [
  { kind: 'resource', pattern: /\b(?:get|find|all|count)\(\s*([A-Za-z_]\w*)/g },
  { kind: 'table', pattern: /\b(?:lookup|rows)\(\s*([A-Za-z_]\w*)/g },
  { kind: 'duration', pattern: /\bduration\(\s*['"]([A-Za-z_]\w*)/g },
];

/** Finds every name that is defined or used in a pack. Omits undefined names, which the validator reports. */
export function packNames(source: PackSource): NameOccurrence[] {
  const machines = new Machines(source);
  const found = source.files.flatMap((file) => occurrencesIn(file.path, file.kind, file.text, machines));
  const known = new Set(found.filter(({ defines }) => defines).map(keyOf));
  return found.filter((each) => known.has(keyOf(each)));
}

function keyOf({ kind, name, file, owner = file }: NameOccurrence): string {
  return `${kind} ${name} ${kind === 'state' ? owner : ''}`;
}

/** Finds all occurrences of the name at an offset, including that one. */
export function sameName(all: readonly NameOccurrence[], file: string, offset: number): NameOccurrence[] {
  const here = all.find((each) => each.file === file && each.from <= offset && offset <= each.to);
  return here === undefined ? [] : all.filter((each) => keyOf(each) === keyOf(here));
}

function occurrencesIn(file: string, kind: FileKind, text: string, machines: Machines): NameOccurrence[] {
  const found: NameOccurrence[] = [];
  const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' });
  visit(document, {
    Scalar(key, node, ancestors) {
      const path = pathOf(node, ancestors);
      if (typeof node.value !== 'string' || !node.range) return;
      const place = (what: NameKind, defines: boolean, name = String(node.value), shift = 0): void => {
        const quoted = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE' ? 1 : 0;
        const from = (node.range?.[0] ?? 0) + quoted + shift;
        if (text.slice(from, from + name.length) === name)
          found.push({ kind: what, name, file, from, to: from + name.length, defines });
      };
      if (key === 'key') {
        for (const each of DEFINING_KEYS)
          if ((each.file === null || each.file === kind) && each.at.test(path)) place(each.kind, true);
        return;
      }
      for (const each of DEFINING_VALUES) if (each.file === kind && each.at.test(path)) return place(each.kind, true);
      for (const each of NAMING)
        if (each.at.test(`${path.includes('/') || each.kind === 'state' ? '' : '/'}${path}`)) place(each.kind, false);
      const raw = text.slice(node.range[0], node.range[1]);
      const quoted = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE' ? 1 : 0;
      for (const { kind: what, pattern } of CALLS)
        for (const match of raw.matchAll(pattern))
          place(what, false, match[1], match.index + match[0].length - match[1].length - quoted);
      const stateAt = ({ name, at, owner }: StateUse): void => {
        const from = (node.range?.[0] ?? 0) + at;
        found.push({ kind: 'state', name, file, from, to: from + name.length, defines: false, owner });
      };
      machines.usesIn(raw, file, path).forEach(stateAt);
    },
  });
  return found;
}

/** Returns the keys from the top of a file to a value (or to the key itself), joined by `/`. */
function pathOf(node: Scalar, ancestors: readonly unknown[]): string {
  const parts: string[] = [];
  ancestors.forEach((each, at) => {
    const next = ancestors[at + 1] ?? node;
    if (isPair(each)) parts.push(String(isScalar(each.key) ? each.key.value : ''));
    else if (isSeq(each)) parts.push(String(each.items.indexOf(next)));
  });
  return parts.join('/');
}
