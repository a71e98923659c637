import { succeed } from '../kit/calls.js';
import { packSandbox } from '../kit/pack-sandbox.js';
import { receive } from '../kit/receiver.js';
import { type Note, timed } from './figure.js';

/** Creates many objects, delivers their events to a receiver in this process, and notes deliveries per second. */
export async function measureDeliveries(note: Note, count: number): Promise<void> {
  let received = 0;
  const receiver = await receive((_call, response) => {
    received++;
    response.writeHead(200).end();
  });
  const sandbox = await packSandbox('payments');
  await sandbox.control.endpoint({ url: receiver.url, events: ['customer.created'] });
  const spent = await timed(async () => {
    for (let n = 0; n < count; n++) await succeed(sandbox, 'POST /v1/customers', `email=c${n}%40example.com`);
    await sandbox.control.flush();
  });
  if (received !== count) throw new Error(`${received} of ${count} deliveries came in`);
  note('webhook deliveries, with the calls that bring them about', Math.round(count / (spent.ms / 1000)), '/ s');
  await sandbox.close();
  await receiver.stop();
}
