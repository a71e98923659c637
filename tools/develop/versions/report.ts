import { tableLines } from '../kit/table.js';
import { measuredLine } from '../prose/figures.js';
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
export function shareTable(releases: readonly ClientRelease[], sums: ReadonlyMap<string, VersionFindings>): string {
  const share = ({ all, valid }: Count): string => (all === 0 ? '-' : `${valid} of ${all}, ${percent(valid / all)}`);
  const rows = releases.flatMap(({ name, version }) => {
    const found = sums.get(version);
    return found ? [[name, version, ...KINDS.map((kind) => share(found.counts[kind]))]] : [];
  });
  return tableLines(['Client', 'Its version', 'Responses', 'Events', 'Objects'], rows).join('\n');
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

/** Formats the results as a page of the documentation. @param commit that was measured */
export function versionsPage(
  releases: readonly ClientRelease[],
  sums: ReadonlyMap<string, VersionFindings>,
  commit: string,
): string {
  const problems = problemsOf(releases, sums);
  return `# Versions of the payments API, checked against the vendor's clients

This page answers: how well does each version of the payments API match the type declarations of the vendor's own client? \`npm run test:versions -- --write\`
writes it. The pack's tests run once. Every response they get is shown in every version, every event is written in every version, and every object
left at the end of a test is retrieved in every version. Each body is checked against the type declarations of the npm client that sends the version. No field
may be missing, no field may be undeclared, and every value must have its type. Some vendor responses are known to differ from the declarations:
\`tools/develop/conformance/allowances.ts\` lists them with the reason.

${measuredLine(commit, 'npm run test:versions -- --write', 200, ['engine', 'packs/payments'])}

${shareTable(releases, sums)}

${problems.length === 0 ? 'Nothing differs.' : `Differences:\n\n${problems.map((each) => `- ${each}`).join('\n')}`}

Responses to calls that a version lacks, such as usage records, aren't shown in it. Events that a call reads are checked in the account's version only, since they
are written once.

Where to go next: [Differences from the vendor](../reference/payments/differences.md) lists deliberate differences; [clients.md](clients.md) lists programs of
other people.
`;
}
