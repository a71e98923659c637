import { isRecord } from '../../../engine/values/index.js';
import type { ObjectShape, Shape } from './shapes.js';

/** A difference between a body and the client's declarations. */
export interface ShapeProblem {
  code: 'missing' | 'null' | 'type' | 'value' | 'unknown-key' | 'unknown-object';
  /** Path in the body, such as `data[0].outcome.type`; empty for the body itself. */
  path: string;
  message: string;
  /** The innermost API object around the problem, such as `charge`. */
  type: string;
  /** Path inside that object, without list indexes, such as `refunds.data[].amount`. */
  at: string;
}

/** Options for comparing a body with the declarations. */
interface Reading {
  /** The vendor's name in the sandbox's keys and enum values, as in `use_vendor_sdk`. */
  vendorWord: string;
}

type Step = string | number;

/** The vendor's name in the client's keys and enum values. */
const clientWord = 'stripe';

/** Walks through one body and collects its problems. */
export class ShapeCheck {
  readonly path: Step[] = [];
  /** Whether objects may lack keys and any value may be null, as in `previous_attributes`. */
  partial = false;
  #resource: { type: string; depth: number } = { type: '', depth: 0 };

  constructor(
    readonly reading: Reading,
    public problems: ShapeProblem[] = [],
  ) {}

  /** Runs `visit` one level deeper in the body. */
  within(step: Step, visit: () => void): void {
    this.path.push(step);
    visit();
    this.path.pop();
  }

  /** Records a problem at the current path, or at the key `step` below it. */
  report(code: ShapeProblem['code'], message: string, step?: Step): void {
    const path = step === undefined ? this.path : [...this.path, step];
    const { type, depth } = this.#resource;
    const at = textOf(path.slice(depth)).replace(/\[\d+\]/g, '[]');
    this.problems.push({ code, path: textOf(path), message, type, at });
  }

  /** Checks a value against a shape. */
  value(shape: Shape, value: unknown): void {
    if (shape.any || (value === null && (shape.null || this.partial))) return;
    if (value === null) return this.report('null', `is null, expected ${describe(shape)}`);
    switch (typeof value) {
      case 'string':
        return this.#string(shape, value);
      case 'number':
        if (shape.number) return;
        break;
      case 'boolean':
        if (shape.booleans.includes(value)) return;
        break;
      default:
        if (Array.isArray(value) && shape.items) return this.#items(shape.items, value);
        if (isRecord(value) && shape.objects.length > 0) return this.#choice(shape.objects, value);
    }
    this.report('type', `is ${show(value)}, expected ${describe(shape)}`);
  }

  /** Checks an object against one declaration. */
  object(shape: ObjectShape, value: Record<string, unknown>): void {
    if (this.#isAnotherObject([shape], value)) return;
    const outer = this.#resource;
    if (shape.resource !== null && !this.partial) this.#resource = { type: shape.resource, depth: this.path.length };
    for (const key of Object.keys(value)) {
      if (value[key] === undefined || key === 'lastResponse') continue;
      const field = shape.fields.get(key) ?? shape.fields.get(this.#renamed(key)) ?? shape.rest;
      if (field === null) {
        this.report('unknown-key', `is not declared by ${shortName(shape)}`, key);
        continue;
      }
      this.path.push(key);
      this.value(field, value[key]);
      this.path.pop();
    }
    if (!this.partial) {
      for (const key of shape.required) {
        if (value[key] === undefined && value[this.#ours(key)] === undefined) {
          this.report('missing', `is missing, ${shortName(shape)} requires it`, key);
        }
      }
    }
    this.#resource = outer;
  }

  #string(shape: Shape, value: string): void {
    if (shape.strings === true || shape.strings.has(value) || shape.strings.has(this.#renamed(value))) return;
    this.report(shape.strings.size > 0 ? 'value' : 'type', `is ${show(value)}, expected ${describe(shape)}`);
  }

  #items(shape: Shape, values: unknown[]): void {
    for (const [index, value] of values.entries()) {
      this.path.push(index);
      this.value(shape, value);
      this.path.pop();
    }
  }

  /** Checks a value against the declaration that its `object` names, or against the one with the fewest problems. */
  #choice(shapes: readonly ObjectShape[], value: Record<string, unknown>): void {
    if (shapes.length === 1) return this.object(shapes[0], value);
    if (this.#isAnotherObject(shapes, value)) return;
    const fitting = shapes.filter((shape) => fits(shape, value));
    const attempts = (fitting.length > 0 ? fitting : shapes).map((shape) => this.#attempt(shape, value));
    this.problems.push(...attempts.reduce((best, next) => (next.length < best.length ? next : best)));
  }

  #attempt(shape: ObjectShape, value: Record<string, unknown>): ShapeProblem[] {
    const kept = this.problems;
    this.problems = [];
    this.object(shape, value);
    const found = this.problems;
    this.problems = kept;
    return found;
  }

  /** Reports an unexpected API object as one problem, instead of one for each of its keys. */
  #isAnotherObject(shapes: readonly ObjectShape[], value: Record<string, unknown>): boolean {
    if (typeof value.object !== 'string' || shapes.some((shape) => fits(shape, value))) return false;
    const deleted = shapes.every((shape) => shape.resource !== value.object) ? '' : 'the deleted form of ';
    const expected = shapes.map(shortName).join(' | ');
    this.report('value', `is ${deleted}${show(value.object)}, expected ${expected}`, 'object');
    return true;
  }

  #renamed(text: string): string {
    return replaceWord(text, this.reading.vendorWord, clientWord);
  }

  #ours(text: string): string {
    return replaceWord(text, clientWord, this.reading.vendorWord);
  }
}

/** Whether an object has the declaration's `object` name and deleted form; plain objects always match. */
function fits(shape: ObjectShape, value: Record<string, unknown>): boolean {
  return shape.resource === null || (shape.resource === value.object && shape.deleted === (value.deleted === true));
}

function replaceWord(text: string, word: string, replacement: string): string {
  if (!text.includes(word)) return text;
  const parts = text.split('_').map((part) => (part === word ? replacement : part));
  return parts.join('_');
}

function textOf(path: readonly Step[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

function shortName(shape: ObjectShape): string {
  if (shape.resource !== null) return shape.deleted ? `deleted ${shape.resource}` : shape.resource;
  return shape.name.replace(/^Stripe\./, '');
}

function describe(shape: Shape): string {
  const strings = shape.strings === true ? ['a string'] : [...shape.strings].map((value) => `"${value}"`);
  const options = [
    ...(strings.length > 12 ? [...strings.slice(0, 12), `${strings.length - 12} more`] : strings),
    ...(shape.number ? ['a number'] : []),
    ...(shape.booleans.length === 2 ? ['a boolean'] : shape.booleans.map(String)),
    ...(shape.items ? ['an array'] : []),
    ...shape.objects.map(shortName),
    ...(shape.null ? ['null'] : []),
  ];
  return options.join(' | ');
}

function show(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (isRecord(value)) return 'an object';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
