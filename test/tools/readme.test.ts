import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, ROOT, runSandbox, startProcess, startSandbox } from './command.js';
import { difference, parseSamples, parseValues } from './documented-samples.js';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** A command of the tour, and what the README shows as its output. */
interface Step {
  readonly title: string;
  readonly command: string;
  readonly shown: { readonly language: string; readonly text: string } | undefined;
}

const STEPS = stepsOf(section('A tour in five minutes'));

describe('the tour of the README', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tour-'));
  const sandbox = startSandbox(['serve', 'packs/payments', '--port', '0', '--key', 'sk_test_tour', '--json']);
  let outputs: readonly string[] = [];
  /** Puts the addresses of this run in place of those that the README shows. */
  let adapt = (text: string): string => text;

  beforeAll(async () => {
    const [line] = await sandbox.lines(1);
    const { url } = JSON.parse(line) as { url: string };
    const receiver = String(await freePort());
    adapt = (text) => text.replaceAll('http://localhost:8801', url).replaceAll('4242', receiver);
    outputs = await runAll(adapt, folder);
  }, 60_000);

  afterAll(async () => {
    await sandbox.stop();
    rmSync(folder, { recursive: true });
  });

  test.each(STEPS.map((step, index) => ({ ...step, index })))('$index $title', ({ index, command, shown }) => {
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

  test('shows something of everything', () => {
    expect(STEPS.length).toBeGreaterThan(10);
  });
});

describe('the options of serve', () => {
  const documented = [...section('The command').matchAll(/^\| `(--[\w-]+)/gm)].map(([, name]) => name);

  test('are those that --help lists', async () => {
    const { stdout } = await runSandbox(['serve', '--help']);
    const listed = [...stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name);
    expect([...documented].sort()).toEqual(listed.filter((name) => name !== '--help').sort());
  });
});

test('links of the README lead to files', () => {
  for (const [, path] of README.matchAll(/\]\(([\w./-]+)(?:#[\w-]+)?\)/g)) {
    expect(() => readFileSync(join(ROOT, path))).not.toThrow();
  }
});

/** The part of the README under a heading. */
function section(heading: string): string {
  const start = README.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`the README has no section '${heading}'`);
  const end = README.indexOf('\n## ', start + 1);
  return README.slice(start, end);
}

function stepsOf(text: string): Step[] {
  const blocks = [...text.matchAll(/^### (.+)$|^```(\w+)\n([^]*?)\n```$/gm)];
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
async function runAll(adapt: (text: string) => string, cwd: string): Promise<string[]> {
  const mark = '=====end of step=====';
  const script = STEPS.map(({ command }) => `${command}\nprintf '%s' '${mark}'`).join('\n');
  const shell = startProcess('bash', ['-uc', adapt(script)], { cwd, env: { PROJECT: ROOT } });
  const { stdout, stderr } = await shell.ended;
  const outputs = stdout.split(mark).map((text) => text.trim());
  if (outputs.length !== STEPS.length + 1) throw new Error(`the tour stopped early: ${stderr}\n${stdout}`);
  return outputs;
}
