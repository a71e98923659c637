import type { Json } from './host.js';

/** Where in a pack something is written. */
export interface SourcePlace {
  readonly file: {
    readonly path: string;
    locate(path: readonly (string | number)[]): { readonly line: number; readonly column: number };
  };
  readonly path: readonly (string | number)[];
}

/** Lines of JavaScript; a list inside of one is indented. */
export type Js = readonly (string | PlacedLine | Js)[];

/** A line with the place of the pack that it comes from. */
export interface PlacedLine {
  readonly js: string;
  readonly place: SourcePlace;
}

/** Names that mean something in the language; no local is called so. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'arguments async await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function get if implements import in instanceof interface let new null of package private ' +
    'protected public return set static super switch this throw true try typeof undefined var void while with yield'
  ).split(' '),
);

/** Whether a text can be an identifier or the name behind a dot. */
function isWord(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text);
}

/** A text, number, boolean or null as JavaScript. Whatever the text says, it stays one literal on one line. */
export function literal(value: null | boolean | number | string): string {
  if (typeof value === 'number' && !(value >= 0)) return `(${numeral(value)})`;
  if (typeof value === 'number') return numeral(value);
  return JSON.stringify(value).replace(/[\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`);
}

function numeral(value: number): string {
  return Number.isNaN(value)
    ? '0 / 0'
    : Number.isFinite(value)
      ? JSON.stringify(value)
      : value > 0
        ? '1 / 0'
        : '-1 / 0';
}

/** A member as JavaScript: `.name`, or `["any text"]`. */
export function access(key: string): string {
  return isWord(key) ? `.${key}` : `[${literal(key)}]`;
}

/** As `access`, of something that may be null. */
export function safeAccess(key: string): string {
  return isWord(key) ? `?.${key}` : `?.[${literal(key)}]`;
}

/** Whether objects have such a member without being given one. */
export function isInherited(key: string): boolean {
  return key in Object.prototype;
}

/** An object literal. A key that would reach the prototype becomes an ordinary own key. */
export function objectLiteral(entries: readonly (readonly [string, string])[]): string {
  const members = entries.map(([key, js]) => {
    const name = key === '__proto__' ? '["__proto__"]' : isWord(key) ? key : literal(key);
    return name === js ? name : `${name}: ${js}`;
  });
  return members.length === 0 ? '({})' : `({ ${members.join(', ')} })`;
}

/** Lines that `new Function` puts before the text. */
const HEAD_LINES = 2;

/** The text of a function that was made. */
export interface MadeText {
  /** What it is, such as `flow renew`. */
  readonly name: string;
  /** As it runs, without what `new Function` puts around it. */
  readonly text: string;
  /** Of each line of the script, the first one first: the place of the pack that it comes from. */
  readonly places: readonly (SourcePlace | undefined)[];
}

/** Every text that was made of a pack, by the name of its script in stacks. */
export class Texts {
  readonly #made = new Map<string, MadeText>();

  keep(made: MadeText): string {
    const base = `pack:${encodeURI(made.name)}`;
    let script = base;
    for (let n = 2; this.#made.has(script); n++) script = `${base}~${n}`;
    this.#made.set(script, made);
    return script;
  }

  get(script: string): MadeText | undefined {
    return this.#made.get(script);
  }

  /** Those with a name. */
  named(name: string): MadeText[] {
    return [...this.#made.values()].filter((made) => made.name === name);
  }
}

/**
 * One function in the making: which names its text has taken, and which things of the engine and the pack it refers to.
 * Everything that a pack wrote gets into the text as a checked identifier or an escaped literal.
 */
export class Unit {
  readonly #taken = new Set<string>();
  readonly #things = new Map<unknown, string>();
  readonly #temps: string[] = [];

  /** @param name what it is, such as `flow renew`: stacks and profiles show it */
  constructor(
    readonly name: string,
    private readonly place?: SourcePlace,
    private readonly texts?: Texts,
  ) {}

  /** An identifier that nothing else in the text has, like the one that is wished for. */
  identifier(wish: string): string {
    const base = wish.replace(/\W/g, '_').replace(/^(?=\d|$)/, '_');
    let name = RESERVED.has(base) || base === 'x' ? `${base}_` : base;
    for (let n = 2; this.#taken.has(name); n++) name = `${base}_${n}`;
    this.#taken.add(name);
    return name;
  }

  /** The identifier by which the text refers to a thing of the engine or the pack. */
  refer(thing: unknown, wish: string): string {
    let name = this.#things.get(thing);
    if (name === undefined) this.#things.set(thing, (name = this.identifier(wish)));
    return name;
  }

  /** A constant: written out, or by reference where it has parts, so that it exists once. */
  constant(value: Json): string {
    return value === null || typeof value !== 'object' ? literal(value) : this.refer(value, 'constant');
  }

  /** A local that an expression gives a value before it reads it. */
  temp(wish: string): string {
    const name = this.identifier(wish);
    this.#temps.push(name);
    return name;
  }

  /** The function that gives what an expression gives. What does not depend on anything needs no text. */
  expression<A extends readonly unknown[], R extends Json = Json>(
    parameters: readonly string[],
    compiled: { readonly js: string; readonly constant?: Json },
  ): (...args: A) => R {
    const { constant } = compiled;
    if (constant !== undefined) return () => constant as R;
    return this.function(parameters, [`return ${compiled.js};`]);
  }

  /**
   * The function with these parameters and this body.
   * @throws CodeRefused where this process may not make functions of text
   */
  function<F>(parameters: readonly string[], body: Js): F {
    const called = this.identifier(this.name);
    const temps = this.#temps.length === 0 ? [] : [`let ${this.#temps.join(', ')};`];
    const whole: Js = [
      '"use strict";',
      `return function ${called}(${parameters.join(', ')}) {`,
      [...temps, ...body],
      '};',
    ];
    const lines = [...flat(whole, '', this.place)];
    const made: MadeText = {
      name: this.name,
      text: lines.map(({ js }) => js).join('\n'),
      places: [...Array<undefined>(HEAD_LINES), ...lines.map(({ place }) => place)],
    };
    const script = this.texts?.keep(made);
    const text = script === undefined ? made.text : `${made.text}\n//# sourceURL=${script}`;
    return instantiate([...this.#things.values()], text)(...this.#things.keys()) as F;
  }
}

/** This process may not make functions of text. */
export class CodeRefused extends Error {}

function instantiate(names: readonly string[], text: string): (...things: unknown[]) => unknown {
  try {
    // The one place where text becomes code. `Unit` writes it; of a request nothing gets here.
    // eslint-disable-next-line @typescript-eslint/no-implied-eval
    return new Function(...names, text) as (...things: unknown[]) => unknown;
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    throw new CodeRefused(
      'packs run as JavaScript that is made of them, which this process forbids (--disallow-code-generation-from-strings)',
    );
  }
}

function* flat(js: Js, indent: string, place: SourcePlace | undefined): Generator<{ js: string; place?: SourcePlace }> {
  let current = place;
  for (const line of js) {
    if (typeof line === 'string') yield { js: indent + line, place: current };
    else if ('js' in line) {
      current = line.place;
      yield { js: indent + line.js, place: current };
    } else yield* flat(line, `${indent}  `, current);
  }
}
