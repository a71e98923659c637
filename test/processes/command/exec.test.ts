import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, type Served } from '../../support/http.js';
import { runSandbox, startCommand } from '../../support/processes.js';
import { ROOT } from '../../support/root.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { skipped } from '../../support/skipped.js';

/** `sandbox exec`, and the redirect that it can put before programs. */

const NODE = process.execPath;

test('the command has the address and the key of a sandbox, and its exit code is passed on', async () => {
  const program = `fetch(process.env.SANDBOX_URL + '/v1/customers', { headers: { authorization: 'Bearer ' + process.env.SANDBOX_KEY } })
    .then((response) => { console.log(response.status); process.exitCode = 7; })`;
  expect(await runSandbox(['exec', 'payments', '--', NODE, '-e', program])).toMatchObject({
    code: 7,
    stdout: '200\n',
    stderr: '',
  });
});

test('packs with commas between them are served together, with the key that is given', async () => {
  const program = `fetch(process.env.SANDBOX_URL + '/__admin__/worlds', {
      method: 'POST', body: '{"pack": "task-automation"}',
      headers: { authorization: 'Bearer sk_test_mine', 'content-type': 'application/json' } })
    .then(async (response) => console.log((await response.json()).pack, process.env.SANDBOX_KEY))`;
  const args = ['exec', 'payments,task-automation', '--key', 'sk_test_mine', '--', NODE, '-e', program];
  expect(await runSandbox(args)).toMatchObject({ code: 0, stdout: 'task-automation sk_test_mine\n' });
});

test('a signal goes on to the command, whose own end decides', async () => {
  const program = `process.on('SIGTERM', () => { console.log('heard'); process.exit(3); }); setInterval(() => {}, 1000); console.log('up')`;
  const running = startCommand(['exec', 'payments', '--', NODE, '-e', program]);
  expect(await running.lines(1)).toEqual(['up']);
  expect(await running.stop('SIGTERM')).toMatchObject({ code: 3, signal: null, stdout: 'up\nheard\n' });
});

test('a command that ignores SIGTERM is killed by the second one, since it would go on without its sandbox', async () => {
  const program = `process.on('SIGTERM', () => console.log('heard')); setInterval(() => {}, 1000); console.log('up')`;
  const running = startCommand(['exec', 'payments', '--', NODE, '-e', program]);
  await running.lines(1);
  running.child.kill('SIGTERM');
  await running.lines(2);
  expect(await running.stop('SIGTERM')).toMatchObject({ code: 137, stdout: 'up\nheard\n' });
});

test.each([
  ['a command that a signal ends', ['payments', '--', 'sh', '-c', 'kill -KILL $$'], 137, ''],
  ['a command that is not there', ['payments', '--', 'no-such-command'], 127, "there is no command 'no-such-command'"],
  ['an empty command', ['payments', '--redirect', '--', ''], 127, "there is no command ''"],
  ['a pack that is not there', ['payment', '--', 'true'], 2, "did you mean 'payments'"],
  ['no command', ['payments'], 2, 'missing required argument'],
  ['no instant', ['payments', '--t0', 'soon', '--', 'true'], 2, "'soon' isn't a valid time"],
  ['a pack that names no hosts', ['task-automation', '--redirect', '--', 'true'], 2, 'hosts: [api.vendor.com]'],
])('%s ends with the code that says so', async (_what, args, code, message) => {
  const ended = await runSandbox(['exec', ...args]);
  expect(ended.code).toBe(code);
  expect(ended.stderr).toContain(message);
});

/** An integration that takes only an API key: client, fetch, https, and sockets of its own reach the vendor's default address. */
const APPLICATION = `
import https from 'node:https';
import { connect } from 'node:tls';
import Stripe from 'stripe';

const key = process.env.SANDBOX_KEY;
const authorization = 'Bearer ' + key;
const { id } = await new Stripe(key).customers.create({ name: 'Jenny' });
console.log((await new Stripe(key, { httpClient: Stripe.createFetchHttpClient() }).customers.retrieve(id)).name);
console.log((await fetch('https://api.stripe.com/v1/customers/' + id, { headers: { authorization } })).status);
https.get('https://api.stripe.com/v1/customers', { headers: { authorization } }, (answer) => {
  console.log(answer.statusCode);
  answer.resume().on('end', () => {
    const socket = connect(443, 'api.stripe.com', () => socket.end('GET /v1/customers HTTP/1.0\\r\\nHost: api.stripe.com\\r\\n\\r\\n'));
    socket.once('data', (text) => console.log(String(text).split('\\r\\n')[0])).resume();
  });
});
`;

