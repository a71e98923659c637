import { execFileSync } from 'node:child_process';

/** How many collections of young objects a server sees that makes 120 MiB of garbage, with young generations of twice 64. */
function collections(often: string): number {
  const program = `
    import { createServer, get } from 'node:http';
    import { once } from 'node:events';
    import { PerformanceObserver } from 'node:perf_hooks';
    import { collectOften } from './dist/tools/command/collect-often.js';
    let [count, made] = [0, null];
    new PerformanceObserver((list) => (count += list.getEntries().length)).observe({ entryTypes: ['gc'] });
    const server = createServer((req, res) => {
      made = Array.from({ length: 10_000 }, (_, at) => ({ at }));
      res.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const end = ${often};
    for (let n = 0; n < 320; n++) {
      const [response] = await once(get({ port: server.address().port }), 'response');
      response.resume();
      await once(response, 'end');
    }
    end();
    await new Promise((resolve) => setTimeout(resolve, 20));
    console.log(count);
    process.exit();
  `;
  const flags = ['--min-semi-space-size=64', '--max-semi-space-size=64', '--input-type=module', '--eval', program];
  return Number(execFileSync(process.execPath, flags, { encoding: 'utf8' }));
}

test('young objects are collected behind every few MiB that responses made, where V8 waits for many', () => {
  const [byItself, often] = [collections('() => undefined'), collections('collectOften()')];
  // 120 MiB are some eight times fourteen.
  expect(often - byItself).toBeGreaterThanOrEqual(4);
  expect(often - byItself).toBeLessThanOrEqual(10);
});
