import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONTROL_COMMANDS } from '../../tools/control/commands/index.js';
import { samplePack } from '../support/sample-pack.js';
import { runCommand } from '../support/command.js';
import { startCommand } from '../support/processes.js';
import { useSandboxes } from '../support/start-sandbox.js';

/**
 * What a command line can have wrong, for every subcommand: an exit code of 2 and a message, never a stack. What stands in a file that
 * was given is another mistake: 1.
 */

const folder = mkdtempSync(join(tmpdir(), 'sandbox-usage-'));
const at = (name: string): string => join(folder, name);
const MINIMAL = samplePack('minimal').folder;
/** It has a variable `vendor`. */
const FULL = samplePack('full').folder;

beforeAll(() => {
  mkdirSync(at('full'));
  writeFileSync(join(at('full'), 'something'), '');
  writeFileSync(at('some.json'), '{"x": 1}');
  writeFileSync(at('broken.yaml'), 'a: [');
  mkdirSync(at('broken'));
  writeFileSync(join(at('broken'), 'pack.yaml'), 'pack: {}');
});

afterAll(() => rmSync(folder, { recursive: true }));

const NOTHING = 'http://127.0.0.1:9';

/** A command line, what it says, and what it says to do. */
const MISTAKES: readonly (readonly [line: readonly string[], message: string, advice?: string])[] = [
  [['exec', 'payments'], "missing required argument 'command'", '--help'],
  [['exec', 'paymnts', '--', 'true'], "did you mean 'payments'?", 'A pack is a folder'],
  [['exec', FULL, '--set', 'vendr=x', '--', 'true'], 'that --set vendr=x makes', "did you mean 'vendor'?"],
  [['exec', 'payments', '--t0', 'soon', '--', 'true'], "'soon' isn't a valid time", 'ISO 8601'],
  [['exec', MINIMAL, '--redirect', '--', 'true'], 'does not name the machines', 'without --redirect'],
  [['replay', at('none')], 'none does not exist'],
  [['replay', folder], 'is a folder, not a file'],
  [['shrink', at('none'), '--check', 'true'], 'none does not exist'],
  [['shrink', at('none')], "required option '--check <command>' not specified", '--help'],
  [['chaos', 'paymnts', '--check', 'true'], "did you mean 'payments'?"],
  [['chaos', '--url', 'localhost:8801', '--check', 'true'], 'An address begins with http://', '--help'],
  [['chaos', '--url', NOTHING, '--check', 'true'], 'no API key', 'Pass --key'],
  [['coverage', at('none')], 'none does not exist'],
  [['coverage', NOTHING, '--key', 'k'], 'does not respond', 'sandbox serve'],
  [['validate-pack', 'paymnts'], "did you mean 'payments'?"],
  [['worlds', 'list', at('none')], 'there is no file'],
  [['store', 'migrate', 'here.db'], 'postgres://user:password@host:port/database'],
  [['init-pack', 'No Name'], 'cannot be the name of a pack', 'small letters'],
  [['init-pack', at('full')], 'already exists and is not empty', 'Give another name'],
  [['docs', 'paymnts'], "did you mean 'payments'?"],
  [['docs', MINIMAL, '--pages'], '--pages needs --out'],
  [['docs', MINIMAL, '--out', join(at('nowhere'), 'a.md')], 'no such file or directory'],
  [['docs', MINIMAL, '--pages', '--out', at('pages'), '--calls', at('none')], 'none does not exist'],
  [['explain', MINIMAL, 'nothing.such'], "'nothing.such'", 'sandbox docs'],
  [['types', MINIMAL, '--out', folder], 'illegal operation on a directory'],
  [['export-openapi', MINIMAL, '--out', join(at('nowhere'), 'a.json')], 'no such file or directory'],
  [['import-openapi', at('none'), join(folder, 'made')], 'none does not exist'],
  [['import-openapi', at('some.json'), 'No Name'], 'cannot be the name of a pack', 'small letters'],
  [['import-openapi', at('some.json'), at('full')], 'already exists and is not empty', '--force'],
  [['check-contract', MINIMAL], 'does not exist', 'Name the document'],
  [['check-contract', MINIMAL, at('none')], 'none does not exist', 'Name the document'],
  [['record', 'api.vendor.com', '--to', join(folder, 'made')], 'neither an address nor a recording', 'https://'],
  [['record', NOTHING, '--to', join(folder, 'made'), '--hide', 'emial'], 'Did you mean', 'email'],
  [['compare', MINIMAL], 'name a recording', '--version'],
  [['compare', MINIMAL, at('none')], 'none does not exist'],
  [['fmt', at('none')], 'none does not exist'],
  [['mcp', 'paymnts'], "did you mean 'payments'?"],
  [['mcp', '--url', '8801'], 'An address begins with http://'],
  [['doctor', '--url', 'nonsense'], 'An address begins with http://'],
  [['completion', 'bsh'], 'Allowed choices are bash, zsh, fish', "Did you mean 'bash'?"],
  [['delivery-fault', 'duplicat', '--count', '1'], 'Allowed choices are', "Did you mean 'duplicate'?"],
  [['seed', at('none')], 'seed file'],
];

