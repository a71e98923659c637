import { OutOfRange } from '../values/index.js';

/** Number of decimal digits that a JSON number preserves. */
const DIGITS = 15;

/** Rounds to an integer, halves away from zero; -0 becomes 0. */
export function roundHalfAway(n: number): number {
  return Math.sign(n) * Math.round(Math.abs(n)) || 0;
}

/**
 * `n` times `p` per cent, rounded half away from zero without binary fractions: 1999 at 8.25 % is exact.
 * @param n an amount (minor currency units), an integer or a decimal with at most 15 digits
 * @param p a decimal with at most 15 digits
 * @throws OutOfRange for numbers beyond 10^15
 */
export function percentOf(n: number, p: number): number {
  const tenThousandths = Math.round(p * 1e4);
  const exact = n * tenThousandths;
  if (tenThousandths / 1e4 === p && Number.isInteger(n) && Number.isSafeInteger(exact))
    return roundHalfAway(wholeMillionths(exact));
  const [digits, scale] = decimal(p);
  const [amount, amountScale] = decimal(n);
  const product = amount * digits;
  const divisor = 100n * scale * amountScale;
  const half = divisor / 2n;
  const rounded = product < 0n ? -((-product + half) / divisor) : (product + half) / divisor;
  return Number(rounded);
}

/** Rounds a number of millionths to a whole number, or to a half if it is exactly one. */
function wholeMillionths(millionths: number): number {
  const rest = Math.abs(millionths % 1e6);
  const whole = Math.trunc(millionths / 1e6);
  return whole + Math.sign(millionths) * (rest < 5e5 ? 0 : rest > 5e5 ? 1 : 0.5);
}

/** The decimal as it was written: binary fractions differ only after the 15th digit. */
function decimal(p: number): [bigint, bigint] {
  if (Number.isSafeInteger(p)) return [BigInt(p), 1n];
  if (!(Math.abs(p) < 1e15)) throw new OutOfRange(`percent() cannot calculate with ${p}`);
  const [mantissa, exponent = '0'] = p.toPrecision(DIGITS).split('e');
  const fraction = mantissa.split('.')[1] ?? '';
  const places = fraction.length - Number(exponent);
  const digits = BigInt(mantissa.replace('.', ''));
  return places < 0 ? [digits * 10n ** BigInt(-places), 1n] : [digits, 10n ** BigInt(places)];
}
