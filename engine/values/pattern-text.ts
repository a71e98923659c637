/** Generates a text that a pattern matches. Patterns have RE2's syntax, and lookaheads and back-references. */

/** A node of a parsed pattern. A set is a list of inclusive ranges of code points. */
type PatternTextPart =
  | { readonly kind: 'set'; readonly ranges: readonly Range[] }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternTextPart[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternTextPart[] }
  | { readonly kind: 'repeat'; readonly of: PatternTextPart; readonly least: number; readonly most: number }
  | { readonly kind: 'group'; readonly name: string; readonly of: PatternTextPart }
  | { readonly kind: 'back'; readonly name: string }
  | { readonly kind: 'nothing' };

type Range = readonly [low: number, high: number];

const DIGIT: readonly Range[] = [[48, 57]];
const UPPER: readonly Range[] = [[65, 90]];
const LOWER: readonly Range[] = [[97, 122]];
const WORD: readonly Range[] = [...LOWER, ...UPPER, ...DIGIT, [95, 95]];
const SPACE: readonly Range[] = [[32, 32]];
/** Characters that generated texts contain where a pattern allows any. */
const USUAL: readonly Range[] = [...LOWER, ...UPPER, ...DIGIT];
const VISIBLE: readonly Range[] = [[32, 126]];
const SPECIAL: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 };
const UNBOUNDED = Infinity;

/** Random source and length limits of a generated text. */
interface TextOptions {
  /** Draws a number from 0 to `n` (exclusive). */
  readonly draw: (n: number) => number;
  /** Number of characters that the text may have beyond the pattern's minimum. */
  readonly extra: number;
  /** Length limit of the text, in characters. */
  readonly most: number;
}

/**
 * Generates a text that probably matches the pattern; callers that need certainty test the text. Undefined if the pattern can't
 * be parsed, or requires too long a text.
 */
export function textFor(pattern: string, options: TextOptions): string | undefined {
  const part = new Parser(pattern).read();
  return part && new PatternTextWriter(options).write(part);
}

class PatternTextWriter {
  #text = '';
  #extra: number;
  readonly #groups = new Map<string, string>();

  constructor(private readonly options: TextOptions) {
    this.#extra = options.extra;
  }

  write(part: PatternTextPart): string | undefined {
    return this.#add(part) ? this.#text : undefined;
  }

  #add(part: PatternTextPart): boolean {
    switch (part.kind) {
      case 'nothing':
        return true;
      case 'set':
        return this.#put(this.#one(part.ranges));
      case 'sequence':
        return part.parts.every((each) => this.#add(each));
      case 'choice':
        return this.#add(part.options[this.options.draw(part.options.length)]);
      case 'group': {
        const from = this.#text.length;
        const added = this.#add(part.of);
        this.#groups.set(part.name, this.#text.slice(from));
        return added;
      }
      case 'back':
        return this.#put(this.#groups.get(part.name) ?? '');
      case 'repeat': {
        const more = Math.min(part.most - part.least, this.#extra);
        this.#extra -= more;
        for (let count = part.least + more; count > 0; count--) if (!this.#add(part.of)) return false;
        return true;
      }
    }
  }

  #put(text: string | undefined): boolean {
    if (text === undefined || this.#text.length + text.length > this.options.most) return false;
    this.#text += text;
    return true;
  }

  #one(ranges: readonly Range[]): string | undefined {
    const total = ranges.reduce((sum, [low, high]) => sum + high - low + 1, 0);
    if (total === 0) return undefined;
    let at = this.options.draw(total);
    for (const [low, high] of ranges) {
      const size = high - low + 1;
      if (at < size) return String.fromCodePoint(low + at);
      at -= size;
    }
    return undefined;
  }
}

/** Maximum depth of nested groups. */
const MAX_DEPTH = 100;

class Parser {
  #at = 0;
  #groups = 0;
  #depth = 0;

  constructor(private readonly source: string) {}

  read(): PatternTextPart | undefined {
    const part = this.#choice();
    return this.#at === this.source.length ? part : undefined;
  }

