import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Block, blocksOf, commandsOf, nameOf, placeOf, reasonOf } from './blocks.js';
import { freePort } from '../../tools/develop/kit/free-port.js';
import { type Running, startProcess, startCommand } from '../support/processes.js';
import { ROOT } from '../support/root.js';
import { difference, glob, parseSamples, parseValues } from './documented-samples.js';
import { HAS_CURL } from '../support/curl.js';
import { scratchFolder } from '../support/scratch-folder.js';

/** How a page is run. */
export interface Page {
  readonly file: string;
  /** Only the part below this heading. */
  readonly heading?: string;
  /** Only the blocks of these languages; others have a test of their own. */
  readonly languages?: readonly string[];
  /** Makes what the reader of the page has: commands of a shell, before the page's own. */
  readonly before?: string;
  /** Files that the reader has. */
  readonly files?: Readonly<Record<string, string>>;
  /** It makes worlds, so it has the first one of the server. */
  readonly first?: boolean;
  /** Its commands take long, and what they show is tested elsewhere too: it is run with all others in a whole run only. */
  readonly rare?: boolean;
  /** Simulated time at which its world starts. */
  readonly t0?: string;
  /** What the page shows, and what takes its place in the test. */
  readonly instead?: Readonly<Record<string, string>>;
}

/** A step of a page, and what the page shows as its output. */
interface Step {
  readonly place: string;
  readonly heading: string;
  readonly command: string;
  readonly shown: { readonly language: string; readonly text: string } | undefined;
  /** The output may be anything where the page leaves it out. */
  readonly open: boolean;
}

const MARK = '=====end of step=====';
const CURL = /\bcurl\b/;
/** The lines that a page shows of a server that starts. */
const SERVE = /^(?:npx )?(?:@vendor-sandbox\/)?sandbox serve /;
/** What test/processes/package/package.test.ts does. */
const INSTALL = /^npm install --save-dev @vendor-sandbox\/sandbox$/;

/** The shell of a reader: npx runs what is installed, without looking for it in a second. */
const SHELL = `export PATH="$PWD/node_modules/.bin:$PATH" SANDBOX_URL=http://localhost:8801 NO_COLOR=1
npx() { [ "$1" = @vendor-sandbox/sandbox ] && { shift; set -- sandbox "$@"; }; "$@"; }`;

/** A document of the project. @param heading only the part below it */
export function documentText(file: string, heading?: string): string {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (heading === undefined) return text;
  const start = text.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`${file} has no section '${heading}'`);
  return text.slice(start, text.indexOf('\n## ', start + 1));
}

/** The blocks that `testsOf` runs or compares. */
export function blocksOfPage({ file, heading, languages }: Page): readonly Block[] {
  return blocksOf(file, heading).filter(
    (block) => reasonOf(block) === undefined && (!languages || languages.includes(block.language)),
  );
}

/**
 * Tests of pages: the commands of a page (`sh`, `js`, `console`) run in one shell, against a server with a world of the page's
 * own, in a folder in which the package is installed, and print what the page shows. A program with a name is a file, which a
 * command after it runs, or which runs when its output follows.
 */
export function testsOf(pages: readonly Page[]): void {
  let server: Running;
  let host = { url: '', key: '' };

  beforeAll(async () => {
    server = startCommand(['serve', 'packs/payments', 'packs/task-automation', '--port', '0', '--json']);
    host = JSON.parse((await server.lines(1))[0]) as typeof host;
  });
  afterAll(() => server.stop());

  describe.each(pages)('$file', (page) => {
    const folder = scratchFolder();
    const { steps, serves } = stepsOf(page);
    // What a page does builds on what it did before, so that without curl none of it can be run.
    const isRun =
      HAS_CURL || ![page.before ?? '', ...steps.map(({ command }) => command)].some((text) => CURL.test(text));
    const testRun = isRun ? test : test.skip;
    let outputs: readonly string[] = [];
    let adapt = (text: string): string => text;

    beforeAll(async () => {
      const own = page.first ? host : await worldOf(host, page.t0);
      const receiver = String(await freePort());
      adapt = (text) => {
        let adapted = text;
        for (const [shown, here] of Object.entries(page.instead ?? {})) adapted = adapted.replaceAll(shown, here);
        return adapted
          .replaceAll(/http:\/\/(localhost|127\.0\.0\.1):8801/g, (_, name: string) =>
            own.url.replace('localhost', name),
          )
          .replaceAll('port: 8801', `port: ${new URL(own.url).port}`)
          .replaceAll('sk_test_tour', own.key)
          .replaceAll('4242', receiver);
      };
      install(folder);
      for (const [name, text] of Object.entries(page.files ?? {})) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      for (const block of blocksOfPage(page)) {
        const name = nameOf(block);
        if (name !== undefined && block.language === 'js') writeFileSync(join(folder, name), adapt(block.text));
      }
      if (isRun) outputs = await runAll(page.before ?? '', steps, adapt, folder);
    }, 120_000);

    if (serves.length > 0)
      test.each(serves)('$command', async ({ command, shown }) => {
        const [, , ...args] = command.replace(/^npx /, '').split(' ');
        const started = startCommand(['serve', ...args, '--port', '0'], { cwd: folder });
        const lines = await started.lines(shown.length || 3).finally(() => void started.stop());
        const port = /:(\d+)$/.exec(lines[0])?.[1] ?? '';
        for (const [index, line] of shown.entries()) expect(lines[index].replaceAll(port, '8801')).toMatch(glob(line));
      });

    if (steps.length > 0)
      testRun.each(steps.map((step, index) => ({ ...step, index })))(
        '$place $heading',
        ({ index, command, shown, open }) => {
          const output = outputs[index];
          if (shown === undefined) {
            if (open) expect(output).not.toMatch(/it ended with \d+$/);
            else expect(output).toBe('');
          } else if (shown.language !== 'json') {
            expect(output).toMatch(glob(adapt(shown.text)));
          } else {
            const samples = parseSamples(adapt(shown.text));
            const values = parseValues(output);
            const differences = samples
              .map((sample, i) => difference(sample, values[i], `answer ${i + 1}`))
              .filter(Boolean);
            expect({ command, differences, answers: values.length }).toEqual({
              command,
              differences: [],
              answers: samples.length,
            });
          }
        },
      );

    test('has commands to run', () => expect(steps.length + serves.length).toBeGreaterThan(0));
  });
}

