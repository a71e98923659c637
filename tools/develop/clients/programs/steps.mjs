/** What the programs share: steps that are told to the runner as lines of JSON, and plain calls of the sandbox. */
import { createServer } from 'node:http';

export const { SANDBOX_URL: url, SANDBOX_KEY: key, DATABASE_URL: database } = process.env;

/** How clients are told the address. */
export function address() {
  const { hostname, port } = new URL(url);
  return { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false };
}

/** Does a step and tells what became of it. */
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
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

/** A call of the vendor's API. */
export const call = (method, path, form) =>
  request(method, path, form && new URLSearchParams(form).toString(), 'application/x-www-form-urlencoded');

/** A call of the control API. */
export const control = (method, path, body) =>
  request(method, `/__admin__${path}`, body && JSON.stringify(body), 'application/json');

/** A receiver of webhooks. */
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
