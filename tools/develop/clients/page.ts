import { measuredLine } from '../prose/figures.js';
import type { Outcome } from './program.js';

/** The outcome as a page of the documentation. @param commit that was measured */
export function clientsPage(outcomes: readonly Outcome[], commit: string): string {
  const row = ({ program, steps, skipped }: Outcome): string => {
    const passed = steps.filter(({ ok }) => ok).length;
    const failed = steps
      .filter(({ ok }) => !ok)
      .map(({ step, why }) => `${step}: ${(why ?? '').replaceAll('|', '\\|').replaceAll('\n', ' ')}`);
    return `| ${program.name} | ${program.title} | ${skipped === null ? `${passed} of ${steps.length}` : `not run: ${skipped}`} | ${failed.join('<br>')} |`;
  };
  return `# Programs of other people

This page answers: which programs by other people run against the packs, and which steps pass? \`npm run test:clients -- --write\`
writes it. Each program is installed from npm outside the project (or found as a Debian package, or fetched by its commit). It runs against its own world, served with
the vendor's names, and reports each step. A program that can't be installed is skipped; its line names the missing
package.

${measuredLine(commit, 'npm run test:clients -- --write', 200, ['engine', 'packs'])}

| Program | What | Steps passed | What failed |
|---|---|---|---|
${outcomes.map(row).join('\n')}

A program is a folder in \`tools/develop/clients/programs\`. \`program.json\` lists its packages and repositories, and \`steps.mjs\` (or a Python file) contains its steps. \`npm run
test:clients -- NAME\` runs one.

Where to go next: [recordings.md](recordings.md) compares the pack with recordings of the real vendor;
[Differences from the vendor](../reference/payments/differences.md) lists deliberate differences.
`;
}
