import type { Result, Why } from '../../recordings/replay.js';
import { tableLines } from '../kit/table.js';

/** Results of an operation's calls. */
export interface OperationSum {
  readonly operation: string;
  calls: number;
  /** Number of calls without differences other than those in every run. */
  equal: number;
  /** Number of calls in `equal`, and of calls that differ only by version or time. */
  byVersion: number;
  /** Number of calls in `byVersion`, and of calls that also differ by the account's settings. */
  bySettings: number;
}

/** An unexpected difference, and how often it occurred. */
export interface OpenDifference {
  readonly operation: string;
  readonly path: string;
  readonly recorded: string;
  readonly ours: string;
  calls: number;
  recordings: number;
  /** One of the calls with the difference, as an example. */
  readonly example: string;
}

export interface RecordingsReport {
  readonly recordings: number;
  readonly calls: number;
  readonly leftOut: Readonly<Partial<Record<Why, number>>>;
  readonly sum: OperationSum;
  readonly operations: readonly OperationSum[];
  /** Differences that aren't expected, most frequent first. */
  readonly differences: readonly OpenDifference[];
}

/** Sums up results by recording. */
export function reportOf(played: ReadonlyMap<string, readonly Result[]>): RecordingsReport {
  const rows = new Map<string, OperationSum>();
  const found = new Map<string, OpenDifference & { readonly files: Set<string> }>();
  const leftOut: Partial<Record<Why, number>> = {};
  const sum = rowOf('all');
  let calls = 0;
  for (const [file, results] of played) {
    for (const result of results) {
      calls++;
      if (result.kind === 'left out') {
        leftOut[result.why] = (leftOut[result.why] ?? 0) + 1;
        continue;
      }
      const row = rows.get(result.operation) ?? rowOf(result.operation);
      rows.set(result.operation, row);
      const causes = new Set(result.differences.map(({ expected }) => expected));
      for (const each of [row, sum]) {
        each.calls++;
        if (!causes.has(null)) each.bySettings++;
        if (!causes.has(null) && !causes.has('settings')) each.byVersion++;
        if (!causes.has(null) && !causes.has('settings') && !causes.has('version')) each.equal++;
      }
      for (const { path, recorded, ours, expected } of result.differences) {
        if (expected !== null) continue;
        const { operation } = result;
        const key = [operation, path, recorded, ours].join('\n');
        const known = found.get(key) ?? {
          operation,
          path,
          recorded,
          ours,
          calls: 0,
          recordings: 0,
          files: new Set(),
          example: `${file}: ${result.call}`,
        };
        known.calls++;
        known.files.add(file);
        known.recordings = known.files.size;
        found.set(key, known);
      }
    }
  }
  return {
    recordings: played.size,
    calls,
    leftOut,
    sum,
    operations: [...rows.values()].sort((a, b) => b.calls - a.calls),
    differences: [...found.values()]
      .sort((a, b) => b.recordings - a.recordings || b.calls - a.calls)
      .map(({ files: _files, ...rest }) => rest),
  };
}

function rowOf(operation: string): OperationSum {
  return { operation, calls: 0, equal: 0, byVersion: 0, bySettings: 0 };
}

/** Operations with a lower share, apart from versions and settings, than in a page's table. */
export function fallen(operations: readonly OperationSum[], page: string): string[] {
  return operations.flatMap(({ operation, calls, bySettings }) => {
    const row = page.match(
      new RegExp(`^\\| ${operation.replace('.', '\\.')} \\| (\\d+) \\|.*\\| (\\d+) \\| [^|]+\\|$`, 'm'),
    );
    if (!row || bySettings * Number(row[1]) >= Number(row[2]) * calls) return [];
    return [`${operation}: ${row[2]} of ${row[1]}, now ${bySettings} of ${calls}`];
  });
}

/** The printed report: also sums by source, and operations whose share decreased. */
interface WrittenReport extends RecordingsReport {
  readonly sources: Readonly<Record<string, OperationSum>>;
  readonly fell: readonly string[];
}

/** Formats results by operation. */
function sumsTable(sums: readonly OperationSum[]): string[] {
  return tableLines(
    [
      'Operation',
      'Replayed',
      'Strictly equal',
      'apart from keys of other versions',
      'and from settings of the account',
      'Shares',
    ],
    sums.map(({ operation, calls, ...equals }) => {
      const equal = [equals.equal, equals.byVersion, equals.bySettings];
      const shares = equal.map((n) => `${(Math.floor((n * 1000) / (calls || 1)) / 10).toFixed(1)} %`);
      return [operation, calls, ...equal, shares.join(', ')];
    }),
  );
}

/** Formats the page's table: separate sums for some resources (`apart`, by operation name), and operations with at least nine calls. */
export function pageTable(
  { sum, operations, sources }: WrittenReport,
  apart: readonly string[],
  title: string,
): string[] {
  const of = (operation: string, among: readonly OperationSum[]): OperationSum => {
    const total = rowOf(operation);
    for (const each of among)
      for (const key of ['calls', 'equal', 'byVersion', 'bySettings'] as const) total[key] += each[key];
    return total;
  };
  const isApart = ({ operation }: OperationSum): boolean => apart.includes(operation.split('.')[0]);
  const others = operations.filter((each) => !isApart(each));
  return sumsTable([
    sum,
    of(`all but ${title}`, others),
    of(title, operations.filter(isApart)),
    ...Object.entries(sources).map(([operation, each]) => ({ ...each, operation })),
    ...operations.filter(({ calls }) => calls >= 9),
  ]);
}

/** Formats the number of calls, and why some weren't replayed. */
export function pageCounts({ recordings, calls, sum, leftOut }: RecordingsReport): string {
  const reasons = Object.entries(leftOut).map(([why, times]) => `${times} ${why}`);
  return `${recordings} recordings with ${calls} calls, of which ${sum.calls} were replayed. Not replayed: ${reasons.join(', ')}.`;
}

/** Formats the report as Markdown. */
export function writtenReport(
  { recordings, calls, leftOut, sum, operations, differences, sources, fell }: WrittenReport,
  most: number,
): string {
  const reasons = Object.entries(leftOut).map(([why, times]) => `${times} ${why}`);
  return [
    `${recordings} recordings, ${calls} calls, ${sum.calls} replayed${reasons.length > 0 ? ` (not replayed: ${reasons.join(', ')})` : ''}.`,
    '',
    ...sumsTable([sum, ...Object.entries(sources).map(([operation, each]) => ({ ...each, operation })), ...operations]),
    '',
    ...fell.map((each) => `Fewer than in the last table: ${each}`),
    '',
    ...(differences.length === 0
      ? ['No differences.']
      : tableLines(
          ['Recordings', 'Calls', 'Operation', 'Field', 'Recorded', 'Here'],
          differences.slice(0, most).map((each) => {
            const [recorded, ours] = [each.recorded, each.ours].map(cell);
            return [each.recordings, each.calls, each.operation, each.path, recorded, ours];
          }),
        )),
    ...(differences.length > most ? [`\n${differences.length - most} more kinds of differences.`] : []),
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
