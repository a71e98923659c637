import { measuredLine } from '../prose/figures.js';
import type { PublishedTool } from './sources.js';

/** Formats docs/internals/asked.md: figures, the requests that no pack supports, and the tools. */
export function askedPage(
  tools: readonly PublishedTool[],
  askers: Readonly<Record<string, readonly string[]>>,
  isServed: (asked: string) => boolean,
  outside: Readonly<Record<string, string>>,
  commit: string,
): string {
  const all = Object.entries(askers);
  const missing = all
    .filter(([each]) => !isServed(each))
    .sort(([a, one], [b, two]) => two.length - one.length || (a < b ? -1 : 1));
  const row = (kind: string, is: (asked: string) => boolean): string => {
    const of = all.filter(([each]) => is(each));
    const lacking = missing.filter(([each]) => is(each));
    const reasons = lacking.filter(([each]) => each in outside).length;
    return `| ${kind} | ${of.length} | ${of.length - lacking.length} | ${reasons} | ${lacking.length - reasons} |`;
  };
  return [
    '# What tools ask',
    '',
    'This page answers: which calls and GraphQL fields do published tools send to the code host, and which of them does the pack lack? A script reads',
    'the code of each tool, at a version or commit, for calls of the official client, paths, and GraphQL documents. It resolves them with the',
    "vendor's own schema and client. A test fails if a tool asks for something that the pack lacks without a reason in `tools/develop/asked/outside.json`.",
    '',
    measuredLine(commit, 'npm run build && node dist/tools/develop/asked/main.js --write', 200, [
      'packs/code-hosting',
      'tools/develop/asked',
    ]),
    '',
    '| | Asked | Served | Outside, with a reason | Missing |',
    '|---|---|---|---|---|',
    row('Calls', (each) => each.includes(' ')),
    row('GraphQL fields', (each) => !each.includes(' ') && !each.includes('(')),
    row('GraphQL arguments', (each) => !each.includes(' ') && each.includes('(')),
    '',
    '## Outside',
    '',
    '| Asked | Tools | Reason |',
    '|---|---|---|',
    ...missing.map(([each, names]) => `| \`${each}\` | ${names.join(', ')} | ${outside[each] ?? ''} |`),
    '',
    '## Tools',
    '',
    ...tools.map(({ name, version, commit: at }) => `- ${name} ${version ?? `at \`${at?.slice(0, 8)}\``}`),
    '',
    'Where to go next: [programs of other people](clients.md) run against the packs; [Differences from the vendor](../reference/payments/differences.md) lists',
    'deliberate differences of payments.',
    '',
  ].join('\n');
}