test('an application that takes only an API key reaches the sandbox at the vendor’s own address', async () => {
  const args = ['exec', 'payments', '--redirect', '--', NODE, '--input-type=module', '-e', APPLICATION];
  const { code, stdout, stderr } = await runSandbox(args, { cwd: ROOT });
  expect(stderr).toBe('');
  expect(stdout.split('\n')).toEqual(['Jenny', '200', '200', 'HTTP/1.1 401 Unauthorized', '']);
  expect(code).toBe(0);
});

test('the redirect asks the sandbox that the environment names for its hosts, and says what is missing', async () => {
  const redirect = join(ROOT, 'dist', 'tools', 'in-tests', 'redirect.js');
  const script = `${NODE} --import ${redirect} -e "
    fetch('https://files.stripe.com/v1/customers').then((answer) => console.log(answer.status))"`;
  expect(await runSandbox(['exec', 'payments', '--', 'sh', '-c', script])).toMatchObject({ code: 0, stdout: '401\n' });
  const wrong = await runSandbox(['exec', 'payments', '--', 'sh', '-c', `SANDBOX_KEY=no ${script}`]);
  expect(wrong.stderr).toContain('returned 401: is SANDBOX_KEY its key?');
  const none = await runSandbox(['exec', 'payments', '--', 'sh', '-c', `unset SANDBOX_URL; ${script}`]);
  expect(none.stderr).toContain('redirect needs a sandbox');
});

test('an application with a key of its own is told to give it to the sandbox', async () => {
  const call = "fetch('https://api.stripe.com/v1/customers', { headers: { authorization: 'Bearer sk_test_mine' } })";
  const program = `for (let n = 0; n < 2; n++) console.log((await ${call}).status)`;
  const args = ['--redirect', '--', NODE, '--input-type=module', '-e', program];
  const other = await runSandbox(['exec', 'payments', ...args]);
  expect(other.stdout).toBe('401\n401\n');
  expect(other.stderr.match(/calls with a key that isn't the sandbox's: .* --key/g)).toHaveLength(1);
  const own = await runSandbox(['exec', 'payments', '--key', 'sk_test_mine', ...args]);
  expect(own).toMatchObject({ stdout: '200\n200\n', stderr: '' });
});

/** Ways to reach a machine of the vendor, each with what it prints; none may get as far as a look-up of its name. */
const WAYS: readonly (readonly [string, string, string])[] = [
  ['plain HTTP', `get(http, 'http://api.stripe.com/v1/customers')`, '401'],
  ['plain fetch', `fetched('http://api.stripe.com/v1/customers')`, '401'],
  ['a dot behind the name', `fetched('https://api.stripe.com./v1/customers')`, '401'],
  ['capitals', `fetched('https://API.Stripe.com/v1/customers')`, '401'],
  [
    'a server name of its own',
    `get(https, { host: 'api.stripe.com', servername: 'other.example', path: '/v1/customers' })`,
    '401',
  ],
  [
    'another machine under its server name',
    `get(https, { host: '192.0.2.1', servername: 'api.stripe.com', path: '/v1/customers' })`,
    '401',
  ],
  ['another machine of the vendor', `fetched('https://connect.stripe.com/oauth/token')`, '401'],
  [
    'a socket',
    `new Promise((done) => {
      const socket = net.connect(80, 'api.stripe.com', () => socket.end('GET /v1/customers HTTP/1.0\\r\\nHost: api.stripe.com\\r\\n\\r\\n'));
      socket.once('data', (text) => done(String(text).split(' ')[1]));
    })`,
    '401',
  ],
  [
    'TLS over a socket of its own',
    `new Promise((done) => {
      const socket = net.connect(443, 'api.stripe.com', () => {
        const secure = tls.connect({ socket, servername: 'api.stripe.com' });
        secure.once('secureConnect', () => secure.end('GET /v1/customers HTTP/1.0\\r\\nHost: api.stripe.com\\r\\n\\r\\n'));
        secure.once('data', (text) => done(String(text).split(' ')[1]));
      });
    })`,
    '401',
  ],
  [
    'the proxy that the environment names',
    `new Promise((done) => {
      const { hostname: host, port, username, password } = new URL(process.env.HTTPS_PROXY);
      const headers = { 'Proxy-Authorization': 'Basic ' + btoa(username + ':' + password) };
      const request = http.request({ host, port, method: 'CONNECT', path: 'api.stripe.com:443', headers });
      request.on('connect', (_, socket) => {
        const secure = tls.connect({ socket, servername: 'api.stripe.com' });
        secure.once('secureConnect', () => secure.end('GET /v1/customers HTTP/1.0\\r\\nHost: api.stripe.com\\r\\n\\r\\n'));
        secure.once('data', (text) => done(String(text).split(' ')[1]));
      }).end();
    })`,
    '401',
  ],
  [
    'HTTP/2',
    `new Promise((done) => { try { http2.connect('https://api.stripe.com'); } catch ({ message }) { done(message); } })`,
    'redirect: the sandbox speaks HTTP/1.1, not h2; the call to api.stripe.com was stopped',
  ],
];

