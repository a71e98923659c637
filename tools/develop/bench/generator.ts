/** The load generator's process: one run of autocannon, reported to the parent. */
import autocannon from 'autocannon';
import type { Work } from './load.js';

interface Order {
  readonly url: string;
  readonly key: string;
  readonly work: Work;
  readonly seconds: number;
  readonly connections: number;
}

const { url, key, work, seconds, connections } = JSON.parse(process.argv[2]) as Order;
const headers: Record<string, string> = { authorization: `Bearer ${key}` };
if (work.body !== undefined) headers['content-type'] = work.contentType ?? 'application/x-www-form-urlencoded';

const result = await autocannon({
  url: url + work.path,
  method: work.method,
  headers,
  body: work.body,
  duration: seconds,
  connections,
  pipelining: 4,
});
process.send?.({
  rate: result.requests.average,
  count: result.requests.total,
  p50: result.latency.p50,
  p99: result.latency.p99,
  errors: result.errors + result.non2xx,
});
process.disconnect?.();
