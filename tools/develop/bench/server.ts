/**
 * One server of the benchmark: `server.js express|payments|payments-by-key|task-automation|payments-in-file`. Sends its address to its parent
 * process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import type { RequestHandler } from 'express';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectOften } from '../../command/collect-often.js';

const [kind] = process.argv.slice(2);
const KEY = 'bench_key';

/** Responses of the plain server by path. The parent process sends those of the sandbox, so that all servers send the same bytes. */
const responses = new Map<string, unknown>();

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
    responses.set(message.path, JSON.parse(message.text));
    return;
  }
  if (message !== 'cpu') globalThis.gc?.();
  process.send?.(FIGURES[message]());
});

if (kind === 'express') {
  const { default: express } = await import('express');
  const { default: bodyParser } = await import('body-parser');
  const app = express();
  app.use(bodyParser.urlencoded({ extended: true }));
  app.use(bodyParser.json());
  const response: RequestHandler = (req, res) => {
    res.json(responses.get(`${req.method} ${req.originalUrl.split('?')[0]}`) ?? {});
  };
  app.get('/v1/customers/:id', response);
  app.get('/v1/customers', response);
  app.post('/v1/customers', response);
  app.post('/v1/payment_intents', response);
  app.post('/task-runs', response);
  app.get('/', response);
  const server = app.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: KEY });
  });
} else {
  const { FileStore } = await import('../../../engine/index.js');
  const { packSandbox } = await import('../kit/pack-sandbox.js');
  const isKept = kind === 'payments-in-file';
  const folder = isKept ? mkdtempSync(join(tmpdir(), 'sandbox-bench-')) : null;
  process.once('SIGTERM', () => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    process.exit();
  });
  const sandbox = await packSandbox(kind.replace(/-(?:by-key|in-file)$/, ''), {
    ...(kind.endsWith('-by-key') ? { worlds: 'key' as const } : {}),
    store: folder === null ? undefined : await FileStore.open(join(folder, 'bench.db')),
    key: KEY,
  });
  // `sandbox serve` also configures the garbage collector this way.
  collectOften();
  process.send?.({ url: sandbox.url, key: KEY });
}
