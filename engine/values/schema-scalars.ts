import { LIMITS } from '../limits.js';
import type { JsonObject } from './json-value.js';
import { BadPattern, textPattern } from './pattern.js';
import { textFor } from './pattern-text.js';
import { type Draw, likelyNumber, likelyText, textOfFormat } from './sample-values.js';
import { NothingFits, numberOr, TooLarge } from './schema-merge.js';

/** Maximum number of draws for a number between exclusive bounds. */
const NUMBER_DRAWS = 40;
/** Maximum number of draws for a text that matches its pattern. */
const TEXT_DRAWS = 30;
/** Length limit of texts without `maxLength`. */
const USUAL_LENGTH = 200;

/** Inputs of generated texts and numbers: the random source, and the simulated time in milliseconds. */
export interface Draws {
  readonly draw: Draw;
  readonly nowMs: number;
}

/** Generates a text that matches a schema: by its format, its name, or its pattern. @throws NothingFits, TooLarge */
export function sampleText(schema: JsonObject, name: string, from: Draws): string {
  const least = numberOr(schema['minLength'], 0);
  const most = numberOr(schema['maxLength'], Infinity);
  if (least > most) throw new NothingFits();
  if (least > LIMITS.synthesisText.value) throw new TooLarge();
  return rawText(schema, name, least, most, from);
}

function rawText(schema: JsonObject, name: string, least: number, most: number, { draw, nowMs }: Draws): string {
  const { pattern, format } = schema;
  if (typeof pattern === 'string') {
    const texts = [
      ...(typeof format === 'string' ? [textOfFormat(format, draw, nowMs)] : []),
      likelyText(name, draw, nowMs),
    ];
    const likely = texts.find((text) => text !== undefined && fitsLength(text, least, most) && matches(pattern, text));
    return likely ?? matching(pattern, least, most, draw);
  }
  const formatted = typeof format === 'string' ? textOfFormat(format, draw, nowMs) : undefined;
  const text = formatted ?? likelyText(name, draw, nowMs);
  if (lengthOf(text) > most) return [...text].slice(0, most).join('').trimEnd().padEnd(least, 'x');
  return text.length < least ? text.padEnd(least, text === '' ? 'x' : ` ${text}`).slice(0, least - 1) + 'x' : text;
}

function matching(pattern: string, least: number, most: number, draw: Draw): string {
  let nearest: string | undefined;
  for (let draws = 0; draws < TEXT_DRAWS; draws++) {
    // Tries texts of about the minimum length first, then longer ones.
    const shortest = textFor(pattern, {
      draw,
      extra: 0,
      most: Infinity === most ? LIMITS.schemaLength.value : most,
    });
    if (shortest === undefined) break;
    const missing = Math.max(0, least - lengthOf(shortest));
    const extra = missing > 0 ? missing + (draws > 5 ? draws - 5 : 0) : draws % 8;
    const text = textFor(pattern, {
      draw,
      extra,
      most: Math.max(least, Math.min(most, USUAL_LENGTH + Math.max(least, lengthOf(shortest)))),
    });
    if (text === undefined) continue;
    nearest ??= text;
    if (fitsLength(text, least, most) && matches(pattern, text)) return text;
  }
  if (nearest === undefined) throw new NothingFits();
  return nearest;
}

/** Generates a number that matches a schema, plausible for its name if possible. @throws NothingFits */
export function sampleNumber(schema: JsonObject, name: string, whole: boolean, { draw, nowMs }: Draws): number {
  const step = numberOr(schema['multipleOf'], 0) || (whole ? 1 : 0);
  const unit = step > 0 ? step : 0.01;
  const low = Math.max(
    numberOr(schema['minimum'], -Infinity),
    typeof schema['exclusiveMinimum'] === 'number' ? schema['exclusiveMinimum'] : -Infinity,
  );
  const high = Math.min(
    numberOr(schema['maximum'], Infinity),
    typeof schema['exclusiveMaximum'] === 'number' ? schema['exclusiveMaximum'] : Infinity,
  );
  const openLow = schema['exclusiveMinimum'] === low || schema['exclusiveMinimum'] === true;
  const openHigh = schema['exclusiveMaximum'] === high || schema['exclusiveMaximum'] === true;
  const usual = rounded(likelyNumber(name, whole, draw, nowMs), step);
  const inside = (n: number): boolean =>
    (openLow ? n > low : n >= low) && (openHigh ? n < high : n <= high) && (!whole || Number.isInteger(n));
  if (inside(usual)) return usual;
  const from = Number.isFinite(low) ? low : Number.isFinite(high) ? high - 1000 * unit : 0;
  const to = Number.isFinite(high) ? high : from + 1000 * unit;
  if (from > to) throw new NothingFits();
  const steps = Math.floor((to - from) / unit);
  const first = Math.ceil(from / unit) * unit;
  for (let draws = 0; draws < NUMBER_DRAWS; draws++) {
    const count = Math.min(Math.max(steps, 0), 1_000_000) + 1;
    const made = rounded(first + draw(count) * unit, unit);
    if (inside(made)) return made;
  }
  const last = [first, first + unit, (from + to) / 2, from, to].map((n) => (step > 0 ? rounded(n, step) : n));
  const found = last.find(inside);
  if (found === undefined) throw new NothingFits();
  return found;
}

/** Rounds a value to the nearest multiple of a step, without floating-point errors. */
function rounded(value: number, step: number): number {
  if (step <= 0) return value;
  const multiple = Math.round(value / step) * step;
  return Number(multiple.toPrecision(15));
}

function lengthOf(text: string): number {
  return [...text].length;
}

/** Whether a text's length is within bounds, in characters. */
export function fitsLength(text: string, least: number, most: number): boolean {
  const length = lengthOf(text);
  return length >= least && length <= most;
}

/** Whether a text matches a pattern; an invalid one matches nothing. */
export function matches(pattern: string, text: string): boolean {
  try {
    return textPattern(pattern).test(text);
  } catch (error) {
    if (error instanceof BadPattern) return false;
    throw error;
  }
}
