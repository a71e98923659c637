/** Tests `startSandboxContainer` with a fake container engine, which runs the container's command as a process. */
import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { equal, step } from './kit.mjs';

const cli = process.env.SANDBOX_COMMAND;
const made = new Map();

const body = async (request) => {
  let text = '';
  for await (const part of request) text += part;
  return text === '' ? {} : JSON.parse(text);
};

function inspected({ id, asked }) {
  const ports = Object.fromEntries(
    Object.entries(asked.HostConfig.PortBindings).map(([port, [{ HostPort }]]) => [
      port,
      [{ HostIp: '0.0.0.0', HostPort }],
    ]),
  );
  const state = { Status: 'running', Running: true, StartedAt: new Date().toISOString() };
  return {
    Id: id,
    Name: `/${id}`,
    State: state,
    Config: { ...asked, Hostname: id },
    NetworkSettings: { Ports: ports, Networks: {} },
  };
}

function begin(container) {
  const { Cmd, Env, HostConfig } = container.asked;
  const [[{ HostPort }]] = Object.values(HostConfig.PortBindings);
  const args = Cmd.slice(Cmd.indexOf('serve')).map((each, at, all) =>
    all[at - 1] === '--port' ? HostPort : all[at - 1] === '--host' ? '127.0.0.1' : each,
  );
  const env = { ...process.env, ...Object.fromEntries(Env.map((each) => each.split(/=(.*)/s).slice(0, 2))) };
  container.process = spawn(process.execPath, [cli, ...args], { env, stdio: 'ignore' });
}

/** Implements the engine calls that Testcontainers makes. */
async function respond(request) {
  const path = new URL(request.url, 'http://engine').pathname.replace(/^\/v[\d.]+/, '');
  const [, kind, id, what] = path.split('/');
  const container = made.get(id);
  if (path === '/info') return [200, { OperatingSystem: 'stand-in', Architecture: 'x86_64', ServerVersion: '27.0.0' }];
  if (kind === 'images') return [200, path.endsWith('/json') ? { Id: 'image' } : []];
  if (path === '/containers/json') return [200, []];
  if (path === '/containers/create') {
    const next = { id: `container${made.size + 1}`, asked: await body(request) };
    made.set(next.id, next);
    return [201, { Id: next.id, Warnings: [] }];
  }
  if (container === undefined) return [404, { message: `there is no ${path}` }];
  if (what === 'start') begin(container);
  if (what === 'stop' || request.method === 'DELETE') container.process?.kill();
  if (what === 'json') return [200, inspected(container)];
  return [204, undefined];
}

const engine = createServer((request, response) => {
  respond(request).then(
    ([status, value]) => {
      response.writeHead(status, { 'content-type': 'application/json', 'api-version': '1.47' });
      response.end(value === undefined ? '' : JSON.stringify(value));
    },
    (error) => response.writeHead(500).end(String(error)),
  );
}).listen(0, '127.0.0.1');
await new Promise((resolve) => engine.once('listening', resolve));
process.env.DOCKER_HOST = `tcp://127.0.0.1:${engine.address().port}`;
process.env.TESTCONTAINERS_RYUK_DISABLED = 'true';

// Copies the package below the folder that contains testcontainers, so that its optional import is resolved.
const [root, place] = [
  dirname(dirname(dirname(cli))),
  join(process.cwd(), 'node_modules', '@vendor-sandbox', 'sandbox'),
];
for (const part of ['package.json', 'dist/tools/in-tests', 'dist/engine/control'])
  cpSync(join(root, part), join(place, part), { recursive: true });
const { startSandboxContainer } = await import('@vendor-sandbox/sandbox/testcontainers');

await step('a vendor runs in a container, and its key opens it', async () => {
  const sandbox = await startSandboxContainer({ packs: ['payments', 'team-chat'], options: ['--t0', '2026-01-01'] });
  try {
    const [{ asked }] = made.values();
    equal(asked.Image, 'node:24-slim');
    equal(asked.Cmd.slice(0, 6), ['npx', '--yes', '@vendor-sandbox/sandbox', 'serve', 'payments', 'team-chat']);
    const headers = { authorization: `Bearer ${sandbox.key}` };
    equal((await fetch(`${sandbox.url}/v1/balance`, { headers })).status, 200);
    await step('the control client reaches it, and time passes', async () => {
      await sandbox.control.advance('3d');
      equal((await sandbox.control.call('GET', '/clock')).now, Date.UTC(2026, 0, 4) / 1000);
    });
    await step('links of pages are at the port of this machine', async () => {
      const form =
        'mode=payment&success_url=https://shop.test&line_items[0][quantity]=1&line_items[0][price_data][currency]=eur&line_items[0][price_data][unit_amount]=500&line_items[0][price_data][product_data][name]=Hat';
      const type = 'application/x-www-form-urlencoded';
      const response = await fetch(`${sandbox.url}/v1/checkout/sessions`, {
        method: 'POST',
        body: form,
        headers: { ...headers, 'content-type': type },
      });
      const { url } = await response.json();
      equal(new URL(url).port, new URL(sandbox.url).port, 'the port');
      equal((await (await fetch(url)).text()).includes('Hat'), true, 'the page');
    });
  } finally {
    await sandbox.stop();
  }
});
await step('an image of its own gets the command alone', async () => {
  const sandbox = await startSandboxContainer({ image: 'ghcr.io/shop/sandbox', key: 'sk_test_own' });
  const [, { asked }] = made.values();
  equal([asked.Image, asked.Cmd[0], sandbox.key], ['ghcr.io/shop/sandbox:latest', 'serve', 'sk_test_own']);
  await sandbox.stop();
});
engine.close();
engine.closeAllConnections();
