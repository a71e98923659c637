import { Composer, CST, Parser, parseDocument } from 'yaml';

/** Maximum number of consecutive blank lines. */
const MOST_BLANK = 1;
/** Maximum number of aliases when the text is parsed; each alias counts with its contents. */
const MAX_ALIASES = 10_000;
/** Parse options: YAML errors are ignored here, since the pack's checks report them. */
const AS_WRITTEN = { uniqueKeys: false, logLevel: 'silent' } as const;

/**
 * Formats a YAML file in the style of packs: `{ a: 1 }`, `[a, b]`, one space after `:` and `,` in a collection on one line, no trailing spaces, no
 * consecutive blank lines, one newline at the end. Comments with their columns, quotes and line breaks stay.
 * @returns undefined if the text isn't YAML, or formatting would change its meaning
 */
export function formatYaml(text: string): string | undefined {
  const unified = text.replace(/\r\n?/g, '\n').replace(/^\uFEFF/, '');
  const tokens = [...new Parser().parse(unified)];
  const [before] = new Composer(AS_WRITTEN).compose(tokens, true, unified.length);
  if (before.errors.length > 0) return undefined;
  for (const token of tokens) if (token.type === 'document') CST.visit(token, tidyItem);
  const printed = tokens.map((token) => CST.stringify(token)).join('');
  const made = tidyLines(printed, printed === unified ? tokens : new Parser().parse(printed));
  // Skips the comparison of meanings for an unchanged text, since most files are formatted already and parsing takes most of the time.
  if (made === unified) return made;
  const after = parseDocument(made, AS_WRITTEN);
  if (after.errors.length > 0) return undefined;
  const [is, was] = [after, before].map((document) => JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIASES })));
  return is === was ? made : undefined;
}

/** Corrects the spaces in an item's flow collections. */
function tidyItem(item: CST.CollectionItem | { key?: CST.Token | null; value?: CST.Token }): void {
  for (const token of [item.key, item.value]) if (token?.type === 'flow-collection') tidyFlow(token);
}

function tidyFlow(flow: CST.FlowCollection): void {
  // Keeps the layout of a collection on several lines, or with a comment.
  const closing = flow.end.findIndex(({ type }) => type === 'flow-map-end' || type === 'flow-seq-end');
  if (/[\n#]/.test(CST.stringify({ ...flow, end: flow.end.slice(0, closing + 1) }))) return;
  const isMap = flow.start.source === '{';
  const items = flow.items.filter((item) => !isEmpty(item));
  if (items.length !== flow.items.length) return;
  const padding = isMap ? ' ' : '';
  items.forEach((item, at) => {
    item.start = spaced(item.start, at === 0 ? padding : ' ', at === 0);
    if (item.sep) item.sep = afterColon(item.sep);
  });
  flow.end = [...(items.length > 0 && isMap ? [space(' ')] : []), ...flow.end.slice(closing)];
  const last = items.at(-1);
  // Also trims tokens of the last value, which may include the spaces before the closing bracket.
  if (last?.value && 'end' in last.value && Array.isArray(last.value.end))
    last.value.end = last.value.end.filter(({ type }) => type !== 'space');
  for (const each of items)
    for (const token of [each.key, each.value])
      if (token && 'end' in token && Array.isArray(token.end) && token.type !== 'flow-collection')
        token.end = token.end.filter(({ type }) => type !== 'space');
}

function isEmpty(item: CST.CollectionItem): boolean {
  return !item.key && !item.value && !item.sep;
}

/** Normalizes the tokens before an item: a comma, then one space. */
function spaced(tokens: readonly CST.SourceToken[], gap: string, isFirst: boolean): CST.SourceToken[] {
  const others = tokens.filter(({ type }) => type !== 'space');
  const comma = others.filter(({ type }) => type === 'comma');
  const rest = others.filter(({ type }) => type !== 'comma');
  const between = gap === '' || (isFirst && gap === '') ? [] : [space(gap)];
  return [
    ...comma,
    ...between,
    ...rest.flatMap((token) => (token.type === 'anchor' || token.type === 'tag' ? [token, space(' ')] : [token])),
  ];
}

/** Puts one space after a colon, an anchor and a tag, if a value follows. */
function afterColon(tokens: readonly CST.SourceToken[]): CST.SourceToken[] {
  return tokens
    .filter(({ type }) => type !== 'space')
    .flatMap((token) =>
      token.type === 'map-value-ind' || token.type === 'anchor' || token.type === 'tag' ? [token, space(' ')] : [token],
    );
}

function space(source: string): CST.SourceToken {
  return { type: 'space', offset: -1, indent: 0, source };
}

/** Removes trailing spaces, except in multi-line texts, where they matter. */
function tidyLines(text: string, tokens: Iterable<CST.Token>): string {
  const kept = linesOfTexts(text, tokens);
  const lines: string[] = [];
  let blank = 0;
  text.split('\n').forEach((line, at) => {
    const tidy = kept.has(at) ? line : line.trimEnd();
    blank = tidy === '' && !kept.has(at) ? blank + 1 : 0;
    if (blank <= MOST_BLANK) lines.push(tidy);
  });
  return `${lines.join('\n').replace(/\n+$/, '').replace(/^\n+/, '')}\n`;
}

/** Numbers of the lines inside block scalars and quoted texts. */
function linesOfTexts(text: string, tokens: Iterable<CST.Token>): Set<number> {
  const found = new Set<number>();
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const lineOf = (offset: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const take = (token: CST.Token | null | undefined): void => {
    if (
      token?.type !== 'block-scalar' &&
      token?.type !== 'double-quoted-scalar' &&
      token?.type !== 'single-quoted-scalar'
    )
      return;
    const from = lineOf(token.offset);
    const to = lineOf(token.offset + CST.stringify(token).trimEnd().length);
    for (let line = from + 1; line <= to; line++) found.add(line);
    if (token.type !== 'block-scalar' && to > from) found.add(from);
  };
  for (const token of tokens)
    if (token.type === 'document')
      CST.visit(token, (item) => {
        take(item.key);
        take(item.value);
      });
  return found;
}
