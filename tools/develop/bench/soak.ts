/** `npm run soak`: sends mixed calls on 64 connections for some minutes; prints errors, latencies and memory growth. */
import autocannon from 'autocannon';
import { Command } from 'commander';
import { wholeNumber } from '../../command/options.js';
import { succeed } from '../kit/calls.js';
import { startMeasuredServer } from './servers.js';

const program = new Command('soak')
  .description('Puts mixed calls on the payments pack and watches errors, latencies and memory.')
  .option('--minutes <n>', 'how long', wholeNumber, 10)
  .option('--connections <n>', 'how many connections', wholeNumber, 64)
  .parse();
const options = program.opts<{ minutes: number; connections: number }>();

const server = await startMeasuredServer('payments');
const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/x-www-form-urlencoded' };
const get = (path: string): autocannon.Request => ({
  method: 'GET',
  path,
  headers: { authorization: headers.authorization },
});
const post = (path: string, body: string): autocannon.Request => ({ method: 'POST', path, body, headers });
const requests: autocannon.Request[] = [
  post('/v1/customers', 'email=jenny%40example.com'),
  get('/v1/customers?limit=10'),
  post('/v1/payment_intents', 'amount=2000&currency=usd'),
  post('/v1/payment_intents', 'amount=2000&currency=usd&confirm=true&payment_method=pm_card_visa'),
  get('/v1/events?limit=20'),
  get('/v1/balance'),
];

// Includes a reset each minute, to limit the size of the world.
const calls = [...Array.from({ length: 400 }, () => requests).flat(), { ...get('/__admin__/clock') }];
const minutes = options.minutes;
for (let minute = 0; minute < minutes; minute++) {
  const result = await autocannon({
    url: server.url,
    connections: options.connections,
    duration: 60,
    requests: calls,
  });
  const { latency, errors, non2xx } = result;
  await succeed(server, 'POST /__admin__/reset', {});
  const [heap, memory] = [await server.heapBytes(), await server.memoryBytes()].map((bytes) =>
    Math.round(bytes / 2 ** 20),
  );
  console.log(
    `minute ${minute + 1}: ${Math.round(result.requests.average)}/s, ${errors} errors, ${non2xx} not 2xx, p50 ${latency.p50} ms, p99 ${latency.p99} ms, p99.9 ${latency.p99_9} ms, after a reset ${heap} MiB of objects, ${memory} MiB resident`,
  );
}
await server.stop();
