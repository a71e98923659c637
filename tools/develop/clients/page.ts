import { tableLines } from '../kit/table.js';
import { measuredLine } from '../prose/figures.js';
import type { Outcome } from './program.js';

/**
 * Replaces the figures in the page of tested clients; the text around the table is hand-written.
 * @param page the current page
 * @param commit that was measured
 */
export function clientsPage(page: string, outcomes: readonly Outcome[], commit: string): string {
  const measured = measuredLine(commit, 'npm run test:clients -- --write', 200, ['engine', 'packs']);
  const table = `${tableLines(['Program', 'What', 'Steps passed', 'What failed'], outcomes.map(rowOf)).join('\n')}\n`;
  return page.replace(/^Measured at .*$/m, () => measured).replace(/^\| Program \|(?:.*\n)+?(?!\|)/m, () => table);
}

function rowOf({ program, steps, skipped }: Outcome): string[] {
  const { name, title, differences = {} } = program;
  const passed = steps.filter(({ ok }) => ok).length;
  const failed = steps.flatMap(({ step, ok, why = '' }) => (ok ? [] : [differences[step] ?? `${step}: ${why}`]));
  const cells = [
    name,
    title,
    skipped === null ? `${passed} of ${steps.length}` : `not run: ${skipped}`,
    failed.join('<br>'),
  ];
  return cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' '));
}
