import { Document, isMap, isScalar, isSeq, visit } from 'yaml';

/** Longest map or list that is written on one line. */
const ONE_LINE = 110;
/** Longest line of a list of words. */
const WIDTH = 140;
/** Keys of a file whose value fits on the line of the key. */
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

/** Texts that parsers of YAML 1.1 read otherwise, or cannot read inside braces. */
const QUOTED: readonly RegExp[] = [
  /\?/,
  /["']$/,
  /^(?:y|yes|n|no|on|off)$/i,
  /^\d{4}-\d\d?-\d\d?/,
  /^[-+]?[\d_]+(?::[0-5]?\d)+/,
  /^0[0-7]+$/,
];

/** A list of eight words and more, one on each line. */
const WORDS = /^( *)([\w-]+):\n((?:\1 {2}- (?:[^\s"'{[&*!|>%@`?:#,-][^\n{}[\],:#]*|"[^"\\\n]*")\n){8,})(?!\1 {2}- )/gm;

/** Data as YAML that reads like a pack's: small maps on one line. */
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

/** A list of words on as few lines as it needs. */
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

/** Brackets of a list close to what is in them; texts in quotes stay. */
function close(flow: string): string {
  return flow.replace(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[ | \]/g, (part) =>
    part === '[ ' ? '[' : part === ' ]' ? ']' : part,
  );
}

/** Numbers that JavaScript cannot keep exactly are cut to the largest that it can: the language rejects them. */
function withoutUndefined(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'number' && Math.abs(each) > Number.MAX_SAFE_INTEGER
      ? Math.sign(each) * Number.MAX_SAFE_INTEGER
      : each,
  ) as unknown;
}
