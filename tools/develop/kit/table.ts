/** Formats the lines of a Markdown table. */
export function tableLines(head: readonly string[], rows: readonly (readonly unknown[])[]): string[] {
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...lines];
}
