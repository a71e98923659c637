/**
 * One server of the benchmark: `server.js node|express|payments|payments-by-key|task-automation|payments-in-file`. Sends its address to its parent
 * process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { RequestHandler } from 'express';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectOften } from '../../command/collect-often.js';
import { installation } from '../../command/installation.js';

const [kind] = process.argv.slice(2);
const KEY = 'bench_key';

/** Responses of the plain servers by path. The parent process copies them from the sandbox, so that all servers send the same bytes. */
const responses = new Map<string, { readonly text: string; readonly value: unknown }>();

/** Figures that the parent process can request. */
const FIGURES = {
  memory: () => ({ bytes: process.memoryUsage.rss() }),
  heap: () => ({ bytes: process.memoryUsage().heapUsed }),
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return { cpu: user + system };
  },
};

process.on('message', (message: keyof typeof FIGURES | { readonly path: string; readonly text: string }) => {
  if (typeof message === 'object') {
    responses.set(message.path, { text: message.text, value: JSON.parse(message.text) });
    return;
  }
  if (message !== 'cpu') globalThis.gc?.();
  process.send?.(FIGURES[message]());
});

function ready(server: Server): void {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: KEY });
}

function keyOf(method: string | undefined, url: string | undefined): string {
  return `${method ?? 'GET'} ${(url ?? '/').split('?')[0]}`;
}

if (kind === 'node') {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = responses.get(keyOf(req.method, req.url))?.text ?? '{}';
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      res.end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => ready(server));
} else if (kind === 'express') {
  const { default: express } = await import('express');
  const { default: bodyParser } = await import('body-parser');
  const app = express();
  app.use(bodyParser.urlencoded({ extended: true }));
  app.use(bodyParser.json());
  const response: RequestHandler = (req, res) => {
    res.json(responses.get(keyOf(req.method, req.originalUrl))?.value ?? {});
  };
  app.get('/v1/customers/:id', response);
  app.get('/v1/customers', response);
  app.post('/v1/customers', response);
  app.post('/v1/payment_intents', response);
  app.post('/task-runs', response);
  app.get('/', response);
  const server = app.listen(0, '127.0.0.1', () => ready(server));
} else {
  const { createSandbox, FileStore, PackCache } = await import('../../../engine/index.js');
  const isKept = kind === 'payments-in-file';
  const folder = isKept ? mkdtempSync(join(tmpdir(), 'sandbox-bench-')) : null;
  process.once('SIGTERM', () => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    process.exit();
  });
  const sandbox = await createSandbox({
    pack: join(installation(), 'packs', isKept ? 'payments' : kind.replace('-by-key', '')),
    ...(kind.endsWith('-by-key') ? { worlds: 'key' as const } : {}),
    store: folder === null ? undefined : await FileStore.open(join(folder, 'bench.db')),
    key: KEY,
    cache: PackCache.ofInstallation(),
    t0: '2025-01-01T00:00:00Z',
  });
  // `sandbox serve` also configures the garbage collector this way.
  collectOften();
  process.send?.({ url: sandbox.url, key: KEY });
}
