import type { RecordingDifference } from '../../recordings/compare.js';
import { tableLines } from '../kit/table.js';
import { isApart } from './sources.js';
import type { Recording } from './recording.js';
import type { PlayedCall } from './world-player.js';

type CallSum = ReturnType<typeof nothing>;

interface WorldsReport {
  readonly sums: Readonly<Record<string, CallSum>>;
  readonly operations: Readonly<Record<string, CallSum>>;
  /** Number of calls without an operation of the pack, by route. */
  readonly outside: Readonly<Record<string, number>>;
  /** Differences by description, except those in held-out classes. */
  readonly differences: Readonly<Record<string, { calls: number; example: string }>>;
}

/** Creates a sum without any calls. */
const nothing = () => ({
  calls: 0,
  inside: 0,
  status: 0,
  /** Calls with the recorded status whose response has every recorded member, with its type. */
  shape: 0,
  /** Calls counted in `shape` whose ids refer to the same objects as in the recording. */
  ids: 0,
  writes: 0,
  writesStatus: 0,
  writesShape: 0,
  failures: 0,
});

/** Sums up results. For held-out classes only figures are included, unless `open`. */
export function worldsReport(
  played: readonly (readonly [Recording, readonly PlayedCall[]])[],
  open: boolean,
): WorldsReport {
  const sums: Record<string, CallSum> = {};
  const operations: Record<string, CallSum> = {};
  const outside: Record<string, number> = {};
  const found: Record<string, { calls: number; example: string }> = {};
  for (const [{ source, group, name }, calls] of played) {
    const apart = isApart(group);
    const which = apart ? 'kept apart' : 'looked at';
    for (const each of calls) {
      const shown = !apart || open;
      const rows = [which, `${source}, ${which}`].map((row) => (sums[row] ??= nothing()));
      if (each.operation !== undefined && shown) rows.push((operations[each.operation] ??= nothing()));
      for (const row of rows) add(row, each);
      if (!shown) continue;
      if (each.operation === undefined) {
        const route = routeOf(each.call);
        outside[route] = (outside[route] ?? 0) + 1;
        continue;
      }
      for (const what of problems(each)) {
        const known = (found[`${each.operation} ${what}`] ??= {
          calls: 0,
          example: `${name}: ${each.call}`,
        });
        known.calls++;
      }
    }
  }
  return { sums, operations, outside, differences: found };
}

function add(row: CallSum, { operation, call, status: [recorded, ours], differences }: PlayedCall): void {
  row.calls++;
  if (operation === undefined) return;
  const writes = call.startsWith('GET ') ? 0 : 1;
  const status = recorded === ours;
  const shape = status && !differences.some(isShape);
  row.inside++;
  row.writes += writes;
  if (ours >= 500) row.failures++;
  if (!status) return;
  row.status++;
  row.writesStatus += writes;
  if (!shape) return;
  row.shape++;
  row.writesShape += writes;
  if (!differences.some(isId)) row.ids++;
}

function isShape({ kind, expected }: RecordingDifference): boolean {
  return expected === null && (kind === 'missing' || kind === 'type');
}

function isId({ path, kind, expected }: RecordingDifference): boolean {
  return expected === null && kind === 'value' && /(?:^|[._])(?:id|sha)$/.test(path);
}

function* problems({ status: [recorded, ours], differences }: PlayedCall): Iterable<string> {
  if (recorded !== ours) yield `status ${recorded}, here ${ours}`;
  for (const each of differences) if (isShape(each)) yield `${each.path}: ${each.recorded}, here ${each.ours}`;
}

/** Replaces the variable parts of a path with names. */
function routeOf(call: string): string {
  return call
    .replace(/\?.*$/, '')
    .replace(/\/repos\/[^/]+\/[^/]+/, '/repos/R')
    .replace(/\/(orgs|users|teams)\/[^/]+/g, '/$1/X')
    .replace(/[0-9a-f]{40}/g, 'SHA')
    .replace(/\/\d+/g, '/N');
}

const share = (n: number, of: number): string =>
  of === 0 ? '-' : `${(Math.floor((n * 1000) / of) / 10).toFixed(1)} %`;

const HEAD =
  'Calls|All|Inside the pack|Status equal|and members and types|and ids|Writes|Status equal|and members and types|5xx';

function sumsOf(rows: readonly (readonly [string, CallSum])[]): string[] {
  const cells = rows.map(([name, each]) => {
    const [status, shape, ids] = [each.status, each.shape, each.ids].map((n) => share(n, each.inside));
    const writes = [each.writes, share(each.writesStatus, each.writes), share(each.writesShape, each.writes)];
    return [name, each.calls, share(each.inside, each.calls), status, shape, ids, ...writes, each.failures];
  });
  return tableLines(HEAD.split('|'), cells);
}

/** Formats the page's table: sums of sources, with and without held-out classes. */
export function worldsTable({ sums }: Pick<WorldsReport, 'sums'>): string[] {
  return sumsOf(Object.entries(sums).sort(([a], [b]) => (a < b ? 1 : -1)));
}

/** Formats the report as Markdown. */
export function writtenWorlds({ sums, operations, outside, differences }: WorldsReport, most: number): string {
  const worst = Object.entries(operations).sort(([, a], [, b]) => b.inside - b.shape - (a.inside - a.shape));
  return [
    ...worldsTable({ sums }),
    '',
    ...sumsOf(worst.slice(0, most)),
    '',
    ...top(outside, (n) => n)
      .slice(0, most)
      .map(([route, n]) => `${n} ${route}`),
    '',
    ...top(differences, ({ calls }) => calls)
      .slice(0, 3 * most)
      .map(([what, { calls, example }]) => `${calls} ${what} (${example})`),
  ].join('\n');
}

function top<T>(rows: Readonly<Record<string, T>>, size: (row: T) => number): [string, T][] {
  return Object.entries(rows).sort(([, a], [, b]) => size(b) - size(a));
}
