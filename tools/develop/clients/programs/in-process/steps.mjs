/** Next.js and Nuxt applications that run the sandbox in their own process: built, started, used through their pages and webhooks, and restarted. */
import { execFile, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { equal, step, until } from './kit.mjs';

const run = promisify(execFile);
const here = process.cwd();
const package_ = dirname(dirname(dirname(process.env.SANDBOX_COMMAND)));
const [KEY, PATH] = ['sk_test_preview', '/vendors/payments'];
const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1' };
const headers = { authorization: `Bearer ${KEY}` };

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a built application, and waits until it serves. */
async function started(folder, args, more) {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const env = { ...environment, ...more, PORT: String(port), HOST: 'localhost', HOSTNAME: 'localhost' };
  const child = spawn(process.execPath, args, {
    cwd: join(here, folder),
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await until(
    () =>
      fetch(origin).then(
        ({ ok }) => ok,
        () => false,
      ),
    `${folder} serves`,
  );
  const send = (method, path) => fetch(origin + path, { method, headers: path.startsWith(PATH) ? headers : {} });
  const stop = () => {
    child.kill();
    return ended;
  };
  return { origin, send, stop, json: async (method, path) => (await send(method, path)).json() };
}

await step('the package is installed as it is published', async () => {
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', here], {
    cwd: package_,
  });
  const [{ filename }] = JSON.parse(stdout);
  await run('npm', ['install', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund', join(here, filename)], {
    cwd: here,
  });
});

const next = join(here, 'node_modules', 'next', 'dist', 'bin', 'next');
const WORLD_FILE = join(here, 'next.db');
for (const file of [WORLD_FILE, `${WORLD_FILE}-wal`, `${WORLD_FILE}-shm`]) rmSync(file, { force: true });
await step('Next.js: it is built', () =>
  run(process.execPath, [next, 'build'], { cwd: join(here, 'next-app'), env: { ...environment, WORLD_FILE } }),
);
await step('Next.js', async () => {
  // The build copies the files of a deployment into `.next/standalone`.
  const server = join('.next', 'standalone', 'next-app', 'server.js');
  let app = await started('next-app', [server], { WORLD_FILE });
  let paid;
  try {
    await step("Next.js: the vendor's client pays within the process", async () => {
      paid = await app.json('POST', '/api/pay');
      equal(paid.status, 'succeeded');
    });
    await step('Next.js: the route serves the same world', async () => {
      equal((await app.json('GET', `${PATH}/v1/payment_intents/${paid.id}`)).amount, 500);
      equal((await fetch(`${app.origin}${PATH}/v1/balance`)).status, 401);
    });
    await step('Next.js: the page of a checkout is below the route', async () => {
      const { url } = await app.json('POST', '/api/checkout');
      equal(new URL(url).pathname.startsWith(`${PATH}/`), true, url);
      const page = await (await fetch(url)).text();
      equal(page.includes('Hat'), true, page.slice(0, 200));
    });
    await step('Next.js: webhooks come to the application itself, signed', async () => {
      await app.json('PUT', '/api/webhooks/stripe');
      await app.json('POST', '/api/pay');
      await until(
        async () => (await app.json('GET', '/api/webhooks/stripe')).includes('payment_intent.succeeded'),
        'the event',
      );
    });
    await step('Next.js: the world is in its file when it starts again', async () => {
      await app.stop();
      equal(existsSync(WORLD_FILE), true, 'the file');
      app = await started('next-app', [server], { WORLD_FILE });
      equal((await app.json('GET', '/api/pay')).includes(paid.id), true, 'the payment');
    });
  } finally {
    await app.stop();
  }
});

const world = join(here, 'nuxt.db');
for (const file of [world, `${world}-wal`, `${world}-shm`]) rmSync(file, { force: true });
const nuxi = join(here, 'node_modules', 'nuxt', 'bin', 'nuxt.mjs');
await step('Nuxt: it is built', () =>
  run(process.execPath, [nuxi, 'build'], { cwd: join(here, 'nuxt-app'), env: environment }),
);
await step('Nuxt', async () => {
  const server = join('.output', 'server', 'index.mjs');
  let app = await started('nuxt-app', [server], { WORLD_FILE: world });
  let paid;
  try {
    await step("Nuxt: the vendor's client pays within the process", async () => {
      paid = await app.json('POST', '/api/pay');
      equal(paid.status, 'succeeded');
    });
    await step('Nuxt: the route serves the same world', async () => {
      equal((await app.json('GET', `${PATH}/v1/payment_intents/${paid.id}`)).amount, 500);
      equal((await fetch(`${app.origin}${PATH}/v1/balance`)).status, 401);
      equal((await app.json('POST', `${PATH}/v1/customers`)).object, 'customer');
    });
    await step('Nuxt: the world is in its file when it starts again', async () => {
      await app.stop();
      app = await started('nuxt-app', [server], { WORLD_FILE: world });
      equal((await app.json('GET', `${PATH}/v1/payment_intents/${paid.id}`)).status, 'succeeded');
    });
  } finally {
    await app.stop();
  }
});
