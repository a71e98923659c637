import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from '../support/start-sandbox.js';

/** Everything that a vendor documents and its pack lacks is reported when a call asks for it, and nothing of it is served. */

interface FactsData {
  readonly operations: Readonly<Record<string, unknown>>;
}

describe.each(readdirSync('packs').sort())('%s', (name) => {
  const sandbox = startSandbox(join('packs', name));

  test('each documented route that the pack lacks is rejected and reported', async () => {
    const { pack, world } = sandbox.engine;
    const data = pack.model.source.one('facts')?.data as unknown as FactsData | undefined;
    const outside = pack.unsupported.map(({ path }) => `GET ${path}`);
    const silent: string[] = [];
    for (const route of [...Object.keys(data?.operations ?? {}), ...outside]) {
      const [method, path] = route.replace(/\{[^}]*\}/g, 'x1').split(' ');
      const { kind } = pack.routes.match(method, path);
      if (kind !== 'unknown' && kind !== 'wrong_method' && kind !== 'unsupported') continue;
      const { headers } = await sandbox.call(`${method} ${path}`);
      const trace = world.traces.get(headers.get('x-mock-resolution-trace') ?? '');
      if (!headers.has('x-mock-unsupported') || trace?.error == null) silent.push(route);
    }
    expect(silent).toEqual([]);
  });

  test('each documented parameter that the pack lacks is without effect', () => {
    const { operations, facts } = sandbox.engine.pack;
    const silent: string[] = [];
    for (const operation of operations) {
      const declared = operation.params();
      for (const [param, schema] of facts?.complete(operation, declared) ?? [])
        if (!declared.has(param) && schema.ineffective !== true) silent.push(`${operation.key} ${param}`);
    }
    expect(silent).toEqual([]);
  });

  test('what nobody has is not reported', async () => {
    const { headers } = await sandbox.call('GET /no/such/path');
    expect(headers.has('x-mock-unsupported')).toBe(false);
  });
});
