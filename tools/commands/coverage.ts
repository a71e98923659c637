import type { ControlClient } from '../../engine/index.js';
import { readReplay } from '../command/bug-file.js';
import { Exit, Failure, type Output } from '../command/output.js';

/** The parsed options of `sandbox coverage`. */
export interface CoverageCommand {
  readonly key?: string;
  readonly pack?: string;
  readonly format: 'text' | 'markdown' | 'json';
  readonly json?: boolean;
}

interface CoveredNames {
  readonly total: number;
  readonly met: readonly string[];
  readonly missing: readonly string[];
}

type Kinds = Readonly<Record<string, CoveredNames>>;

/** The used parts of a world's pack, and requests that it doesn't emulate. */
interface Used {
  readonly kinds: Kinds;
  readonly unsupported: readonly UnsupportedItem[];
}

interface UnsupportedItem {
  readonly kind: string;
  readonly name: string;
  readonly operation: string | null;
  readonly count: number;
}

/** Prints the used parts of a world's pack: of a running server, or of a file, which is replayed. @throws Failure */
export async function coverage(source: string, options: CoverageCommand, output: Output): Promise<number> {
  const { kinds, unsupported } = /^https?:\/\//.test(source)
    ? await ofServer(source, options)
    : await ofFile(source, options);
  switch (options.json ? 'json' : options.format) {
    case 'json':
      output.print(JSON.stringify({ ...kinds, unsupported }));
      break;
    case 'markdown':
      for (const line of [...markdown(kinds), ...unsupportedMarkdown(unsupported)]) output.print(line);
      break;
    case 'text':
      for (const line of [...table(kinds), ...unsupportedText(unsupported)]) output.print(line);
  }
  return Exit.done;
}

async function ofServer(url: string, { key }: CoverageCommand): Promise<Used> {
  const { ControlClient, ControlError } = await import('../../engine/index.js');
  if (key === undefined)
    throw new Failure(Exit.cannotRun, 'key_missing', 'no API key', 'Pass --key, or set SANDBOX_API_KEY.');
  try {
    return await usedOf(new ControlClient(url.replace(/\/$/, ''), key));
  } catch (error) {
    const reason = error instanceof ControlError ? `returned ${error.status}` : 'does not respond';
    throw new Failure(
      Exit.cannotRun,
      'server_failed',
      `${url} ${reason}`,
      "Start one with 'sandbox serve', or give its address.",
    );
  }
}

async function ofFile(file: string, options: CoverageCommand): Promise<Used> {
  const { play } = await readReplay(file, options.pack);
  const { served } = await play({ onDefect: () => undefined });
  try {
    return await usedOf(served.control);
  } finally {
    await served.close(0);
  }
}

async function usedOf(control: ControlClient): Promise<Used> {
  const [kinds, { data }] = [await control.coverage(), await control.unsupported()];
  return { kinds, unsupported: data };
}

function described({ kind, name, operation }: UnsupportedItem): string {
  return `${kind.replace('_', ' ')} ${name}${operation === null ? '' : ` of ${operation}`}`;
}

function unsupportedText(items: readonly UnsupportedItem[]): string[] {
  if (items.length === 0) return [];
  return [
    '',
    'asked for, not emulated',
    ...items.map((each) => `${String(each.count).padStart(6)} x ${described(each)}`),
  ];
}

function unsupportedMarkdown(items: readonly UnsupportedItem[]): string[] {
  if (items.length === 0) return [];
  const rows = items.map((each) => `| \`${described(each)}\` | ${each.count} |`);
  return ['', '| Asked for, not emulated | calls |', '|---|--:|', ...rows];
}

function percent({ total, met: names }: CoveredNames): string {
  return total === 0 ? '' : `${Math.floor((names.length / total) * 100)}%`;
}

function table(kinds: Kinds): string[] {
  const rows = Object.entries(kinds).map(([kind, covered]) => [
    kind.replaceAll('_', ' '),
    `${covered.met.length} of ${covered.total}`,
    percent(covered),
  ]);
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at].length)));
  return rows.map(([kind, counts, share]) =>
    `${kind.padEnd(widths[0])}  ${counts.padStart(widths[1])}  ${share.padStart(widths[2])}`.trimEnd(),
  );
}

/** Formats coverage as Markdown for a comment on a pull request, with expandable lists of unused parts. */
function markdown(kinds: Kinds): string[] {
  const rows = Object.entries(kinds).filter(([, { total }]) => total > 0);
  const lines = ['| | met | of | |', '|---|--:|--:|--:|'];
  for (const [kind, covered] of rows)
    lines.push(`| ${kind.replaceAll('_', ' ')} | ${covered.met.length} | ${covered.total} | ${percent(covered)} |`);
  for (const [kind, { missing }] of rows) {
    if (missing.length === 0) continue;
    const names = missing.map((name) => `\`${name}\``).join(', ');
    lines.push('', `<details><summary>${missing.length} ${kind.replaceAll('_', ' ')} not met</summary>`, '', names);
    lines.push('', '</details>');
  }
  return lines;
}
