import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { IS_WHOLE } from '../../support/sample.js';
import { type Ended, startCommand, startProcess } from '../../support/processes.js';
import { ROOT } from '../../support/root.js';
import { folderOfTest, scratchFolder } from '../../support/scratch-folder.js';
import { skipped } from '../../support/skipped.js';
import { documented } from '../../tools/blocks.js';

/** The files of tools/integrations, each run as far as this machine has what it is for. */

const FILES = join(ROOT, 'tools', 'integrations');
const PAGE = 'docs/guides/project-tools.md';
const CLI = `${process.execPath} ${join(ROOT, 'dist', 'app', 'cli.cjs')}`;

/** Programs that stand for what a machine of CI has: npx of this package is the command of this clone. */
const programs = scratchFolder();
for (const [name, text] of Object.entries({
  npx: `while [ "$1" = --yes ] || [ "$1" = @vendor-sandbox/sandbox ] || [ "$1" = sandbox ]; do shift; done\nexec ${CLI} "$@"`,
  npm: 'echo "npm $*"',
  sandbox: `exec ${CLI} "$@"`,
})) {
  writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(programs, name), 0o755);
}
const PATH = `${programs}:${process.env['PATH'] ?? ''}`;

/** A folder with the files of an application. */
function application(files: Readonly<Record<string, string>> = {}): string {
  const folder = folderOfTest();
  const all = { 'package.json': '{"name":"shop","dependencies":{"stripe":"17.5.0"}}', ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  return folder;
}

const run = (command: string, cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  startProcess('bash', ['-c', command], { cwd, env: { PATH, SANDBOX_COMMAND: CLI, ...env } }).ended;

/** A test that needs a program of this machine. */
function withProgram(program: string, what: string, body: () => Promise<void>): void {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    test(what, body);
  } catch {
    skipped(`${what}. There is no ${program}.`);
    test.skip(what, body);
  }
}

describe('the action', () => {
  const action = parse(readFileSync(join(FILES, 'action.yml'), 'utf8')) as {
    readonly runs: { readonly steps: readonly { readonly id?: string; readonly run?: string }[] };
  };
  const [script] = action.runs.steps.flatMap((step) => step.run ?? []);

  test('starts the vendors, sets their variables, and the editor sees that they serve', async () => {
    const folder = application();
    const files = { GITHUB_ENV: join(folder, 'env'), GITHUB_OUTPUT: join(folder, 'output'), RUNNER_TEMP: folder };
    // Any free ports: other tests of this machine start vendors too.
    const text = script.replace('--detach', '--detach --port 0');
    const ended = await run(text, ROOT, { ...files, FOLDER: folder, PACKAGE: '@vendor-sandbox/sandbox' });
    try {
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      const set = readFileSync(files.GITHUB_ENV, 'utf8');
      expect(set).toMatch(/^STRIPE_SECRET_KEY<<END_OF_VALUE\nsk_test_\w+\nEND_OF_VALUE$/m);
      const [, url] = /^url=(http\S+)$/m.exec(readFileSync(files.GITHUB_OUTPUT, 'utf8')) ?? [];
      expect((await fetch(`${url}/__admin__/`)).status).toBe(401);
      const lines = readFileSync(join(folder, '.sandbox', 'log'), 'utf8').split('\n');
      const { tasks } = JSON.parse(readFileSync(join(FILES, 'tasks.json'), 'utf8')) as {
        readonly tasks: readonly { readonly problemMatcher: { readonly background: Record<string, string> } }[];
      };
      const { beginsPattern, endsPattern } = tasks[0].problemMatcher.background;
      for (const pattern of [beginsPattern, endsPattern])
        expect(lines.filter((line) => new RegExp(pattern).test(line))).toHaveLength(1);
    } finally {
      await run('sandbox down', folder);
    }
  });
});

test('the feature of dev containers installs the command, and says what it needs', async () => {
  const script = join(FILES, 'feature', 'install.sh');
  const { code, stdout } = await run(script, ROOT, { PACKAGE: 'sandbox.tgz' });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^npm install --global .* sandbox\.tgz\n\d+\.\d+\.\d+\n$/)]);
  const without = startProcess('/bin/sh', [script], { env: { PATH: '/nowhere' } });
  expect(await without.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('needs Node') });
  const { postStartCommand } = JSON.parse(
    readFileSync(join(FILES, 'feature', 'devcontainer-feature.json'), 'utf8'),
  ) as Record<string, string>;
  expect(postStartCommand).toBe('sandbox up --detach');
});

test('the service of compose serves, and its check notices', async () => {
  const { services } = parse(readFileSync(join(FILES, 'compose.yaml'), 'utf8')) as {
    readonly services: Record<string, { readonly command: string; readonly healthcheck: { readonly test: string[] } }>;
  };
  const { command, healthcheck } = services['sandbox'];
  const args = command
    .replace(/\$\{\w+:-(\w+)\}/g, '$1')
    .split(' ')
    .slice(3);
  const served = startCommand([...args, '--port', '0', '--json'], { env: { SANDBOX_API_KEY: 'sk_test_compose' } });
  const { url } = JSON.parse((await served.lines(1))[0]) as { readonly url: string };
  const [, , ...check] = healthcheck.test.map((each) => each.replace('http://localhost:8801', url));
  expect((await startProcess(process.execPath, check).ended).code).toBe(0);
  await served.stop();
  expect((await startProcess(process.execPath, check).ended).code).toBe(1);
});

