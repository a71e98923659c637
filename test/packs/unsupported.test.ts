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

  test('each documented header that the pack lacks is reported', async () => {
    const { operations, facts } = sandbox.engine.pack;
    const asked = operations.flatMap((operation) => (facts?.headers(operation) ?? []).map((name) => ({ operation, name })));
    const silent: string[] = [];
    for (const { operation, name } of asked.slice(0, 20)) {
      const { method, path } = operation.routes[0];
      const { headers } = await sandbox.call(`${method} ${path.replace(/\{[^}]*\}/g, 'x1')}`, undefined, { [name]: 'x' });
      if (!String(headers.get('x-mock-unsupported')).includes(`header ${name}`)) silent.push(`${operation.key} ${name}`);
    }
    expect(silent).toEqual([]);
  });

  test('nonsense gets the error for nonsense, and is not reported', async () => {
    const { world, pack } = sandbox.engine;
    const { method, path } = pack.operations[0].routes[0];
    for (const call of ['GET /no/such/path', `DELETE ${path.replace(/\{[^}]*\}/g, 'x1')}/no/such/path`, `${method} /no-such`]) {
      const { status, headers } = await sandbox.call(call);
      const trace = world.traces.get(headers.get('x-mock-resolution-trace') ?? '');
      // Some vendors' errors have the status of a success.
      expect([headers.has('x-mock-unsupported'), trace?.error !== null, status < 500]).toEqual([false, true, true]);
    }
  });
});

describe('members of the vendor’s GraphQL schema', () => {
  const sandbox = startSandbox(join('packs', 'code-hosting'));
  type Answer = { errors: { message: string; extensions?: unknown; path?: unknown }[] };
  const ask = async (query: string) => {
    const { body, headers } = await sandbox.call<Answer>('POST /graphql', { query });
    return { errors: body.errors, reported: headers.get('x-mock-unsupported') };
  };

  test('each type, field and argument that the pack lacks is reported in the vendor’s form', async () => {
    const data = sandbox.engine.pack.model.source.one('facts')?.data as unknown as { graphql: Record<string, string[]> };
    const known = new Set(Object.keys(data.graphql));
    const { errors, reported } = await ask('{ viewer { login estimatedNextSponsorsPayoutInCents } }');
    expect(known.has('User')).toBe(true);
    expect(reported).toBe('field User.estimatedNextSponsorsPayoutInCents');
    expect(errors).toEqual([
      expect.objectContaining({
        message: "Field 'estimatedNextSponsorsPayoutInCents' doesn't exist on type 'User'",
        path: ['query', 'viewer', 'estimatedNextSponsorsPayoutInCents'],
        extensions: { code: 'undefinedField', typeName: 'User', fieldName: 'estimatedNextSponsorsPayoutInCents' },
      }),
    ]);
  });

  test.each<[string, string | null]>([
    ['{ enterprise(slug: "x") { id } }', 'field Query.enterprise'],
    ['{ viewer { ... on Enterprise { id } } }', 'field Enterprise'],
    ['{ viewer { noSuchField } }', null],
    ['{ viewer(noSuchArgument: 1) { login } }', null],
  ])('%s', async (query, expected) => {
    const { errors, reported } = await ask(query);
    expect([errors.length > 0, reported]).toEqual([true, expected]);
  });
});
