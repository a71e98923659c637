import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSandbox, PackCache } from '../../../engine/index.js';
import { installation } from '../../command/installation.js';
import { type Note, timed } from './figure.js';

/** Delivers the events of many new objects to a receiver in this process, and returns deliveries a second. */
export async function measureDeliveries(note: Note, count: number): Promise<void> {
  let received = 0;
  const receiver = createServer((req, res) => {
    req.resume().on('end', () => {
      received++;
      res.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const sandbox = await createSandbox({
    pack: join(installation(), 'packs', 'payments'),
    cache: PackCache.ofInstallation(),
    t0: '2025-01-01T00:00:00Z',
  });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await sandbox.control.endpoint({ url, events: ['customer.created'] });
  const spent = await timed(async () => {
    for (let n = 0; n < count; n++) {
      const response = await fetch(`${sandbox.url}/v1/customers`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.key}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: `email=c${n}%40example.com`,
      });
      await response.text();
    }
    await sandbox.control.flush();
  });
  if (received !== count) throw new Error(`${received} of ${count} deliveries came in`);
  note({
    work: 'webhook deliveries, with the calls that bring them about',
    value: Math.round(count / (spent.ms / 1000)),
    unit: '/ s',
    target: '',
  });
  await sandbox.close();
  receiver.closeAllConnections();
  receiver.close();
}
