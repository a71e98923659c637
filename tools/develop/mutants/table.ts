import { MUTATIONS, type MutantVerdict } from './measure.js';

/** Computes the shares of errors that were reported, and that were reported on their line. */
export function shares(verdicts: readonly MutantVerdict[]): {
  readonly made: number;
  readonly reported: number;
  readonly atLine: number;
} {
  const made = verdicts.length;
  const share = (count: number): number => (made === 0 ? 1 : count / made);
  return {
    made,
    reported: share(verdicts.filter((each) => each.reported).length),
    atLine: share(verdicts.filter((each) => each.atLine).length),
  };
}

/** Formats the figures by kind of error, and in total. */
export function tableOf(verdicts: readonly MutantVerdict[]): string {
  const row = (name: string, of: readonly MutantVerdict[]): string => {
    const { made, reported, atLine } = shares(of);
    return `${name.padEnd(42)} ${String(made).padStart(5)} ${percent(reported).padStart(8)} ${percent(atLine).padStart(7)}`;
  };
  const kinds = Object.keys(MUTATIONS).map((kind) =>
    row(
      kind,
      verdicts.filter((each) => each.kind === kind),
    ),
  );
  return [
    `${'kind'.padEnd(42)} ${'made'.padStart(5)} ${'reported'.padStart(8)} ${'at line'.padStart(7)}`,
    ...kinds,
    row(`all (${kinds.length} kinds)`, verdicts),
  ].join('\n');
}

/** Lists errors that were not reported, or on another line. */
export function unreportedTable(verdicts: readonly MutantVerdict[]): string {
  return verdicts
    .filter(({ atLine }) => !atLine)
    .map(({ kind, file, mutant, reported, problems }) => {
      const elsewhere = reported ? ` reported at ${problems[0].file}:${problems[0].line} ${problems[0].message}` : '';
      return `${reported ? 'elsewhere ' : 'unreported'} ${kind}: ${file}:${mutant.line} ${mutant.what}${elsewhere}`;
    })
    .join('\n');
}

/** Formats a share, such as `98.7 %`. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
