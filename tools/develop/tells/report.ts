import { tableLines } from '../kit/table.js';
import type { ComparedCall } from './compared.js';
import type { FormDifference } from './forms.js';

/** A difference, with the number of sampled calls that show it. */
interface Sign {
  readonly what: string;
  readonly calls: number;
  readonly example: string;
}

/** Results for the sampled calls of one pack. */
export interface PackReport {
  readonly pack: string;
  readonly sources: readonly string[];
  /** Number of recorded calls, of those whose operation the pack has, and of their operations. */
  readonly recorded: { readonly calls: number; readonly inside: number; readonly operations: number };
  readonly drawn: number;
  readonly played: number;
  readonly equal: number;
  readonly status: readonly Sign[];
  readonly missing: readonly Sign[];
  readonly more: readonly Sign[];
  readonly form: readonly Sign[];
  readonly order: readonly Sign[];
  readonly headersMissing: readonly Sign[];
  readonly headersMore: readonly Sign[];
}

export function packReport(
  pack: string,
  sources: readonly string[],
  recorded: PackReport['recorded'],
  calls: readonly ComparedCall[],
): PackReport {
  const of = (kind: FormDifference['kind']): Sign[] =>
    signs(calls, ({ differences, drawn: { operation } }) =>
      differences
        .filter((each) => each.kind === kind)
        .map(
          (each) =>
            `${operation} ${each.path}${kind === 'form' || kind === 'order' ? `: ${each.recorded}, here ${each.ours}` : ''}`,
        ),
    );
  return {
    pack,
    sources,
    recorded,
    drawn: calls.length,
    played: calls.filter(({ how }) => how === 'played').length,
    equal: calls.filter(({ status: [one, other], differences }) => one === other && differences.length === 0).length,
    status: signs(calls, ({ status: [one, other], said, drawn }) =>
      one === other ? [] : [`${drawn.operation} ${one}, here ${other} ${said}`],
    ),
    missing: of('missing'),
    more: of('more'),
    form: of('form'),
    order: of('order'),
    headersMissing: signs(calls, ({ headers }) => headers.missing),
    headersMore: signs(calls, ({ headers }) => headers.more),
  };
}

/** Counts differences, most frequent first. */
function signs(calls: readonly ComparedCall[], of: (call: ComparedCall) => readonly string[]): Sign[] {
  const found = new Map<string, { calls: number; readonly example: string }>();
  for (const each of calls)
    for (const what of of(each)) {
      const known = found.get(what) ?? {
        calls: 0,
        example: `${each.drawn.recording.name}: ${each.drawn.call.method} ${each.drawn.call.url.pathname}`,
      };
      known.calls++;
      found.set(what, known);
    }
  return [...found].map(([what, row]) => ({ what, ...row })).sort((a, b) => b.calls - a.calls);
}

const HEAD =
  'Pack|Recorded calls|In the pack|Operations|Drawn|Played|Equal|Status|Members missing|Too many|Another form|Another order|Headers missing|Too many';
/** Maximum number of printed differences of a kind. */
const MOST = 40;

/** Formats the table in docs/internals/agents.md. */
export function signsTable(reports: readonly PackReport[]): string[] {
  const rows = reports.map((each) => {
    const { calls, inside, operations } = each.recorded;
    const differing = each.status.reduce((sum, sign) => sum + sign.calls, 0);
    const signs = [each.missing, each.more, each.form, each.order, each.headersMissing, each.headersMore];
    const cells = [each.pack, calls, inside, operations, each.drawn, each.played, each.equal, differing];
    return [...cells, ...signs.map(({ length }) => length)];
  });
  return tableLines(HEAD.split('|'), rows);
}

/** Formats the report: the table, then each pack's differences. */
export function written(reports: readonly PackReport[]): string {
  const lists = reports.flatMap((each) =>
    (['status', 'missing', 'more', 'form', 'order', 'headersMissing', 'headersMore'] as const).flatMap((kind) => {
      const all = each[kind];
      if (all.length === 0) return [];
      const shown = all.slice(0, MOST).map(({ what, calls, example }) => `  ${calls} ${what} (${example})`);
      return [`${each.pack}, ${kind}: ${all.length}`, ...shown, ''];
    }),
  );
  return [...signsTable(reports), '', ...lists].join('\n');
}
