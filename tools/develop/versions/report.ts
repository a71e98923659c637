import { tableLines } from '../kit/table.js';
import type { ClientRelease } from './releases.js';

interface Count {
  readonly all: number;
  readonly valid: number;
}

/** Kinds of checked bodies. */
const KINDS = ['answers', 'events', 'objects'] as const;

/** Results of the tests for one version. */
interface VersionFindings {
  readonly counts: Readonly<Record<(typeof KINDS)[number], Count>>;
  readonly problems: Readonly<
    Record<string, { readonly count: number; readonly message: string; readonly first: string }>
  >;
}

/** Sums up the results of worlds: one line of JSON each, with results by version. */
export function sumByVersion(lines: readonly string[]): Map<string, VersionFindings> {
  const sums = new Map<string, VersionFindings>();
  for (const line of lines) {
    for (const [version, found] of Object.entries(JSON.parse(line) as Record<string, VersionFindings>)) {
      const before = sums.get(version);
      sums.set(version, before === undefined ? found : together(before, found));
    }
  }
  return sums;
}

function together(one: VersionFindings, other: VersionFindings): VersionFindings {
  const problems = { ...one.problems };
  for (const [at, problem] of Object.entries(other.problems)) {
    const before = problems[at];
    problems[at] = before === undefined ? problem : { ...before, count: before.count + problem.count };
  }
  const [responses, events, objects] = KINDS.map((kind) => ({
    all: one.counts[kind].all + other.counts[kind].all,
    valid: one.counts[kind].valid + other.counts[kind].valid,
  }));
  return { counts: { answers: responses, events, objects }, problems };
}

/** Whether every body of a version was valid. */
export function isClean({ counts }: VersionFindings): boolean {
  return KINDS.every((kind) => counts[kind].valid === counts[kind].all);
}

/** Formats the shares as a Markdown table. */
export function shareTable(releases: readonly ClientRelease[], sums: ReadonlyMap<string, VersionFindings>): string[] {
  const share = ({ all, valid }: Count): string => (all === 0 ? '-' : `${valid} of ${all}, ${percent(valid / all)}`);
  const rows = releases.flatMap(({ name, version }) => {
    const found = sums.get(version);
    return found ? [[name, version, ...KINDS.map((kind) => share(found.counts[kind]))]] : [];
  });
  return tableLines(['Client', 'Its version', 'Responses', 'Events', 'Objects'], rows);
}

/** Formats a share as a percentage, rounded down so that 100 % means all. */
function percent(share: number): string {
  return `${Math.floor(share * 10_000) / 100} %`;
}

/** Lists invalid bodies, most frequent first, one per line. */
export function problemsOf(releases: readonly ClientRelease[], sums: ReadonlyMap<string, VersionFindings>): string[] {
  return releases.flatMap(({ name, version }) =>
    Object.entries(sums.get(version)?.problems ?? {})
      .sort(([, one], [, other]) => other.count - one.count)
      .map(([at, { count, message, first }]) => `${name}: ${at}: ${message} (${count}x, first ${first})`),
  );
}
