/** `npm run test:whole` tries every case of the long lists of which `npm test` tries a sample. */
export const IS_WHOLE = process.env['SANDBOX_TESTS'] === 'whole';

/** Every n-th case of a list, the first one among them; all of them in a whole run. */
export function sampleOf<T>(cases: readonly T[], every: number): readonly T[] {
  return IS_WHOLE ? cases : cases.filter((_case, index) => index % every === 0);
}

/** How many of something that is made by chance: fewer than in a whole run. */
export function sampleCount(whole: number, sample: number): number {
  return IS_WHOLE ? whole : sample;
}