const WAYS_PROGRAM = `
import dns from 'node:dns'; import http from 'node:http'; import http2 from 'node:http2'; import https from 'node:https'; import net from 'node:net'; import tls from 'node:tls';
for (const name of ['lookup', 'resolve']) dns[name] = () => { console.log('looked up'); process.exit(3); };
const get = (library, where) => new Promise((done) => library.get(where, (response) => done(response.resume().statusCode)));
const fetched = async (url) => (await fetch(url)).status;
for (const way of [${WAYS.map(([, way]) => `() => ${way}`).join(',\n')}]) console.log(await way());
process.exit();`;

test('no way to one of the vendor’s machines leads to the network', async () => {
  const args = ['exec', 'payments', '--redirect', '--', NODE, '--input-type=module', '-e', WAYS_PROGRAM];
  const { stdout, stderr } = await runSandbox(args, { cwd: ROOT });
  expect({ lines: stdout.trim().split('\n'), stderr }).toEqual({ lines: WAYS.map(([, , line]) => line), stderr: '' });
});

test.each([
  [[], "const { parentPort } = require('node:worker_threads'); parentPort.once('message', async () => {", '});'],
  [
    ['--input-type=module'],
    "import { parentPort } from 'node:worker_threads'; parentPort.once('message', async () => {",
    '});',
  ],
])('a worker of Node whose code is a text is redirected, with %j', async (options, before, after) => {
  const code = `${before} parentPort.postMessage((await fetch('https://api.stripe.com/v1/balance')).status); ${after}`;
  const program = `import('node:worker_threads').then(({ Worker }) => {
    const worker = new Worker(${JSON.stringify(code)}, { eval: true });
    worker.once('message', (status) => console.log(status));
    worker.postMessage('go');
  })`;
  const args = ['exec', 'payments', '--redirect', '--', NODE, ...options, '-e', program];
  expect(await runSandbox(args, { cwd: ROOT })).toMatchObject({ stdout: '401\n', stderr: '' });
});

test('packs together have an address and a key each, and calls of their vendors’ machines reach them', async () => {
  const program = `
    const asked = async (url, key) => (await fetch(url, { headers: { authorization: 'Bearer ' + key } })).status;
    const { SANDBOX_URL, SANDBOX_KEY, SANDBOX_PAYMENTS_URL, SANDBOX_PAYMENTS_KEY, SANDBOX_CODE_HOSTING_KEY } = process.env;
    console.log(await asked(SANDBOX_URL + '/__admin__/clock', SANDBOX_KEY));
    console.log(await asked(SANDBOX_PAYMENTS_URL + '/v1/customers', SANDBOX_PAYMENTS_KEY));
    console.log(await asked('https://api.stripe.com/v1/customers', SANDBOX_PAYMENTS_KEY));
    console.log(await asked('https://api.github.com/user', SANDBOX_CODE_HOSTING_KEY));`;
  const command = ['--', NODE, '--input-type=module', '-e', program];
  const together = await runSandbox(['exec', 'payments,code-hosting', '--together', '--redirect', ...command]);
  expect(together).toMatchObject({ stdout: '200\n200\n200\n200\n', stderr: '' });
  const redirect = join(ROOT, 'dist', 'tools', 'in-tests', 'redirect.js');
  const asking = ['--', NODE, '--import', redirect, '--input-type=module', '-e', program];
  const asked = await runSandbox(['exec', 'payments,code-hosting', '--together', ...asking]);
  expect(asked).toMatchObject({ stdout: '200\n200\n200\n200\n', stderr: '' });
  const twice = await runSandbox(['exec', 'payments,payments', '--together', '--', 'true']);
  expect(twice.stderr).toContain("two packs of the company are called 'payments'");
});

