import type { Json } from '../values/index.js';
import { bare, scriptLiteral, RESERVED } from './javascript.js';
import { type SourcePlace, type TextLine, SourceTexts } from './texts.js';

/** Lines of JavaScript; nested lists are indented. */
export type Js = readonly (string | PlacedLine | Js)[];

/** A line with its location in the pack. */
export interface PlacedLine {
  readonly js: string;
  readonly place: SourcePlace;
}

/**
 * A function that is being compiled: the names in its text, and the values of the engine and the pack that it refers to.
 * Everything from a pack is inserted as a checked identifier or an escaped literal.
 */
export class CodeUnit {
  readonly #taken = new Set<string>();
  readonly #things = new Map<unknown, string>();
  readonly #temps: string[] = [];

  /** @param name of the function, such as `flow renew`, in stacks and profiles */
  constructor(
    readonly name: string,
    readonly place?: SourcePlace,
    private readonly texts = new SourceTexts(),
  ) {}

  /** A unique identifier in the text, similar to the preferred one. */
  identifier(preferred: string): string {
    const base = preferred.replace(/\W/g, '_').replace(/^(?=\d|$)/, '_');
    let name = RESERVED.has(base) || base === 'x' ? `${base}_` : base;
    for (let n = 2; this.#taken.has(name); n++) name = `${base}_${n}`;
    this.#taken.add(name);
    return name;
  }

  /** The identifier that refers to a value of the engine or the pack. */
  refer(thing: unknown, preferred: string): string {
    let name = this.#things.get(thing);
    if (name === undefined) this.#things.set(thing, (name = this.identifier(preferred)));
    return name;
  }

  /** Returns JavaScript of a constant: a literal, or for lists and maps a reference to the shared value. */
  constant(value: Json): string {
    return value === null || typeof value !== 'object' ? scriptLiteral(value) : this.refer(value, 'constant');
  }

  /** Declares a local variable to which an expression assigns a value before it reads it. */
  temp(preferred: string): string {
    const name = this.identifier(preferred);
    this.#temps.push(name);
    return name;
  }

  /** Makes the function that evaluates an expression. Constants need no compiled text. */
  expression<A extends readonly unknown[], R extends Json = Json>(
    parameters: readonly string[],
    compiled: { readonly js: string; readonly constant?: Json },
  ): (...args: A) => R {
    const { constant } = compiled;
    if (constant !== undefined) return () => constant as R;
    return this.function(parameters, [`return ${bare(compiled.js)};`]);
  }

  /**
   * Compiles the function with these parameters and this body.
   * @throws CodeRejected if this process can't compile functions from text
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

/** Thrown if this process can't compile functions from text. */
export class CodeRejected extends Error {}

/** Checks early whether packs can run in this process. @throws CodeRejected */
export function requireCode(): void {
  instantiate([], '');
}

function instantiate(names: readonly string[], text: string): (...things: unknown[]) => unknown {
  try {
    // The only place where text becomes code. `CodeUnit` writes the text; nothing from a request is part of it.
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