/** Makes a world for a page. */
async function worldOf({ url, key }: { url: string; key: string }, t0?: string): Promise<{ url: string; key: string }> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const made = await fetch(`${url}/__admin__/worlds`, { method: 'POST', headers, body: JSON.stringify({ t0 }) });
  return (await made.json()) as { url: string; key: string };
}

/** Makes a folder one in which the package the vendor's client and Vitest are installed. */
export function install(folder: string): void {
  const modules = join(folder, 'node_modules');
  for (const part of ['.bin', '@vendor-sandbox']) mkdirSync(join(modules, part), { recursive: true });
  symlinkSync(ROOT, join(modules, '@vendor-sandbox', 'sandbox'));
  for (const name of ['stripe', 'vitest']) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  symlinkSync(join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), join(modules, '.bin', 'vitest'));
  const command = `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'dist', 'app', 'cli.cjs')}' "$@"\n`;
  writeFileSync(join(modules, '.bin', 'sandbox'), command, { mode: 0o755 });
}

function stepsOf(page: Page): { steps: readonly Step[]; serves: ReturnType<typeof commandsOf> } {
  const steps: Step[] = [];
  const serves: ReturnType<typeof commandsOf> = [];
  const blocks = blocksOfPage(page);
  for (const [index, block] of blocks.entries()) {
    const { language, heading, text } = block;
    const step = { place: placeOf(block), heading };
    if (language === 'console') {
      for (const each of commandsOf(block)) {
        if (SERVE.test(each.command)) serves.push(each);
        else if (!INSTALL.test(each.command))
          steps.push({
            ...step,
            // Where the output is left out, that a command fails is seen all the same.
            command:
              each.shown.length === 0
                ? `${each.command.trim()} || echo "it ended with $?"`
                : `{ ${each.command.trim()}\n} 2>&1`,
            shown: each.shown.length === 0 ? undefined : { language: 'text', text: each.shown.join('\n') },
            open: each.shown.length === 0,
          });
      }
    } else if (language === 'diff') {
      steps.push({ ...step, command: asCommand(asEdit(block)), shown: undefined, open: false });
    } else if (language === 'sh' || language === 'js') {
      const next = blocks.at(index + 1);
      const shown = next?.language === 'json' || next?.language === 'text' ? next : undefined;
      const name = language === 'js' ? nameOf(block) : undefined;
      if (name !== undefined && shown === undefined) continue;
      const program = name === undefined ? asCommand(text) : `node ${name}`;
      steps.push({
        ...step,
        command: language === 'js' ? program : text.trimEnd(),
        shown: shown && { language: shown.language, text: shown.text.trimEnd() },
        open: false,
      });
    }
  }
  return { steps, serves };
}

/** A program as a command of the shell; it finds what is installed in the folder. */
function asCommand(program: string): string {
  return `node --input-type=module <<'PROGRAM'\n${program.trimEnd()}\nPROGRAM`;
}

/** A program that changes a file (`diff file=NAME`) as a block says: its lines with a minus become those with a plus. */
function asEdit({ attribute, text }: Block): string {
  const [file, from, to] = [
    attribute.replace('file=', ''),
    ...['-', '+'].map((sign) => text.match(new RegExp(`(?<=^\\${sign}).*\\n`, 'gm'))?.join('') ?? ''),
  ].map((part) => JSON.stringify(part));
  return `import fs from 'node:fs';
const text = fs.readFileSync(${file}, 'utf8');
if (!text.includes(${from})) throw new Error('nothing to change');
fs.writeFileSync(${file}, text.replace(${from}, ${to}));`;
}

/** Runs every step in one shell, as a reader would, and gives what each printed. */
async function runAll(
  before: string,
  steps: readonly Step[],
  adapt: (text: string) => string,
  cwd: string,
): Promise<string[]> {
  const start = `${SHELL}\n${before}\nprintf '%s' '${MARK}'\n`;
  const script = start + steps.map(({ command }) => `${command}\nprintf '%s' '${MARK}'`).join('\n');
  const shell = startProcess('bash', ['-uc', adapt(script)], { cwd });
  const { stdout, stderr } = await shell.ended;
  const outputs = stdout.split(MARK).map((text) => text.trim());
  if (outputs.length !== steps.length + 2) throw new Error(`the commands stopped early: ${stderr}\n${stdout}`);
  return outputs.slice(1);
}
