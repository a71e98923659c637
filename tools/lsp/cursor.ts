import { isMap, isPair, isScalar, isSeq, parseDocument } from 'yaml';

/** The path of the key or value at a cursor. */
interface Cursor {
  readonly path: readonly (string | number)[];
  /** Whether the cursor is on a key; the last step of the path is its name. */
  readonly onKey: boolean;
}

/** What can be written at a cursor: a key of the map at a path, or a value. */
type Slot =
  | { readonly kind: 'key'; readonly path: readonly (string | number)[]; readonly taken: readonly string[] }
  | {
      readonly kind: 'value';
      readonly path: readonly (string | number)[];
      readonly inExpression: boolean;
      readonly before: string;
    };

const MARK = 'zz__cursor';

/** Finds the keys from the top of a file to the value at an offset. */
export function cursorAt(text: string, offset: number): Cursor | undefined {
  const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' });
  const walk = (node: unknown, path: readonly (string | number)[]): Cursor | undefined => {
    if (isMap(node)) {
      for (const pair of node.items) {
        const name = isScalar(pair.key) ? String(pair.key.value) : '';
        if (holds(pair.key, offset)) return { path: [...path, name], onKey: true };
        const inside = holds(pair.value, offset) ? walk(pair.value, [...path, name]) : undefined;
        if (inside) return inside;
      }
    } else if (isSeq(node)) {
      for (const [at, item] of node.items.entries()) {
        const inside = !isPair(item) && holds(item, offset) ? walk(item, [...path, at]) : undefined;
        if (inside) return inside;
      }
    }
    return holds(node, offset) ? { path, onKey: false } : undefined;
  };
  return walk(document.contents, []);
}

function holds(node: unknown, offset: number): boolean {
  const range =
    typeof node === 'object' && node !== null && 'range' in node ? (node.range as readonly number[] | null) : null;
  return range ? range[0] <= offset && offset <= range[1] : false;
}

/** Determines what can be written at an offset. The rest of the file may be incomplete there. */
export function slotAt(text: string, offset: number): Slot | undefined {
  const from = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(from, offset);
  const rest = text.slice(offset);
  const lineEnd = rest.search(/\n|$/);
  const word = /[\w.$-]*$/.exec(before)?.[0] ?? '';
  const head = before.slice(0, before.length - word.length);
  const inExpression = isInExpression(before);
  const asKey = !inExpression && (/^\s*(?:- )*$/.test(head) || /[{,]\s*$/.test(head));
  if (asKey) {
    // The rest of the line belongs to the key that is being typed, unless a closing bracket follows.
    const tail = /^[^\n]*?(?=[},]|\n|$)/.exec(rest)?.[0].length ?? 0;
    const made = `${text.slice(0, offset - word.length)}${MARK}: 1${text.slice(offset + (/^\s*:/.test(rest) ? tail : 0))}`;
    const place = find(made, (name) => name === MARK);
    if (place) return { kind: 'key', ...place };
  }
  const tail = rest.slice(0, lineEnd);
  const key = /(?:^|[\s{,[-])["']?([\w.$-]+)["']?\s*:\s+(?:[^:]*)$/.exec(before);
  if (!key) return undefined;
  // The value is replaced as a whole, so that an incomplete text doesn't hide the rest of the file.
  const start = from + before.lastIndexOf(key[1]) + key[1].length;
  const closing = /[\]}\s]*$/.exec(tail)?.[0] ?? '';
  const made = `${text.slice(0, start)}: ${MARK}${closing}${text.slice(offset + tail.length)}`;
  const cursor = cursorAt(made, made.indexOf(MARK) + 1);
  return (
    cursor && {
      kind: 'value',
      path: cursor.path,
      inExpression,
      before: before.slice(before.lastIndexOf(key[1]) + key[1].length + 1).trimStart(),
    }
  );
}

/** Whether a line ends inside an expression: after `=` at the start of a value, or in `${...}`. */
function isInExpression(line: string): boolean {
  const open = line.lastIndexOf('${');
  if (open >= 0 && !line.slice(open).includes('}')) return true;
  const [last] = [...line.matchAll(/(?<=(?:^|[:[,-])\s+|[[{])(["']?)=/g)].slice(-1);
  if (last === undefined) return false;
  const [whole, quote] = last;
  const rest = line.slice(last.index + whole.length);
  if (quote !== '') return !rest.includes(quote);
  // Inside { } and [ ] a comma or bracket ends an unquoted text.
  return !/[{[]/.test(line.slice(0, last.index)) || !/[,\]}]/.test(rest);
}

function find(
  text: string,
  wanted: (name: string) => boolean,
): { readonly path: readonly (string | number)[]; readonly taken: readonly string[] } | undefined {
  const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' });
  const walk = (node: unknown, path: readonly (string | number)[]): ReturnType<typeof find> => {
    if (isMap(node)) {
      const names = node.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''));
      if (names.some(wanted)) return { path, taken: names.filter((name) => !wanted(name)) };
      for (const [at, { value }] of node.items.entries()) {
        const inside = walk(value, [...path, names[at]]);
        if (inside) return inside;
      }
    } else if (isSeq(node)) {
      for (const [at, item] of node.items.entries()) {
        const inside = walk(item, [...path, at]);
        if (inside) return inside;
      }
    }
    return undefined;
  };
  return walk(document.contents, []);
}