withProgram('python3', 'Python', async () => {
  const folder = application({ 'test_renewal.py': documented(PAGE, 'test_renewal.py') });
  copyFileSync(join(FILES, 'sandbox.py'), join(folder, 'sandbox.py'));
  expect(await run('python3 test_renewal.py', folder)).toMatchObject({
    code: 0,
    stdout: '1769990400 []\n',
    stderr: '',
  });
  const both = `from sandbox import Sandbox, SandboxError
with Sandbox("payments", "team-chat") as sandbox:
    payments = sandbox.vendors["payments"]
    payments.fault("charges", "list", status=503, count=1)
    print(payments.clear_faults()["cleared"], payments.key.startswith("sk_test_"))
    try: payments.fault("chargs", "list", status=503)
    except SandboxError as error: print(error.status, error.code)
    sandbox.reset()
try: Sandbox("nothing")
except RuntimeError as error: print("ended with 2" in str(error))`;
  writeFileSync(join(folder, 'both.py'), both);
  const { stdout } = await run('python3 both.py', folder);
  expect(stdout).toBe('1 True\n404 unknown_resource\nTrue\n');
});

withProgram('ruby', 'Ruby', async () => {
  const folder = application({ 'renewal.rb': documented(PAGE, 'renewal.rb') });
  copyFileSync(join(FILES, 'sandbox.rb'), join(folder, 'sandbox.rb'));
  expect(await run('ruby renewal.rb', folder)).toMatchObject({ code: 0, stdout: '0\n', stderr: '' });
});

withProgram('go', 'Go', async () => {
  const folder = application({
    'renewal_test.go': documented(PAGE, 'renewal_test.go'),
    'go.mod': 'module example.com/shop\n\ngo 1.21\n',
  });
  copyFileSync(join(FILES, 'sandbox.go'), join(folder, 'sandbox.go'));
  const { code, stdout } = await run('go test ./...', folder);
  expect([code, stdout]).toEqual([0, expect.stringContaining('ok')]);
});

const GO_CALLS = `package main

import (
	"fmt"
	"net/http"
	"os"
)

func main() {
	for _, address := range []string{"https://api.stripe.com", "https://API.stripe.com.", "http://api.stripe.com", "https://other.invalid"} {
		request, _ := http.NewRequest("GET", address+"/v1/balance", nil)
		request.SetBasicAuth(os.Getenv("SANDBOX_KEY"), "")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			fmt.Println("not reached")
			continue
		}
		fmt.Println(response.StatusCode, response.Proto)
	}
}
`;
const JAVA_CALLS = `import java.net.*;
import java.net.http.*;

public class Calls {
  public static void main(String[] none) throws Exception {
    String key = "Bearer " + System.getenv("SANDBOX_KEY");
    HttpURLConnection connection = (HttpURLConnection) new URL("https://api.stripe.com/v1/balance").openConnection();
    connection.setRequestProperty("Authorization", key);
    System.out.println(connection.getResponseCode());
    for (String address : new String[] {"https://api.stripe.com", "http://api.stripe.com", "https://other.invalid"}) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/v1/balance")).header("Authorization", key).build();
      try {
        System.out.println(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
      } catch (java.io.IOException error) {
        System.out.println("not reached");
      }
    }
  }
}
`;

withProgram('go', 'calls of a program in Go reach the sandbox by the address of the vendor', async () => {
  const folder = application({ 'calls.go': GO_CALLS });
  const { stdout } = await run('sandbox exec payments --redirect -- go run calls.go', folder);
  expect(stdout).toBe('200 HTTP/1.1\n200 HTTP/1.1\n200 HTTP/1.1\nnot reached\n');
});

withProgram('java', 'calls of a program in Java reach the sandbox by the address of the vendor', async () => {
  const folder = application({ 'Calls.java': JAVA_CALLS });
  const { stdout } = await run('sandbox exec payments --redirect -- java Calls.java', folder);
  expect(stdout).toBe('200\n200\n200\nnot reached\n');
});

/** An application that asks its vendor for a payment. */
const SHOP = `require('node:http').createServer(async (request, response) => {
  const body = new URLSearchParams({ amount: '500', currency: 'usd', payment_method: 'pm_card_visa', confirm: 'true', 'payment_method_types[0]': 'card' });
  const headers = { authorization: 'Bearer ' + process.env.STRIPE_SECRET_KEY };
  const payment = await fetch('https://api.stripe.com/v1/payment_intents', { method: 'POST', headers, body });
  response.end((await payment.json()).status);
}).listen(Number(process.argv[2]));`;

(IS_WHOLE ? test : test.skip)('Playwright starts the application with its vendors', async () => {
  const port = 38_417;
  const folder = application({
    'shop.js': SHOP,
    'playwright.config.js': documented(PAGE, 'playwright.config.js')
      .replace('up -- npm run dev', `up --port 0 -- node shop.js ${port}`)
      .replaceAll(':3000', `:${port}`),
    'shop.spec.js': `const { test, expect } = require('@playwright/test');
      test('pays', async ({ request }) => expect(await (await request.get('/')).text()).toBe('succeeded'));`,
  });
  mkdirSync(join(folder, 'node_modules', '@playwright'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', '@playwright', 'test'), join(folder, 'node_modules', '@playwright', 'test'));
  const runner = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js');
  const { code, stdout } = await run(`${process.execPath} ${runner} test --reporter line`, folder);
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 passed')]);
});

test('a test runner has the variables of the application', async () => {
  const folder = application({
    'shop.test.mjs': `import test from 'node:test';
      import assert from 'node:assert';
      test('pays', async () => {
        const headers = { authorization: 'Bearer ' + process.env.STRIPE_SECRET_KEY };
        assert.equal((await fetch(process.env.SANDBOX_PAYMENTS_URL + '/v1/balance', { headers })).status, 200);
      });`,
  });
  const { code, stdout } = await run('npx sandbox up --port 0 -- node --test shop.test.mjs', folder);
  expect([code, stdout]).toEqual([0, expect.stringContaining('pass 1')]);
});
