/** The error that a YAML parser reports, and the offset at which it noticed the error. */
interface Noticed {
  readonly code: string;
  readonly message: string;
  readonly offset: number;
}

interface Line {
  readonly start: number;
  readonly indent: number;
}

/**
 * The actual location of a YAML error: a parser notices a missing bracket or a shifted line only later. An unclosed bracket is
 * reported where it opens; among lines in different columns, the odd one.
 */
export function blame(text: string, noticed: Noticed): Noticed {
  const { code, message, offset } = noticed;
  if (/flow (?:map|sequence|collection).*(?:end with|sufficiently indented)/i.test(message)) {
    const open = lastUnclosed(text, offset);
    if (open !== undefined)
      return {
        ...noticed,
        offset: open,
        message: `this '${text[open]}' is never closed, or what is inside is indented too little`,
      };
  }
  if (/same column/i.test(message)) return { ...noticed, offset: loneLine(text, offset) };
  if (code === 'BLOCK_AS_IMPLICIT_KEY' || /item without - indicator|unexpected scalar at node end/i.test(message)) {
    const deeper = nextDeeper(text, offset);
    if (deeper !== undefined)
      return { ...noticed, offset: deeper, message: 'this line is indented further than the lines that it belongs to' };
    const odd = oddLine(text, offset);
    if (odd !== undefined) return { ...noticed, offset: odd };
  }
  return noticed;
}

/** Finds, up to the line of an offset, an unquoted expression, text or route in which YAML interprets brackets. */
export function unquoted(
  text: string,
  offset: number,
): { readonly offset: number; readonly message: string } | undefined {
  const newline = text.indexOf('\n', offset);
  const before = text.slice(0, newline < 0 ? undefined : newline);
  const tokens =
    /"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*'|(?<=^|\s)#[^\n]*|\b(?:GET|POST|PUT|PATCH|DELETE) \/[^\s,'"]*|(?<=[:,[{]\s*)(?:\$\{|=(?=[^,\]}\n]*[[{]))|[[\]{}]/gm;
  let depth = 0;
  for (const { 0: token, index } of before.matchAll(tokens)) {
    if (/^[A-Z]+ /.test(token)) {
      if (depth > 0 && token.includes('{'))
        return { offset: index, message: 'a route with {id} inside { } or [ ] needs quotes' };
      // The brackets in the token close the surrounding list or map.
      depth -= token.includes('{') ? 0 : (token.match(/[\]}]/g)?.length ?? 0);
    } else if (token === '${' || token === '=') {
      const what = token === '=' ? 'an expression with [ ] or { }' : 'a text with ${...}';
      if (depth > 0) return { offset: index, message: `${what} inside { } or [ ] needs quotes` };
      if (token === '${') depth++;
    } else if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
  }
  const line = before.lastIndexOf('\n') + 1;
  // In a map or list on one line, a comma ends the expression.
  const colon = (depth > 0 ? /(?<=(?:^|[:,{[-])\s)=[^"'\s,][^\n,]*?: / : /(?<=(?:^|[:,{[-])\s)=[^"'\s][^\n]*?: /).exec(
    before.slice(line),
  );
  return colon ? { offset: line + colon.index, message: "an expression with ': ' must be quoted" } : undefined;
}

/** Finds the last bracket before an offset that isn't closed by then, outside of quotes and comments. */
function lastUnclosed(text: string, before: number): number | undefined {
  const open: number[] = [];
  const tokens = /"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*'|(?<=^|\s)#[^\n]*|[[\]{}]/gm;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (index >= before) break;
    if (token === '{' || token === '[') open.push(index);
    else if (token === '}' || token === ']') open.pop();
  }
  return open.at(-1);
}

/** In a block with lines in two columns, finds the first line in the odd column, else of the smaller group. */
function loneLine(text: string, offset: number): number {
  const lines = linesOf(text);
  const at = lines.findLastIndex(({ start }) => start <= offset);
  const { indent } = lines[at];
  const above = lines.slice(0, at);
  const parent = above.findLastIndex((line) => line.indent < indent);
  const block = above.slice(parent + 1);
  const first = block.find((line) => line.indent !== indent) ?? block[0];
  if (first === undefined) return lines[at].start + indent;
  const others = block.filter((line) => line.indent === first.indent);
  const end = lines.findIndex((line, index) => index > at && line.indent < indent);
  const same = lines.slice(at, end < 0 ? undefined : end).filter((line) => line.indent === indent);
  const odd = [first.indent % 2, indent % 2];
  const firstIsWrong = odd[0] === odd[1] ? others.length < same.length : odd[0] === 1;
  const wrong = firstIsWrong ? first : lines[at];
  return wrong.start + wrong.indent;
}

/** Returns the offset of the next line if that line is indented deeper than the line at an offset. */
function nextDeeper(text: string, offset: number): number | undefined {
  const lines = linesOf(text);
  const at = lines.findLastIndex(({ start }) => start <= offset);
  const next = lines[at + 1];
  return next && next.indent > lines[at].indent && text.slice(offset, next.start).trim() !== ''
    ? next.start + next.indent
    : undefined;
}

/** Finds a line that is indented by an odd number of spaces, at an offset or just before or after it. */
function oddLine(text: string, offset: number): number | undefined {
  const lines = linesOf(text);
  const at = lines.findLastIndex(({ start }) => start <= offset);
  const found = [lines[at], lines[at - 1], lines[at + 1]].find((line) => line !== undefined && line.indent % 2 === 1);
  return found && found.start + found.indent;
}

/** Lists the lines of a text that contain more than comments, with their indentation. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const indent = line.search(/\S/);
    if (indent >= 0 && line[indent] !== '#') lines.push({ start, indent });
    start += line.length + 1;
  }
  return lines;
}
