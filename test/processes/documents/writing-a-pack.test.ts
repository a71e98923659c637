import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { HAS_CURL } from '../../support/curl.js';
import { type Running, startCommand } from '../../support/processes.js';
import { ROOT } from '../../support/root.js';
import { difference, parseSamples, parseValues } from '../../tools/documented-samples.js';
import { until } from '../../support/waiting.js';

const PAGE = readFileSync(join(ROOT, 'docs', 'start', 'writing-a-pack.md'), 'utf8');

/** A block of the page: what it is (`yaml file=...`, `sh`, `text` ...) and what it says. */
interface Block {
  readonly language: string;
  readonly attribute: string;
  readonly text: string;
  readonly line: number;
}

const BLOCKS: readonly Block[] = [...PAGE.matchAll(/^```(\w+)(?: (\S+))?\n([^]*?)\n```$/gm)].map(
  ([, language, attribute, text], i, all) => ({
    language,
    attribute: attribute ?? '',
    text,
    line: PAGE.slice(0, all[i].index).split('\n').length,
  }),
);

/** One shell for the whole page, as a reader would have. */
class Shell {
  readonly #process: ChildProcessWithoutNullStreams;
  #output = '';
  #heard: () => void = () => undefined;

  constructor(cwd: string) {
    this.#process = spawn('bash', { cwd, detached: true });
    this.#process.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
      this.#heard();
    });
    this.#process.stderr.resume();
    const cli = join(ROOT, 'dist', 'app', 'cli.cjs');
    this.#process.stdin.write(`sandbox() { '${process.execPath}' '${cli}' "$@"; }\n`);
  }

  /** What commands print, and how the last one ended. */
  async run(commands: string): Promise<{ readonly output: string; readonly code: number }> {
    const mark = '=====end=====';
    const ended = new RegExp(`${mark} (\\d+)\n`);
    this.#output = '';
    // The shell reads its commands from its input: what they run must not.
    this.#process.stdin.write(`{\n${commands}\n} < /dev/null\nprintf '%s %s\\n' '${mark}' $?\n`);
    await new Promise<void>((resolve) => {
      this.#heard = () => ended.test(this.#output) && resolve();
      this.#heard();
    });
    const found = ended.exec(this.#output);
    return { output: this.#output.slice(0, found?.index), code: Number(found?.[1]) };
  }

  /** Ends the shell and whatever runs in it. */
  close(): void {
    if (this.#process.pid !== undefined) process.kill(-this.#process.pid, 'SIGKILL');
  }
}

let folder: string;
let shell: Shell;
let server: Running | undefined;
let told = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'writing-'));
  mkdirSync(join(folder, 'node_modules', '@vendor-sandbox'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules', '@vendor-sandbox', 'sandbox'));
  shell = new Shell(folder);
});

afterAll(async () => {
  shell.close();
  await server?.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Starts what the page shows for a second terminal, on a free port, which takes the place of the page's. */
async function serve(command: string): Promise<string> {
  const args = command.replace(/^\$ sandbox /, '').split(' ');
  const started = startCommand([...args, '--port', '0'], { cwd: folder });
  server = started;
  const [line] = await started.lines(3);
  started.child.stdout?.on('data', (text: string) => (told += text));
  return line.replace(/^url +/, '');
}

/** How often the server that watches has taken what was saved. */
function reloads(): number {
  return told.split('reloaded in').length - 1;
}

(HAS_CURL ? test : test.skip)(
  'every file and command of the page does what the page says',
  async () => {
    let url = '';
    let output = '';
    /** How many reloads there had been when something was saved that no command has followed yet. */
    let saved: number | undefined;
    for (const { language, attribute, text, line } of BLOCKS) {
      const where = `docs/start/writing-a-pack.md:${line}`;
      const [what, path] = attribute.split('=');
      if (path?.startsWith('packs/')) saved ??= reloads();
      if (what === 'file') {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), `${text}\n`);
      } else if (what === 'append') {
        appendFileSync(join(folder, path), `${text}\n`);
      } else if (language === 'console') {
        url = await serve(text);
      } else if (language === 'sh') {
        await until(() => !server || saved === undefined || reloads() > saved);
        saved = undefined;
        const ran = await shell.run(text.replaceAll('http://localhost:8801', url));
        expect({ where, code: ran.code }).toEqual({ where, code: 0 });
        output = ran.output;
      } else if (language === 'text') {
        expect({ where, output: output.trimEnd() }).toEqual({ where, output: text });
      } else if (language === 'json') {
        const samples = parseSamples(text);
        const values = parseValues(output);
        const differences = samples.flatMap((sample, i) => difference(sample, values[i], `answer ${i + 1}`) ?? []);
        expect({ where, differences, answers: values.length }).toEqual({
          where,
          differences: [],
          answers: samples.length,
        });
      } else {
        throw new Error(`${where}: nothing is done with ${language} blocks`);
      }
    }
  },
  90_000,
);

test('the page shows every part of a pack that it promises', () => {
  const files = BLOCKS.flatMap(({ attribute }) => /^file=(.+)/.exec(attribute)?.[1] ?? []);
  expect(files).toEqual(
    expect.arrayContaining([
      'packs/bikes/pack.yaml',
      'packs/bikes/causes.yaml',
      'packs/bikes/scenarios.yaml',
      'bikes.test.mjs',
    ]),
  );
  expect(BLOCKS.filter(({ language }) => language === 'sh').length).toBeGreaterThan(6);
});
