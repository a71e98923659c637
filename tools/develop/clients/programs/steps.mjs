/** Shared by all programs: steps, reported to the runner as lines of JSON, and calls of the sandbox. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';

export const { SANDBOX_URL: url, SANDBOX_KEY: key, DATABASE_URL: database } = process.env;

/** Returns the sandbox's address as host, port and protocol, the usual options of clients. */
export function address() {
  const { hostname, port } = new URL(url);
  return { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false };
}

/** Runs a step and reports its result. */
export async function step(name, run) {
  try {
    const value = await run();
    console.log(JSON.stringify({ step: name, ok: true }));
    return value;
  } catch (error) {
    const why = String(error?.message ?? error).slice(0, 300);
    console.log(JSON.stringify({ step: name, ok: false, why }));
    return undefined;
  }
}

export function equal(is, should, what = 'value') {
  if (JSON.stringify(is) !== JSON.stringify(should))
    throw new Error(`${what} is ${JSON.stringify(is)}, not ${JSON.stringify(should)}`);
}

async function request(method, path, body, type) {
  const headers = { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': type }) };
  const response = await fetch(url + path, { method, headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

/** Calls the vendor's API. */
export const call = (method, path, form) =>
  request(method, path, form && new URLSearchParams(form).toString(), 'application/x-www-form-urlencoded');

/** Calls the vendor's API with a JSON body. */
export const callJson = (method, path, body) => request(method, path, body && JSON.stringify(body), 'application/json');

/** Calls the control API. */
export const control = (method, path, body) => callJson(method, `/__admin__${path}`, body);

/** Sends requests as a browser does, with the cookies of earlier responses. @param send takes a Request */
export function withCookies(origin, send) {
  const cookies = new Map();
  return async (path, init = {}) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await send(new Request(new URL(path, origin), { ...init, headers: { ...init.headers, cookie } }));
    for (const each of response.headers.getSetCookie()) {
      const [name, ...value] = each.split(';')[0].split('=');
      cookies.set(name, value.join('='));
    }
    return response;
  };
}

/** Starts a receiver of webhooks. */
export async function receiver() {
  const received = [];
  const server = createServer((req, res) => {
    const chunks = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', () => {
      received.push({ body: Buffer.concat(chunks), headers: req.headers });
      res.end('ok');
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = `http://127.0.0.1:${server.address().port}/`;
  const { secret } = await control('POST', '/webhooks/endpoints', { url: own, events: ['*'] });
  return {
    received,
    secret,
    url: own,
    close: () => server.close(),
    flush: () => control('POST', '/webhooks/flush', {}),
  };
}

/** Starts a Node application with the same redirect as the steps, and waits until it has printed `ready`. @param folder below the program's folder */
export async function application(folder, file, ready, env) {
  const child = spawn(process.execPath, [...process.execArgv, file], {
    cwd: join(process.cwd(), folder),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  await new Promise((resolve, reject) => {
    const read = (text) => {
      printed += text;
      if (printed.includes(ready)) resolve();
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.on('exit', () => reject(new Error(`it ended: ${printed.slice(-300)}`)));
  });
  return { printed: () => printed, stop: () => child.kill() };
}

/** Waits until a condition holds, for effects after a response. */
export async function until(holds, what) {
  for (let i = 0; i < 200; i++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${what}: not within five seconds`);
}

/** Triggers an external event. */
export async function happens(cause, params) {
  await control('POST', '/world/events', { cause, params });
  await control('POST', '/webhooks/flush', {});
}
