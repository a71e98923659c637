import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eachMapping, TraceMap } from '@jridgewell/trace-mapping';
import { Debugger } from '../../support/debugger.js';
import { packFolder } from '../../support/sample-pack.js';
import { runCommand } from '../../support/command.js';
import { startProcess, startCommand } from '../../support/processes.js';
import { ROOT } from '../../support/root.js';
import { call, type Called } from '../../support/http.js';

const ORDER = `resource: order
collection: orders
fields: { bread: string, loaves: { type: integer, default: 0 } }
operations:
  bake:
    route: POST /bake
    params: { loaves: integer }
    do:
      - let: { twice: params.loaves * 2 }
      - run: knead
        with: { loaves: "\${twice}" }
        as: made
      - return: "\${made}"
`;
const KNEAD = `flow: knead
args: { loaves: integer }
do:
  - let: { more: loaves + 1 }
  - create: order
    with:
      bread: rye
      loaves: "\${more}"
  - fail: wrong_state
    when: more > 100 && first([]) + 1 > 0
    with: { action: a, status: b }
  - return: { loaves: "\${order.loaves}" }
`;
const FILES = { 'resources/order.yaml': ORDER, 'flows/knead.yaml': KNEAD };

const lineOf = (text: string, part: string): number => text.split('\n').findIndex((line) => line.includes(part)) + 1;

/** What the places of a script are in YAML, and the other way round; lines count from 0, as the protocol has them. */
class Script {
  readonly #lines: readonly { readonly generated: number; readonly yaml: number; readonly source: string }[];

  constructor(
    readonly id: string,
    url: string,
  ) {
    const map = new TraceMap(Buffer.from(url.split(',')[1], 'base64').toString());
    const lines: { generated: number; yaml: number; source: string }[] = [];
    eachMapping(map, ({ generatedLine, originalLine, source }) => {
      lines.push({ generated: generatedLine - 1, yaml: originalLine ?? 0, source: source ?? '' });
    });
    this.#lines = lines;
  }

  generated(yaml: number): number {
    return this.#lines.find((line) => line.yaml === yaml)?.generated ?? -1;
  }

  yaml(generated: number): string {
    const found = this.#lines.find((line) => line.generated === generated);
    return `${found?.source ?? ''}:${found?.yaml ?? 0}`;
  }
}

const bake = (url: string, loaves: number): Promise<Called> => call({ url, key: 'k' }, 'POST /bake', { loaves });

interface Paused {
  readonly callFrames: readonly {
    readonly callFrameId: string;
    readonly location: { readonly scriptId: string; readonly lineNumber: number };
  }[];
}

test('a debugger stops at a line of YAML, reads a variable and steps to the next line', async () => {
  const folder = packFolder(FILES);
  const served = startCommand(['serve', folder, '--port', '0', '--key', 'k', '--inspect', '0', '--json']);
  const listening = new Promise<string>((resolve) => {
    let said = '';
    served.child.stderr?.on('data', (text: string) => {
      said += text;
      const [found] = /ws:\/\/\S+/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const [line] = await served.lines(1);
  const { url } = JSON.parse(line) as { url: string };
  const debug = await Debugger.attach(await listening);
  try {
    await debug.ask('Debugger.enable');
    const { scriptId, sourceMapURL } = await debug.told(
      'Debugger.scriptParsed',
      (each) => each['url'] === 'pack:flow-knead',
    );
    const script = new Script(String(scriptId), String(sourceMapURL));
    const source = pathToFileURL(join(folder, 'flows', 'knead.yaml')).href;
    const lineNumber = script.generated(lineOf(KNEAD, 'loaves: "'));
    await debug.ask('Debugger.setBreakpoint', { location: { scriptId: script.id, lineNumber } });
    const answer = bake(url, 20);
    const paused = (await debug.told('Debugger.paused')) as unknown as Paused;
    const [frame] = paused.callFrames;
    expect(script.yaml(frame.location.lineNumber)).toBe(`${source}:${lineOf(KNEAD, 'loaves: "')}`);
    const { result } = await debug.ask('Debugger.evaluateOnCallFrame', {
      callFrameId: frame.callFrameId,
      expression: 'more',
    });
    expect(result).toMatchObject({ value: 41 });
    await debug.ask('Debugger.stepOver');
    const next = (await debug.told('Debugger.paused')) as unknown as Paused;
    expect(script.yaml(next.callFrames[0].location.lineNumber)).toBe(`${source}:${lineOf(KNEAD, '- create')}`);
    await debug.ask('Debugger.resume');
    expect((await answer).body).toEqual({ loaves: 41 });
  } finally {
    debug.close();
    await served.stop('SIGKILL');
  }
});

test('a defect in a step tells the lines of YAML on the way to it', async () => {
  const served = startCommand(['serve', packFolder(FILES), '--port', '0', '--key', 'k', '--json']);
  const [line] = await served.lines(1);
  const { url } = JSON.parse(line) as { url: string };
  const { status } = await bake(url, 60);
  expect(status).toBe(500);
  const { stderr } = await served.stop();
  expect(stderr).toMatch(/'\+' needs a number, got null/);
  const frames = [
    ...stderr.matchAll(/at (?:Object\.)?(\w+) (?:\[as run\] )?\(\S*?((?:flows|resources)\/\w+\.yaml:\d+):/g),
  ].map((found) => found.slice(1));
  expect(frames).toEqual([
    ['flow_knead', `flows/knead.yaml:${lineOf(KNEAD, 'when: more')}`],
    ['operation_orders_bake', `resources/order.yaml:${lineOf(ORDER, 'run: knead')}`],
  ]);
});

test('explain --js prints what is made of an operation', async () => {
  const { stdout, code } = await runCommand(['explain', packFolder(FILES), 'orders.bake', '--js']);
  expect(code).toBe(0);
  expect(stdout).toContain('flow_knead.run(x, loaves');
  expect((await runCommand(['explain', packFolder(FILES), 'POST /bake', '--js'])).stdout).toBe(stdout);
});

test('a process that may not make code says so', async () => {
  const cli = join(ROOT, 'dist', 'app', 'cli.cjs');
  const args = ['--disallow-code-generation-from-strings', cli, 'serve', packFolder(FILES), '--port', '0'];
  const { code, stderr } = await startProcess(process.execPath, args).ended;
  expect(code).not.toBe(0);
  expect(stderr).toContain('this process forbids');
});
