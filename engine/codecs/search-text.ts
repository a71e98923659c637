/** A parsed search text: words, phrases, qualifiers, and how they are joined. */
export type SearchNode =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'qualifier'; readonly name: string; readonly values: readonly string[]; readonly text: string }
  | { readonly kind: 'not'; readonly of: SearchNode }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly SearchNode[] };

/** The result of parsing a search text. */
interface SearchText {
  /** The condition on items; null: the text is empty. */
  readonly node: SearchNode | null;
  /** Number of AND, OR and NOT. */
  readonly operators: number;
  /** Names before a colon that aren't qualifiers: they were parsed as words. */
  readonly unknown: readonly string[];
  /** The text is malformed: an open quote or parenthesis, an operator without a term. The rest was parsed. */
  readonly unreadable: boolean;
}

type Token =
  | { readonly kind: '(' | ')' | 'AND' | 'OR' | 'NOT' | '-' }
  | { readonly kind: 'term'; readonly node: SearchNode };

const MAX_DEPTH = 32;
const NAME = /([A-Za-z][\w-]*):(?=\S)/y;
/** A value: quoted and unquoted parts, up to a space outside of quotes. */
const VALUE = /(?:"(?:[^"\\]|\\.)*"|[^\s"])+/y;
/** A search value inside of parentheses, which a closing parenthesis ends too. */
const INNER_VALUE = /(?:"(?:[^"\\]|\\.)*"|[^\s")])+/y;

/**
 * Parses a search text: `crash "on exit" label:bug,"help wanted" -author:mona comments:>3 (is:open OR is:merged) NOT draft`.
 * Adjacent terms are joined by AND, which binds more tightly than OR. Never throws: see `unreadable`.
 * @param isQualifier whether a name before a colon is a qualifier
 */
export function readSearch(text: string, isQualifier: (name: string) => boolean): SearchText {
  const unknown: string[] = [];
  const { tokens, isOpen } = tokensOf(text, isQualifier, unknown);
  const reader = new SearchReader(tokens);
  const node = reader.read();
  const operators = tokens.filter(({ kind }) => kind === 'AND' || kind === 'OR' || kind === 'NOT').length;
  return { node, operators, unknown, unreadable: isOpen || reader.isBroken };
}

function tokensOf(
  text: string,
  isQualifier: (name: string) => boolean,
  unknown: string[],
): { tokens: Token[]; isOpen: boolean } {
  const tokens: Token[] = [];
  let [at, depth, isOpen] = [0, 0, false];
  for (;;) {
    while (at < text.length && /\s/.test(text[at])) at++;
    if (at >= text.length) return { tokens, isOpen: isOpen || depth > 0 };
    const char = text[at];
    const operator = /(?:AND|OR|NOT)(?=[\s()]|$)/y;
    operator.lastIndex = at;
    const word = operator.exec(text)?.[0] as 'AND' | 'OR' | 'NOT' | undefined;
    if (word !== undefined) {
      tokens.push({ kind: word });
      at += word.length;
    } else if (char === '(' || (char === ')' && depth > 0)) {
      depth += char === '(' ? 1 : -1;
      tokens.push({ kind: char });
      at++;
    } else if (char === '-' && at + 1 < text.length && !/\s/.test(text[at + 1])) {
      tokens.push({ kind: '-' });
      at++;
    } else {
      const pattern = depth > 0 ? INNER_VALUE : VALUE;
      const start = at;
      NAME.lastIndex = at;
      const name = NAME.exec(text)?.[1];
      if (name !== undefined && isQualifier(name)) at += name.length + 1;
      pattern.lastIndex = at;
      let value = pattern.exec(text)?.[0];
      if (value === undefined || text[at + value.length] === '"') {
        // If a quote is never closed, it ends with the text.
        value = `${text.slice(at).replaceAll('"', '')}`;
        isOpen = true;
        at = text.length;
        tokens.push({ kind: 'term', node: termOf(name, isQualifier, [value.trim()], value.trim()) });
        continue;
      }
      at += value.length;
      if (name !== undefined && !isQualifier(name)) unknown.push(name);
      const isNamed = name !== undefined && isQualifier(name);
      const parts = isNamed ? partsOf(value) : [unquoted(value)];
      tokens.push({ kind: 'term', node: termOf(name, isQualifier, parts, isNamed ? text.slice(start, at) : parts[0]) });
    }
  }
}

function termOf(
  name: string | undefined,
  isQualifier: (name: string) => boolean,
  values: readonly string[],
  text: string,
): SearchNode {
  return name !== undefined && isQualifier(name) ? { kind: 'qualifier', name, values, text } : { kind: 'word', text };
}

/** Splits a value at commas outside of quotes. */
function partsOf(value: string): string[] {
  return (value.match(/(?:"(?:[^"\\]|\\.)*"|[^",])+/g) ?? [value]).map(unquoted);
}

/** A text without its quotes. */
function unquoted(value: string): string {
  return value.replace(/"((?:[^"\\]|\\.)*)"/g, (_, inner: string) => inner.replace(/\\(["\\])/g, '$1'));
}

class SearchReader {
  isBroken = false;
  #at = 0;
  #depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  read(): SearchNode | null {
    const node = this.#any();
    if (this.#at < this.tokens.length) this.isBroken = true;
    return node;
  }

  #any(): SearchNode | null {
    return this.#joined('or', 'OR', () => this.#all());
  }

  #all(): SearchNode | null {
    return this.#joined('and', 'AND', () => this.#one());
  }

  /** Parts joined by an operator; for the optional `AND`, also adjacent ones. */
  #joined(kind: 'and' | 'or', operator: 'AND' | 'OR', next: () => SearchNode | null): SearchNode | null {
    const parts: SearchNode[] = [];
    let isDue = false;
    for (;;) {
      const part = next();
      if (part !== null) parts.push(part);
      else if (isDue || this.#peek() === operator) this.isBroken = true;
      isDue = false;
      if (this.#peek() === operator) {
        this.#at++;
        isDue = true;
      } else if (kind === 'or' || !this.#begins()) break;
    }
    if (parts.length === 0) return null;
    return parts.length === 1 ? parts[0] : { kind, parts };
  }

  #one(): SearchNode | null {
    const token = this.tokens[this.#at] as Token | undefined;
    if (token === undefined || token.kind === 'AND' || token.kind === 'OR' || token.kind === ')') return null;
    this.#at++;
    switch (token.kind) {
      case 'term':
        return token.node;
      case 'NOT':
      case '-': {
        const of = this.#nested(() => this.#one());
        if (of === null) this.isBroken = true;
        return of === null ? null : { kind: 'not', of };
      }
      case '(': {
        const inner = this.#nested(() => this.#any());
        if (inner === null) this.isBroken = true;
        if (this.#peek() === ')') this.#at++;
        return inner;
      }
    }
  }

  #nested(read: () => SearchNode | null): SearchNode | null {
    if (this.#depth >= MAX_DEPTH) {
      this.isBroken = true;
      this.#at = this.tokens.length;
      return null;
    }
    this.#depth++;
    const node = read();
    this.#depth--;
    return node;
  }

  #peek(): Token['kind'] | undefined {
    return (this.tokens[this.#at] as Token | undefined)?.kind;
  }

  #begins(): boolean {
    const kind = this.#peek();
    return kind === 'term' || kind === '(' || kind === '-' || kind === 'NOT';
  }
}
