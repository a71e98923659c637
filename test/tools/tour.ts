import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HAS_CURL } from '../support/curl.js';
import { freePort, ROOT, startProcess, startSandbox } from './command.js';
import { difference, parseSamples, parseValues } from './documented-samples.js';
import { scratchFolder } from '../support/file-store.js';

/** A command of a document, and what the document shows as its output. */
interface Step {
  readonly title: string;
  readonly command: string;
  readonly shown: { readonly language: string; readonly text: string } | undefined;
}

/** A document of the project. @param heading only the part below it */
export function documentText(file: string, heading?: string): string {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (heading === undefined) return text;
  const start = text.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`${file} has no section '${heading}'`);
  return text.slice(start, text.indexOf('\n## ', start + 1));
}

/**
 * Tests of a document: its commands (`sh`, `js`) run in one shell, against a payments pack of their own, and print what the
 * block after them shows.
 */
export function testsOf(document: string): void {
  const steps = stepsOf(document);
  if (!HAS_CURL && steps.some(({ command }) => command.includes('curl'))) {
    test.skip('curl is not installed', () => undefined);
    return;
  }
  const folder = scratchFolder();
  const sandbox = startSandbox(['serve', 'packs/payments', '--port', '0', '--key', 'sk_test_tour', '--json']);
  let outputs: readonly string[] = [];
  /** Puts the addresses of this run in place of those that the document shows. */
  let adapt = (text: string): string => text;

  beforeAll(async () => {
    const [line] = await sandbox.lines(1);
    const { url } = JSON.parse(line) as { url: string };
    const receiver = String(await freePort());
    adapt = (text) =>
      text
        .replaceAll('http://localhost:8801', url)
        .replaceAll('port: 8801', `port: ${new URL(url).port}`)
        .replaceAll('4242', receiver);
    install(folder);
    outputs = await runAll(steps, adapt, folder);
  }, 60_000);

  afterAll(() => sandbox.stop());

  test.each(steps.map((step, index) => ({ ...step, index })))('$index $title', ({ index, command, shown }) => {
    const output = outputs[index];
    if (shown === undefined) {
      expect(output).toBe('');
    } else if (shown.language === 'text') {
      expect(output).toBe(shown.text);
    } else {
      const samples = parseSamples(adapt(shown.text));
      const values = parseValues(output);
      const differences = samples.map((sample, i) => difference(sample, values[i], `answer ${i + 1}`)).filter(Boolean);
      expect({ command, differences, answers: values.length }).toEqual({
        command,
        differences: [],
        answers: samples.length,
      });
    }
  });

  test('has commands to run', () => expect(steps.length).toBeGreaterThan(0));
}

/** Makes a folder one in which the package is installed. */
function install(folder: string): void {
  const modules = join(folder, 'node_modules');
  for (const part of ['.bin', '@vendor-sandbox']) mkdirSync(join(modules, part), { recursive: true });
  symlinkSync(ROOT, join(modules, '@vendor-sandbox', 'sandbox'));
  const command = `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'dist', 'tools', 'cli.js')}' "$@"\n`;
  writeFileSync(join(modules, '.bin', 'sandbox'), command, { mode: 0o755 });
}

function stepsOf(text: string): Step[] {
  const blocks = [...text.matchAll(/^##+ (.+)$|^```(\w+)\n([^]*?)\n```$/gm)];
  const steps: Step[] = [];
  let title = 'set-up';
  for (const [index, [, heading, language, body]] of blocks.entries()) {
    if (heading !== undefined) title = heading;
    if (language !== 'sh' && language !== 'js') continue;
    const next = blocks[index + 1];
    const shown =
      next !== undefined && (next[2] === 'json' || next[2] === 'text')
        ? { language: next[2], text: next[3] }
        : undefined;
    steps.push({ title, command: language === 'js' ? asCommand(body) : body, shown });
  }
  return steps;
}

/** A program as a command of the shell; its imports are found in the project. */
function asCommand(program: string): string {
  return `(cd "$PROJECT" && node --input-type=module <<'PROGRAM'\n${program}\nPROGRAM\n)`;
}

/** Runs every step in one shell, as a reader would, and gives what each printed. */
async function runAll(steps: readonly Step[], adapt: (text: string) => string, cwd: string): Promise<string[]> {
  const mark = '=====end of step=====';
  const script = steps.map(({ command }) => `${command}\nprintf '%s' '${mark}'`).join('\n');
  const shell = startProcess('bash', ['-uc', adapt(script)], { cwd, env: { PROJECT: ROOT } });
  const { stdout, stderr } = await shell.ended;
  const outputs = stdout.split(mark).map((text) => text.trim());
  if (outputs.length !== steps.length + 1) throw new Error(`the commands stopped early: ${stderr}\n${stdout}`);
  return outputs;
}
