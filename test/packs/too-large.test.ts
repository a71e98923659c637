import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '../../engine/program/index.js';
import { IS_WHOLE, sampleOf } from '../support/sample.js';
import { startSandbox, type TestSandbox } from '../support/start-sandbox.js';

/** Bodies beyond an operation's own limit get the vendor's 413, whatever they are, with and without a key. */

const TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/octet-stream'];

const LARGEST = IS_WHOLE ? Infinity : 42 * 1024 * 1024;

/** Some vendors' keys are passwords. */
function keyOf({ engine, key }: TestSandbox): string {
  const isPassword = engine.model.settings.name === 'messaging';
  return isPassword ? `Basic ${Buffer.from(`AC00000000000000000000000000000000:${key}`).toString('base64')}` : `Bearer ${key}`;
}

describe.each(readdirSync('packs').sort())('%s', (name) => {
  const sandbox = startSandbox(join('packs', name));

  test('every operation that takes a body rejects one beyond its limit, in the form of the vendor', async () => {
    const { pack, world } = sandbox.engine;
    expect(pack.model.source.one('errors')?.data).toHaveProperty('errors.body_too_large');
    const withBody = pack.operations.filter(({ routes }) => routes.some(({ method }) => /^(?:POST|PUT|PATCH)$/.test(method)));
    // One of each limit, and of those without a key; larger bodies would take long.
    const small = withBody.filter(({ maxBodyBytes }) => maxBodyBytes <= LARGEST);
    const doors = new Map(small.map((each) => [`${each.maxBodyBytes} ${each.open}`, each]));
    const wrong: string[] = [];
    for (const operation of new Set([...doors.values(), ...sampleOf(small, 100)])) wrong.push(...(await problems(operation)));
    expect(wrong).toEqual([]);

    async function problems({ key, routes, maxBodyBytes, open }: Operation): Promise<string[]> {
      const { method, path } = routes.find((each) => each.method !== 'GET') ?? routes[0];
      const found: string[] = [];
      // Blanks: a large JSON body is parsed while it arrives, and another byte would end that first.
      const body = new Uint8Array(maxBodyBytes + 1).fill(0x20);
      for (const type of maxBodyBytes > 4_000_000 ? TYPES.slice(0, 1) : TYPES)
        for (const keyed of [{ authorization: keyOf(sandbox) }, ...(open ? [null] : [])]) {
          const headers: Record<string, string> = { 'content-type': type, ...keyed };
          const { status, headers: sent } = await fetch(`${sandbox.url}${path.replace(/\{[^}]*\}/g, 'x1')}`, { method, headers, body });
          const error = world.traces.get(sent.get('x-mock-resolution-trace') ?? '')?.error;
          if (status !== 413 || error !== 'body_too_large') found.push(`${key} ${type} ${keyed === null ? "without a key" : "with a key"}: ${status} ${error}`);
        }
      return found;
    }
  });
});
