import { Document, isMap, isScalar, isSeq, visit } from 'yaml';

/** Maximum width of a map or list on one line. */
const ONE_LINE = 110;
/** Maximum width of a list of words. */
const WIDTH = 140;
/** Keys whose value is written on the same line. */
const SHORT = new Set([
  'id',
  'indexes',
  'parent',
  'delays',
  'encoding',
  'idempotency',
  'validation',
  'lists',
  'defaults',
]);

/** Texts that YAML 1.1 parsers read differently, or that braces don't allow unquoted. */
const QUOTED: readonly RegExp[] = [
  /\?/,
  /["']$/,
  /^(?:y|yes|n|no|on|off)$/i,
  /^\d{4}-\d\d?-\d\d?/,
  /^[-+]?[\d_]+(?::[0-5]?\d)+/,
  /^0[0-7]+$/,
];

/** Matches a list of eight or more words, one per line. */
const WORDS = /^( *)([\w-]+):\n((?:\1 {2}- (?:[^\s"'{[&*!|>%@`?:#,-][^\n{}[\],:#]*|"[^"\\\n]*")\n){8,})(?!\1 {2}- )/gm;

/** Formats data as YAML in the style of packs, with small maps on one line. */
export function packYaml(data: unknown): string {
  const document = new Document(withoutUndefined(data), { aliasDuplicateObjects: false });
  visit(document, {
    Collection(_key, node, path) {
      const depth = path.filter((each) => isMap(each) || isSeq(each)).length;
      const above = path.at(-1);
      const key = above !== undefined && 'key' in above && isScalar(above.key) ? above.key.value : undefined;
      const isValues = isMap(node) && node.items.length === 1 && node.has('enum');
      if (depth < 1 || (depth < 2 && !SHORT.has(String(key)) && !isValues) || !(isMap(node) || isSeq(node))) return;
      if (JSON.stringify(node.toJSON()).length <= ONE_LINE) node.flow = true;
    },
    Scalar(key, node) {
      const { value } = node;
      if (key !== 'key' && typeof value === 'string' && QUOTED.some((each) => each.test(value)))
        node.type = 'QUOTE_DOUBLE';
    },
  });
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: true });
  return text
    .split('\n')
    .map((line) =>
      line.replace(/^(\s*(?:- )*(?:[\w./$"-]+: )?)([[{] .*)$/, (_, start: string, flow: string) => start + close(flow)),
    )
    .join('\n')
    .replace(WORDS, (_, indent: string, key: string, items: string) =>
      filled(
        indent,
        key,
        [...items.matchAll(/^ *- (.*)$/gm)].map(([, each]) => each),
      ),
    );
}

/** Wraps a list of words into few lines. */
function filled(indent: string, key: string, words: readonly string[]): string {
  const lines = [`${indent}${key}: [`];
  words.forEach((word, at) => {
    const piece = at < words.length - 1 ? `${word},` : `${word}]`;
    const last = lines[lines.length - 1];
    const isFirst = last.endsWith('[');
    if (last.length + 1 + piece.length > WIDTH) lines.push(`${indent}  ${piece}`);
    else lines[lines.length - 1] = `${last}${isFirst ? '' : ' '}${piece}`;
  });
  return `${lines.join('\n')}\n`;
}

/** Removes spaces inside the brackets of a list, but not in quoted texts. */
function close(flow: string): string {
  return flow.replace(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[ | \]/g, (part) =>
    part === '[ ' ? '[' : part === ' ]' ? ']' : part,
  );
}

/** Clamps numbers beyond the safe integers, which the language rejects. */
function withoutUndefined(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'number' && Math.abs(each) > Number.MAX_SAFE_INTEGER
      ? Math.sign(each) * Number.MAX_SAFE_INTEGER
      : each,
  ) as unknown;
}
