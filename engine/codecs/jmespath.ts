import { LIMITS } from '../limits.js';
import { ExpressionFailure, type Json, define, equal, isList, isObject, member } from '../values/index.js';

/** Why a text is no JMESPath expression that is understood here. */
export class BadPath extends ExpressionFailure {}

type Evaluate = (value: Json) => Json;

interface Token {
  readonly kind: 'name' | 'value' | 'number' | 'sign' | 'end';
  readonly text: string;
  /** Of a literal. */
  readonly value: Json;
}

const TOKEN =
  /\s*(?:([A-Za-z_][A-Za-z0-9_]*)|("(?:[^"\\]|\\.)*")|('(?:[^'\\]|\\.)*')|(`(?:[^`\\]|\\.)*`)|(-?[0-9]+)|(\|\||&&|==|!=|[|!.,:@()[\]{}*?&<>]))/uy;

/**
 * What a JMESPath expression (jmespath.org) finds in a value: members, items, lists, maps, literals, comparisons and the
 * functions `join`, `length`, `not_null` and `to_string`. Projections are not understood.
 * @throws BadPath when it cannot be read
 */
export function jmespath(path: string, value: Json): Json {
  return compiled(path)(value);
}

/** Why a path cannot be read; undefined when it can. */
export function jmespathMistake(path: string): string | undefined {
  try {
    compiled(path);
    return undefined;
  } catch (error) {
    if (error instanceof BadPath) return error.message;
    throw error;
  }
}

function compiled(path: string): Evaluate {
  if (path.length > LIMITS.pattern.value) throw new BadPath(`it has more than ${LIMITS.pattern.value} characters`);
  return new JmespathReader(tokensOf(path)).whole();
}

function tokensOf(path: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (path.slice(TOKEN.lastIndex).trim() !== '') {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(path);
    if (!found) throw new BadPath(`it cannot be read from ${JSON.stringify(path.slice(at, at + 20))} on`);
    const [, name, quoted, raw, literal, number, sign] = found;
    if (name !== undefined) tokens.push({ kind: 'name', text: name, value: name });
    else if (quoted !== undefined) tokens.push({ kind: 'name', text: quoted, value: parsed(quoted) });
    else if (raw !== undefined)
      tokens.push({ kind: 'value', text: raw, value: raw.slice(1, -1).replaceAll("\\'", "'") });
    else if (literal !== undefined)
      tokens.push({ kind: 'value', text: literal, value: parsed(literal.slice(1, -1).replaceAll('\\`', '`')) });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, value: Number(number) });
    else tokens.push({ kind: 'sign', text: sign, value: null });
  }
  return tokens;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new BadPath(`${text} is no JSON`);
  }
}

/** Reads by precedence: `|`, `||`, `&&`, comparisons, `!`, then what follows a value. */
class JmespathReader {
  #at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Evaluate {
    const found = this.#pipe();
    if (this.#next.kind !== 'end') throw new BadPath(`'${this.#next.text}' does not fit there`);
    return found;
  }

  get #next(): Token {
    return this.tokens[this.#at] ?? { kind: 'end', text: 'its end', value: null };
  }

