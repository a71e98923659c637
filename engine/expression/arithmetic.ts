/** Rounds to an integer, halves away from zero; -0 becomes 0. */
export function roundHalfAway(n: number): number {
  return Math.sign(n) * Math.round(Math.abs(n)) || 0;
}

/**
 * `n` times `p` per cent, rounded half away from zero without binary fractions: 1999 at 8.25 % is exact.
 * @param n an integer (minor currency units)
 * @param p a decimal with at most 12 fraction digits
 */
export function percentOf(n: number, p: number): number {
  const [digits, scale] = decimal(p);
  const product = BigInt(Math.trunc(n)) * digits;
  const divisor = 100n * scale;
  const half = divisor / 2n;
  const rounded = product < 0n ? -((-product + half) / divisor) : (product + half) / divisor;
  return Number(rounded);
}

function decimal(p: number): [bigint, bigint] {
  const text = p.toFixed(12).replace(/0+$/, '');
  const fraction = text.split('.')[1] ?? '';
  return [BigInt(text.replace('.', '')), 10n ** BigInt(fraction.length)];
}
