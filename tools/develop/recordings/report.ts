import type { Result, Why } from '../../recordings/replay.js';

/** What calls of an operation came to. */
export interface Row {
  readonly operation: string;
  calls: number;
  /** Nothing differs but what differs every time. */
  equal: number;
  /** Equal, or different only because of another version or another time. */
  byVersion: number;
  /** Equal, or different only because of that and of the account's settings. */
  bySettings: number;
}

/** A difference that nothing excuses, and how often it was there. */
export interface Found {
  readonly operation: string;
  readonly path: string;
  readonly recorded: string;
  readonly ours: string;
  calls: number;
  recordings: number;
  /** One of the calls. */
  readonly example: string;
}

export interface Report {
  readonly recordings: number;
  readonly calls: number;
  readonly leftOut: Readonly<Partial<Record<Why, number>>>;
  readonly sum: Row;
  readonly operations: readonly Row[];
  /** The most frequent first. */
  readonly differences: readonly Found[];
}

/** Sums up results: per recording those of its calls. */
export function reportOf(played: ReadonlyMap<string, readonly Result[]>): Report {
  const rows = new Map<string, Row>();
  const found = new Map<string, Found & { readonly files: Set<string> }>();
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
      const excuses = new Set(result.differences.map(({ excuse }) => excuse));
      for (const each of [row, sum]) {
        each.calls++;
        if (!excuses.has(null)) each.bySettings++;
        if (!excuses.has(null) && !excuses.has('settings')) each.byVersion++;
        if (!excuses.has(null) && !excuses.has('settings') && !excuses.has('version')) each.equal++;
      }
      for (const { path, recorded, ours, excuse } of result.differences) {
        if (excuse !== null) continue;
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

function rowOf(operation: string): Row {
  return { operation, calls: 0, equal: 0, byVersion: 0, bySettings: 0 };
}

/** The report for people, as Markdown. */
export function written({ recordings, calls, leftOut, sum, operations, differences }: Report, most: number): string {
  const share = (n: number, of: number): string => (of === 0 ? '' : `${Math.floor((n * 1000) / of) / 10} %`);
  const line = ({ operation, calls: all, equal, byVersion, bySettings }: Row): string =>
    `| ${operation} | ${all} | ${equal} | ${byVersion} | ${bySettings} | ${share(bySettings, all)} |`;
  const reasons = Object.entries(leftOut).map(([why, times]) => `${times} ${why}`);
  return [
    `${recordings} recordings, ${calls} calls, ${sum.calls} replayed${reasons.length > 0 ? ` (not replayed: ${reasons.join(', ')})` : ''}.`,
    '',
    '| Operation | Replayed | Equal | or of another version | or settings of the account | Share |',
    '|---|---|---|---|---|---|',
    line(sum),
    ...operations.map(line),
    '',
    ...(differences.length === 0
      ? ['No differences.']
      : ['| Recordings | Calls | Operation | Field | Recorded | Here |', '|---|---|---|---|---|---|']),
    ...differences
      .slice(0, most)
      .map(
        (each) =>
          `| ${each.recordings} | ${each.calls} | ${each.operation} | ${each.path} | ${cell(each.recorded)} | ${cell(each.ours)} |`,
      ),
    ...(differences.length > most ? [`\n${differences.length - most} more kinds of differences.`] : []),
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