  #take(sign: string): boolean {
    const { kind, text } = this.#next;
    if (kind !== 'sign' || text !== sign) return false;
    this.#at++;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) throw new BadPath(`'${sign}' is wanted instead of '${this.#next.text}'`);
  }

  #pipe(): Evaluate {
    let left = this.#or();
    while (this.#take('|')) {
      const [first, then] = [left, this.#or()];
      left = (value) => then(first(value));
    }
    return left;
  }

  #or(): Evaluate {
    let left = this.#and();
    while (this.#take('||')) {
      const [first, other] = [left, this.#and()];
      left = (value) => {
        const found = first(value);
        return isTrue(found) ? found : other(value);
      };
    }
    return left;
  }

  #and(): Evaluate {
    let left = this.#comparison();
    while (this.#take('&&')) {
      const [first, other] = [left, this.#comparison()];
      left = (value) => {
        const found = first(value);
        return isTrue(found) ? other(value) : found;
      };
    }
    return left;
  }

  #comparison(): Evaluate {
    const left = this.#not();
    const same = this.#take('==');
    if (!same && !this.#take('!=')) return left;
    const right = this.#not();
    return (value) => equal(left(value), right(value)) === same;
  }

  #not(): Evaluate {
    if (!this.#take('!')) return this.#followed(this.#start());
    const negated = this.#not();
    return (value) => !isTrue(negated(value));
  }

  /** A value with the members and items that are asked of it. */
  #followed(start: Evaluate): Evaluate {
    let found = start;
    for (;;) {
      const from = found;
      if (this.#take('.')) {
        const then = this.#part();
        found = (value) => {
          const inner = from(value);
          return inner === null ? null : then(inner);
        };
      } else if (this.#take('[')) {
        const { kind, value: number } = this.#next;
        if (kind !== 'number') throw new BadPath('lists of what lies behind [ ] are not understood here');
        this.#at++;
        this.#expect(']');
        found = (value) => {
          const list = from(value);
          return isList(list) ? (list.at(Number(number)) ?? null) : null;
        };
      } else return found;
    }
  }

  /** What may stand behind a dot. */
  #part(): Evaluate {
    if (this.#take('[')) return this.#list();
    if (this.#take('{')) return this.#map();
    const { kind, text, value: name } = this.#next;
    if (kind !== 'name') throw new BadPath(`a name is wanted instead of '${text}'`);
    this.#at++;
    if (text === name && this.#take('(')) return this.#called(text);
    return (value) => (isObject(value) ? member(value, String(name)) : null);
  }

  #start(): Evaluate {
    const { kind, text, value } = this.#next;
    if (kind === 'value') {
      this.#at++;
      return () => value;
    }
    if (this.#take('@')) return (whole) => whole;
    if (this.#take('(')) {
      const inner = this.#pipe();
      this.#expect(')');
      return inner;
    }
    if (kind === 'end') throw new BadPath('it ends too early');
    if (kind === 'name' || text === '[' || text === '{') return this.#part();
    throw new BadPath(`'${text}' does not fit there`);
  }

  #list(): Evaluate {
    const items = this.#several(']');
    return (value) => items.map((item) => item(value));
  }

  #map(): Evaluate {
    const members: [string, Evaluate][] = [];
    do {
      const { kind, text, value: name } = this.#next;
      if (kind !== 'name') throw new BadPath(`a name is wanted instead of '${text}'`);
      this.#at++;
      this.#expect(':');
      members.push([String(name), this.#pipe()]);
    } while (this.#take(','));
    this.#expect('}');
    return (value) => {
      const made: Record<string, Json> = {};
      for (const [name, give] of members) define(made, name, give(value));
      return made;
    };
  }

  #called(name: string): Evaluate {
    const given = this.#take(')') ? [] : this.#several(')');
    const known = FUNCTIONS.get(name);
    if (!known) throw new BadPath(`the function ${name}() is not known here`);
    if (known.args !== null && known.args !== given.length)
      throw new BadPath(`${name}() takes ${known.args} arguments`);
    return (value) => known.run(given.map((each) => each(value)));
  }

  #several(end: string): Evaluate[] {
    const found: Evaluate[] = [];
    do found.push(this.#pipe());
    while (this.#take(','));
    this.#expect(end);
    return found;
  }
}

/** Null stands for what a function makes nothing of. */
const FUNCTIONS: ReadonlyMap<string, { readonly args: number | null; run(args: readonly Json[]): Json }> = new Map([
  [
    'join',
    {
      args: 2,
      run: ([glue, list]) =>
        typeof glue === 'string' && isList(list) && list.every((each) => typeof each === 'string')
          ? list.join(glue)
          : null,
    },
  ],
  [
    'length',
    {
      args: 1,
      run: ([of]) =>
        typeof of === 'string' ? [...of].length : isList(of) ? of.length : isObject(of) ? Object.keys(of).length : null,
    },
  ],
  ['not_null', { args: null, run: (args) => args.find((each) => each !== null) ?? null }],
  ['to_string', { args: 1, run: ([of]) => (typeof of === 'string' ? of : JSON.stringify(of)) }],
]);

/** Null, false and what is empty count as false. */
function isTrue(value: Json): boolean {
  if (value === null || value === false || value === '') return false;
  if (isList(value)) return value.length > 0;
  return !isObject(value) || Object.keys(value).length > 0;
}