test('packs that are served together are announced in one line', async () => {
  const running = startCommand(['serve', 'payments', 'team-chat', '--together', '--json', '--port', '0']);
  const [line] = await running.lines(1);
  const { url, key, vendors } = JSON.parse(line) as { url: string; key: string; vendors: Record<string, Served> };
  expect(Object.keys(vendors)).toEqual(['payments', 'team-chat']);
  expect(
    await (await fetch(`${url}/__admin__/`, { headers: { authorization: `Bearer ${key}` } })).json(),
  ).toMatchObject({
    vendors: { payments: { url: vendors['payments'].url } },
  });
  expect((await call(vendors['team-chat'], 'POST /api/auth.test')).status).toBe(200);
  expect(await running.stop('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
});

test('a company file is checked, and served when it is sound', async () => {
  const file = join('test', 'companies', 'acme.yaml');
  expect(await runSandbox(['validate-pack', file], { cwd: ROOT })).toMatchObject({ code: 0, stdout: `${file}  ok\n` });
  const running = startCommand(['serve', join(ROOT, file), '--json', '--port', '0']);
  const [line] = await running.lines(1);
  const { vendors } = JSON.parse(line) as { vendors: Record<string, Served> };
  expect(vendors['payments'].key).toBe('sk_test_acme');
  expect((await call(vendors['chat'], 'GET /api/users.info?user=U0ADA')).body).toMatchObject({ ok: true });
  expect(await running.stop('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  const both = await runSandbox(['serve', file, 'payments', '--port', '0'], { cwd: ROOT });
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('stands alone') });
});

test('the redirect rejects a sandbox behind TLS, which it would speak to in the clear', async () => {
  const redirect = join(ROOT, 'dist', 'tools', 'in-tests', 'redirect.js');
  const script = `SANDBOX_URL=https://localhost:1 ${NODE} --import ${redirect} -e 0`;
  const { stderr } = await runSandbox(['exec', 'payments', '--', 'sh', '-c', script]);
  expect(stderr).toContain('SANDBOX_URL must begin with http://');
});

/** What a library of Python or Ruby does: TLS to the vendor's host, also by another spelling, plain HTTP, and asyncio; other hosts stay as they are. */
const PYTHON = `
import asyncio, http.client, os, urllib.request
key = os.environ["SANDBOX_KEY"]
headers = {"Authorization": "Bearer " + key}
print(urllib.request.urlopen(urllib.request.Request("https://api.stripe.com/v1/balance", headers=headers)).status)
for connection in (http.client.HTTPSConnection("API.stripe.com."), http.client.HTTPConnection("api.stripe.com")):
    connection.request("GET", "/v1/balance", headers=headers)
    print(connection.getresponse().status)
async def main():
    reader, writer = await asyncio.open_connection("api.stripe.com", 443, ssl=True)
    writer.write(f"GET /v1/balance HTTP/1.1\\r\\nHost: api.stripe.com\\r\\nAuthorization: Bearer {key}\\r\\nConnection: close\\r\\n\\r\\n".encode())
    print((await reader.readline()).split()[1].decode())
    await reader.read()
    writer.close()
asyncio.run(main())
try: urllib.request.urlopen("https://other.invalid")
except OSError as error: print("not reached")`;
const RUBY = `
require "net/http"
headers = { "Authorization" => "Bearer #{ENV["SANDBOX_KEY"]}" }
puts Net::HTTP.get_response(URI("https://api.stripe.com/v1/balance"), headers).code
http = Net::HTTP.new("API.stripe.com.", 443)
http.use_ssl = true
puts http.start { |each| each.get("/v1/balance", headers).code }
puts Net::HTTP.get_response(URI("http://api.stripe.com/v1/balance"), headers).code
begin
  Net::HTTP.get(URI("https://other.invalid"))
rescue SocketError => error
  puts error.class
end`;

/** What clients in PHP do: curl with certificates of their own, several calls at once, streams; in the main program, in a file that it includes, and in code of eval, whose call the proxy takes. */
const PHP = `<?php
namespace Client;
function curl($url) {
    $handle = \\curl_init();
    \\curl_setopt_array($handle, [
        CURLOPT_URL => $url,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_CAINFO => '/no/certificates',
        CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_2_0,
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('SANDBOX_KEY')],
    ]);
    return $handle;
}
foreach (['https://api.stripe.com/v1/balance', 'https://API.stripe.com.:443/v1/balance', 'http://api.stripe.com/v1/balance'] as $url) {
    \\curl_exec($handle = curl($url));
    echo \\curl_getinfo($handle, CURLINFO_RESPONSE_CODE), "\\n";
}
$several = curl_multi_init();
curl_multi_add_handle($several, $handle = curl('https://api.stripe.com/v1/balance'));
do { curl_multi_exec($several, $running); curl_multi_select($several); } while ($running);
echo curl_getinfo($handle, CURLINFO_RESPONSE_CODE), "\\n";
$headers = ['http' => ['header' => 'Authorization: Bearer ' . getenv('SANDBOX_KEY')]];
echo strlen(file_get_contents('https://api.stripe.com/v1/balance', false, stream_context_create($headers))) > 100, $http_response_header[0], "\\n";
$file = fopen('https://api.stripe.com/v1/balance', 'r', context: stream_context_create(['http' => ['ignore_errors' => true]]));
echo stream_get_meta_data($file)['wrapper_data'][0], "\\n";
curl_exec($handle = curl('https://other.invalid'));
echo curl_errno($handle), ' curl_exec() /* curl_exec() */ ', __LINE__, "\\n";
`;
const PHP_MAIN = `#!/usr/bin/env php
<?php
function handle() {
    curl_setopt($handle = curl_init('https://api.stripe.com/v1/balance'), CURLOPT_RETURNTRANSFER, true);
    return $handle;
}
curl_exec($handle = handle());
echo curl_getinfo($handle, CURLINFO_RESPONSE_CODE), "\\n";
eval('curl_exec($handle = handle());');
echo curl_getinfo($handle, CURLINFO_RESPONSE_CODE), "\\n";
require __DIR__ . '/included.php';
`;
const PHP_PRINTED =
  '200\n200\n200\n200\n1HTTP/1.1 200 OK\nHTTP/1.1 401 Unauthorized\n56 curl_exec() /* curl_exec() */ 27\n';

const folder = scratchFolder();
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
file('included.php', PHP);

test.each([
  ['Python', 'python3', ['-c', PYTHON], '200\n200\n200\n200\nnot reached\n'],
  ['Ruby', 'ruby', ['-e', RUBY], '200\n200\n200\nSocketError\n'],
  ['PHP', 'php', [file('main.php', PHP_MAIN)], `401\n401\n${PHP_PRINTED}`],
])(
  "calls of a program in %s reach the sandbox by the vendor's own address",
  async (language, program, args, printed) => {
    const probe = program === 'php' ? ['-r', 'exit(extension_loaded("curl") ? 0 : 1);'] : ['--version'];
    if (spawnSync(program, probe).status !== 0)
      return skipped(`the redirect of ${language}. There is no ${program}${program === 'php' ? ' with curl' : ''}.`);
    const ended = await runSandbox(['exec', 'payments', '--redirect', '--', program, ...args]);
    expect(ended).toMatchObject({ code: 0, stdout: printed, stderr: '' });
  },
);

/** A program that is told of the proxy by its environment: the vendor's host by TLS and without, another host, and a client without trust. */
const CURL = `
status='-s -o /dev/null -w %{http_code}\\n'
curl $status -u "$SANDBOX_KEY:" https://api.stripe.com/v1/balance
curl $status -u "$SANDBOX_KEY:" http://api.stripe.com/v1/balance
curl $status --noproxy '' -p -u "$SANDBOX_KEY:" -x "$HTTPS_PROXY" "$SANDBOX_URL/v1/balance"
curl $status https://other.invalid; echo $?
sed '1,/END CERTIFICATE/d' "$SSL_CERT_FILE" > "$SSL_CERT_FILE.others"
for times in 1 2; do curl $status --cacert "$SSL_CERT_FILE.others" https://api.stripe.com; echo $?; done
echo "$SSL_CERT_FILE"`;

test('calls of a program that can only be told of a proxy reach the sandbox, and it is said why one fails', async () => {
  if (spawnSync('curl', ['--version']).status !== 0)
    return skipped('calls through the proxy of a command. There is no curl.');
  const ended = await runSandbox(['exec', 'payments', '--redirect', '--', 'sh', '-c', CURL]);
  const lines = ended.stdout.trim().split('\n');
  expect(lines.slice(0, -1)).toEqual(['200', '200', '200', '000', '56', '000', '60', '000', '60']);
  expect(existsSync(lines.at(-1) ?? '')).toBe(false);
  expect(
    ended.stderr.match(/doesn't trust the sandbox's certificate for api\.stripe\.com: it doesn't read/g),
  ).toHaveLength(1);
});

test('a server of Laravel that would lose the redirect is named', async () => {
  const run = (script: string) => runSandbox(['exec', 'payments', '--redirect', '--', 'sh', '-c', script]);
  expect((await run(': php artisan serve')).stderr).toMatch(/^warning: .*add --no-reload\n$/);
  expect((await run(': php artisan serve --no-reload')).stderr).toBe('');
});
