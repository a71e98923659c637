/** Whether this is a whole run (`npm run test:whole`), which tests every case of long lists; `npm test` tests a sample. */
export const IS_WHOLE = process.env['SANDBOX_TESTS'] === 'whole';

/** Selects every n-th case of a list, beginning with the first; in whole runs all cases. */
export function sampleOf<T>(cases: readonly T[], every: number): readonly T[] {
  return IS_WHOLE ? cases : cases.filter((_case, index) => index % every === 0);
}

/** Number of random cases: `whole` in whole runs, otherwise `sample`. */
export function sampleCount(whole: number, sample: number): number {
  return IS_WHOLE ? whole : sample;
}
