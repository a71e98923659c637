import type { Scalar } from './yaml.js';

/**
 * Returns the offset in the text of a character in a scalar's value, which may be quoted, escaped, folded or an indented block.
 * For an offset beyond the value, returns that of its last character.
 */
export function offsetInScalar(node: Scalar, text: string, offset: number): number {
  const [start, end] = node.range ?? [0, 0];
  switch (node.type) {
    case 'BLOCK_LITERAL':
    case 'BLOCK_FOLDED':
      return inBlock(String(node.value), text.slice(start, end), offset) + start;
    case 'QUOTE_DOUBLE':
      return inFlow(text.slice(0, end - 1), start + 1, offset, DOUBLE_ESCAPE);
    case 'QUOTE_SINGLE':
      return inFlow(text.slice(0, end - 1), start + 1, offset, SINGLE_ESCAPE);
    default:
      return inFlow(text.slice(0, end), start, offset, undefined);
  }
}

/** Matches the line breaks in a flow scalar. YAML reads one break as a space, and several as one fewer. */
const FOLD = /[ \t]*\r?\n(?:[ \t]*\r?\n)*[ \t]*/y;
const SINGLE_ESCAPE = /''/y;
const DOUBLE_ESCAPE = /\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|\r?\n[ \t]*|[^])/y;

/** Walks a plain or quoted scalar up to the given character of its value. */
function inFlow(text: string, start: number, wanted: number, escape: RegExp | undefined): number {
  let at = start;
  let produced = 0;
  while (at < text.length) {
    const fold = match(FOLD, text, at);
    const escaped = fold === undefined && escape ? match(escape, text, at) : undefined;
    let width = 1;
    if (fold !== undefined) width = Math.max(1, fold.split('\n').length - 2);
    else if (escaped !== undefined) width = valueLength(escaped);
    if (produced + width > wanted) return at;
    produced += width;
    at += (fold ?? escaped ?? '.').length;
  }
  return Math.max(start, at - (produced > wanted ? 1 : 0));
}

/** Returns the number of characters of the value that an escape represents. */
function valueLength(escape: string): number {
  if (escape.includes('\n')) return 0;
  return escape.startsWith('\\U') && Number.parseInt(escape.slice(2), 16) > 0xffff ? 2 : 1;
}

/** Walks a block scalar up to a character of its value; between lines the value has only breaks and folding spaces. */
function inBlock(value: string, text: string, wanted: number): number {
  const header = /^[|>][^\n]*\n/.exec(text)?.[0] ?? '';
  const lines = text.slice(header.length).split('\n');
  const indent = indentOf(lines, header);
  let at = header.length;
  let produced = 0;
  let best = at + indent;
  for (const line of lines) {
    const content = line.slice(indent).replace(/\r$/, '');
    if (content.trim() !== '') {
      const begin = value.indexOf(content, produced);
      if (begin === -1 || begin > wanted) return best;
      produced = begin + content.length;
      best = at + indent + Math.min(wanted - begin, content.length);
      if (wanted < produced) return best;
    }
    at += line.length + 1;
  }
  return best;
}

function indentOf(lines: readonly string[], header: string): number {
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const written = first.length - first.trimStart().length;
  const explicit = /^[|>][+-]?([1-9])/.exec(header)?.[1];
  if (explicit === undefined) return written;
  // YAML counts an explicit indentation from the parent node, which isn't in this text; the lines' common indentation is its
  // upper limit.
  const common = Math.min(
    ...lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length),
  );
  return Math.min(common, written);
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
