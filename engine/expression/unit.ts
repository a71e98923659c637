import type { Json } from '../values/index.js';
import { bare, scriptLiteral, RESERVED } from './javascript.js';
import { type SourcePlace, type TextLine, SourceTexts } from './texts.js';

/** Lines of JavaScript; a list inside of one is indented. */
export type Js = readonly (string | PlacedLine | Js)[];

/** A line with the place of the pack that it comes from. */
export interface PlacedLine {
  readonly js: string;
  readonly place: SourcePlace;
}

/**
 * One function in the making: which names its text has taken, and which things of the engine and the pack it refers to.
 * Everything that a pack wrote gets into the text as a checked identifier or an escaped literal.
 */
export class CodeUnit {
  readonly #taken = new Set<string>();
  readonly #things = new Map<unknown, string>();
  readonly #temps: string[] = [];

  /** @param name what it is, such as `flow renew`: stacks and profiles show it */
  constructor(
    readonly name: string,
    readonly place?: SourcePlace,
    private readonly texts = new SourceTexts(),
  ) {}

  /** An identifier that nothing else in the text has, like the preferred one. */
  identifier(preferred: string): string {
    const base = preferred.replace(/\W/g, '_').replace(/^(?=\d|$)/, '_');
    let name = RESERVED.has(base) || base === 'x' ? `${base}_` : base;
    for (let n = 2; this.#taken.has(name); n++) name = `${base}_${n}`;
    this.#taken.add(name);
    return name;
  }

  /** The identifier by which the text refers to a thing of the engine or the pack. */
  refer(thing: unknown, preferred: string): string {
    let name = this.#things.get(thing);
    if (name === undefined) this.#things.set(thing, (name = this.identifier(preferred)));
    return name;
  }

  /** A constant: written out, or by reference where it has parts, so that it exists once. */
  constant(value: Json): string {
    return value === null || typeof value !== 'object' ? scriptLiteral(value) : this.refer(value, 'constant');
  }

  /** A local that an expression gives a value before it reads it. */
  temp(preferred: string): string {
    const name = this.identifier(preferred);
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
    return this.function(parameters, [`return ${bare(compiled.js)};`]);
  }

  /**
   * The function with these parameters and this body.
   * @throws CodeRejected where this process may not make functions of text
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
    const text = this.texts.keep(this.name, [...flat(whole, '', this.place)]);
    return instantiate([...this.#things.values()], text)(...this.#things.keys()) as F;
  }
}

/** This process may not make functions of text. */
export class CodeRejected extends Error {}

/**
 * Fails early where packs cannot run at all.
 * @throws CodeRejected
 */
export function requireCode(): void {
  instantiate([], '');
}

function instantiate(names: readonly string[], text: string): (...things: unknown[]) => unknown {
  try {
    // The one place where text becomes code. `Unit` writes it; of a request nothing gets here.
    // oxlint-disable-next-line typescript/no-implied-eval
    return new Function(...names, text) as (...things: unknown[]) => unknown;
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    throw new CodeRejected(
      'packs are compiled to JavaScript, which this process forbids (--disallow-code-generation-from-strings)',
    );
  }
}

function* flat(js: Js, indent: string, place: SourcePlace | undefined): Generator<TextLine> {
  let current = place;
  for (const line of js) {
    if (typeof line === 'string') yield { js: indent + line, place: current };
    else if ('js' in line) {
      current = line.place;
      yield { js: indent + line.js, place: current };
    } else yield* flat(line, `${indent}  `, current);
  }
}