  #choice(): PatternTextPart | undefined {
    const options: PatternTextPart[] = [];
    for (;;) {
      const part = this.#sequence();
      if (part === undefined) return undefined;
      options.push(part);
      if (this.source[this.#at] !== '|') break;
      this.#at++;
    }
    return options.length === 1 ? options[0] : { kind: 'choice', options };
  }

  #sequence(): PatternTextPart | undefined {
    const parts: PatternTextPart[] = [];
    while (this.#at < this.source.length && !'|)'.includes(this.source[this.#at])) {
      const atom = this.#atom();
      if (atom === undefined) return undefined;
      parts.push(this.#repeated(atom));
    }
    return { kind: 'sequence', parts };
  }

  #repeated(of: PatternTextPart): PatternTextPart {
    const found = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(this.source.slice(this.#at));
    if (found === null) return of;
    this.#at += found[0].length;
    const [sign, low, comma, high] = found;
    if (low === undefined) {
      const least = sign.startsWith('+') ? 1 : 0;
      return { kind: 'repeat', of, least, most: sign.startsWith('?') ? 1 : UNBOUNDED };
    }
    const least = Number(low);
    const most = comma === undefined ? least : high === '' ? UNBOUNDED : Number(high);
    return { kind: 'repeat', of, least, most };
  }

  #atom(): PatternTextPart | undefined {
    const char = String.fromCodePoint(this.source.codePointAt(this.#at) ?? 0);
    this.#at += char.length;
    switch (char) {
      case '^':
      case '$':
        return { kind: 'nothing' };
      case '.':
        return { kind: 'set', ranges: USUAL };
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '\\':
        return this.#escape();
      default:
        return { kind: 'set', ranges: [range(char)] };
    }
  }

  #group(): PatternTextPart | undefined {
    if (++this.#depth > MAX_DEPTH) return undefined;
    const head = /^\?(?::|=|!|<=|<!|<(\w+)>)/.exec(this.source.slice(this.#at));
    this.#at += head?.[0].length ?? 0;
    const name = head?.[1] ?? String(this.#groups + 1);
    const captures = head === null || head[1] !== undefined;
    if (captures) this.#groups++;
    const part = this.#choice();
    if (part === undefined || this.source[this.#at++] !== ')') return undefined;
    this.#depth--;
    if (captures) return { kind: 'group', name, of: part };
    // A lookaround generates no text; the generated text may satisfy it in another attempt.
    return head?.[0] === '?:' ? part : { kind: 'nothing' };
  }

  #escape(): PatternTextPart | undefined {
    const back = /^(?:([1-9]\d*)|k<(\w+)>)/.exec(this.source.slice(this.#at));
    if (back !== null) {
      this.#at += back[0].length;
      return { kind: 'back', name: back[1] ?? back[2] };
    }
    if ('bB'.includes(this.source[this.#at] ?? '')) {
      this.#at++;
      return { kind: 'nothing' };
    }
    const ranges = this.#escaped();
    return ranges && { kind: 'set', ranges };
  }

  /** Parses the escape after a backslash to the set of characters that it matches, inside or outside of a class. */
  #escaped(): readonly Range[] | undefined {
    const rest = this.source.slice(this.#at);
    const code = /^(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/.exec(rest);
    if (code !== null) {
      this.#at += code[0].length;
      return [range(String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? code[3], 16)))];
    }
    const property = /^([pP])\{(?:\w+=)?(\w+)\}/.exec(rest);
    if (property !== null) {
      this.#at += property[0].length;
      const ranges = ofProperty(property[2]);
      return property[1] === 'p' ? ranges : without(VISIBLE, ranges);
    }
    const char = rest[0] ?? '';
    this.#at += char.length;
    switch (char) {
      case 'd':
        return DIGIT;
      case 'D':
        return without(USUAL, DIGIT);
      case 'w':
        return WORD;
      case 'W':
        return without(VISIBLE, WORD);
      case 's':
        return SPACE;
      case 'S':
        return USUAL;
      default:
        return char === '' ? undefined : [range(char in SPECIAL ? String.fromCodePoint(SPECIAL[char]) : char)];
    }
  }

  #class(): PatternTextPart | undefined {
    const negated = this.source[this.#at] === '^';
    if (negated) this.#at++;
    const ranges: Range[] = [];
    for (;;) {
      if (this.#at >= this.source.length) return undefined;
      if (this.source[this.#at] === ']') break;
      const low = this.#member();
      if (low === undefined) return undefined;
      if (low.length === 1 && this.source[this.#at] === '-' && this.source[this.#at + 1] !== ']') {
        this.#at++;
        const high = this.#member();
        if (high?.length !== 1) return undefined;
        ranges.push([low[0][0], high[0][1]]);
      } else ranges.push(...low);
    }
    this.#at++;
    if (!negated) return { kind: 'set', ranges };
    const usual = without(USUAL, ranges);
    return { kind: 'set', ranges: usual.length > 0 ? usual : without(VISIBLE, ranges) };
  }

  #member(): readonly Range[] | undefined {
    const char = String.fromCodePoint(this.source.codePointAt(this.#at) ?? 0);
    this.#at += char.length;
    return char === '\\' ? this.#escaped() : [range(char)];
  }
}

function range(char: string): Range {
  const code = char.codePointAt(0) ?? 0;
  return [code, code];
}

function ofProperty(name: string): readonly Range[] {
  if (/^(?:Lu|Uppercase(?:_Letter)?)$/.test(name)) return UPPER;
  if (/^(?:Ll|Lowercase(?:_Letter)?)$/.test(name)) return LOWER;
  if (/^(?:N|Nd|Number|Decimal_Number)$/.test(name)) return DIGIT;
  if (/^(?:L|Letter|Alphabetic|Alpha|Latin|ASCII)$/.test(name)) return [...LOWER, ...UPPER];
  if (/^(?:Z|Zs|Space_Separator|White_Space)$/.test(name)) return SPACE;
  if (/^(?:P|Punctuation|Pd|Po)$/.test(name)) return [[45, 45]];
  if (/^Greek$/.test(name)) return [[0x3b1, 0x3c9]];
  if (/^Cyrillic$/.test(name)) return [[0x430, 0x44f]];
  return USUAL;
}

/** Returns ranges without the code points in other ranges. */
function without(ranges: readonly Range[], taken: readonly Range[]): Range[] {
  return taken.reduce<Range[]>(
    (left, [low, high]) =>
      left.flatMap(([from, to]) => {
        const parts: Range[] = [];
        if (from < low) parts.push([from, Math.min(to, low - 1)]);
        if (to > high) parts.push([Math.max(from, high + 1), to]);
        return parts;
      }),
    [...ranges],
  );
}