const mistakes = MISTAKES.map(([line, message, advice = '']) => ({ line, message, advice }));

test.each(mistakes)('$line is 2, and says what to do', async ({ line, message, advice }) => {
  const { code, stdout, stderr } = await runCommand(line);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).toContain(advice);
  expect(stderr).not.toMatch(/^ +at /m);
});

// `serve` has a thread of its own.
test.each([
  ['--seed-file', at('none'), 'does not exist'],
  ['--key-file', at('none'), 'none does not exist'],
  ['--store', join(at('nowhere'), 'a.db'), "the folder doesn't exist"],
  ['--tls-cert', at('none'), 'come together'],
  ['--max-worlds', '3', 'is for worlds in PostgreSQL'],
  ['--advertise', 'here', 'An address begins with http://'],
])('serve %s %s is 2', async (option, value, message) => {
  const { code, stdout, stderr } = await startCommand(['serve', 'payments', '--port', '0', option, value]).ended;
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/^ +at /m);
});

/** What stands in a file. */
test.each([
  [['replay', at('some.json')], 'is no response of GET /__admin__/export'],
  [['coverage', at('some.json')], 'is no response of GET /__admin__/export'],
  [['import-openapi', at('some.json'), join(folder, 'made')], 'this is no OpenAPI document'],
  [['record', at('some.json'), '--to', join(folder, 'made')], 'holds no recorded calls'],
  [['compare', MINIMAL, at('some.json')], 'holds no call that the pack has a route for'],
  [['seed', at('some.json')], 'needs `resource` and `objects`'],
  [['fmt', at('broken.yaml')], 'is no YAML'],
  [['exec', at('broken'), '--', 'true'], 'is not served'],
  [['exec', at('broken'), '--set', 'vendor=x', '--', 'true'], 'is not served'],
  [['mcp', at('broken')], 'is not served'],
  [['chaos', at('broken'), '--check', 'true'], 'is not served'],
  [['compare', at('broken'), at('some.json')], 'is not served'],
])('%j is 1', async (line, message) => {
  const { code, stderr } = await runCommand(line);
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/^ +at /m);
  expect(code).toBe(1);
});

const { serve } = useSandboxes({ pack: MINIMAL });
test.each(['replay', 'record'])('%s says that its port is taken', async (name) => {
  const sandbox = await serve();
  writeFileSync(at('met.sandbox'), JSON.stringify(await sandbox.control.call('GET', '/export')));
  const port = new URL(sandbox.url).port;
  const line = name === 'replay' ? [at('met.sandbox'), '--pack', MINIMAL] : [NOTHING, '--to', join(folder, 'made')];
  const { code, stderr } = await runCommand([name, ...line, '--port', port]);
  expect(stderr).toMatch(new RegExp(`^error: port ${port} of \\S+ is taken\n.*--port 0`));
  expect(code).toBe(2);
});

test('no command takes an option that it does not have', async () => {
  for (const { name } of CONTROL_COMMANDS) {
    const { code, stderr } = await runCommand([name, '--nonsuch']);
    expect({ name, code }).toEqual({ name, code: 2 });
    expect(stderr).toContain("unknown option '--nonsuch'");
  }
});
