import { tableLines } from '../kit/table.js';
import type { Outcome } from './program.js';

/** Formats the table of tested programs. */
export function clientsTable(outcomes: readonly Outcome[]): string[] {
  return tableLines(['Program', 'What', 'Steps passed', 'What failed'], outcomes.map(rowOf));
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
