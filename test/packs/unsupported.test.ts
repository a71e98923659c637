import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../engine/values/index.js';
import type { Schema } from '../../engine/model/index.js';
import type { Operation } from '../../engine/program/index.js';
import type { Body, CallHeaders } from '../support/http.js';
import { sampleOf } from '../support/sample.js';
import { startSandbox } from '../support/start-sandbox.js';

/** Everything that a vendor documents and its pack lacks is reported when a call asks for it, and nothing of it is served. */

interface FactsData {
  readonly operations: Readonly<Record<string, { readonly returns?: readonly string[] }>>;
  readonly graphql?: Readonly<Record<string, readonly string[]>>;
  readonly searches?: Readonly<Record<string, readonly string[]>>;
}

const NAMES = /\{[^}]*\}/g;

/** Where texts are searched, by names of searches. */
const SEARCHES: Readonly<Record<string, string>> = {
  issues_found: 'GET /search/issues?q=',
  repos_found: 'GET /search/repositories?q=',
  users_found: 'GET /search/users?q=',
  messages_found: 'GET /api/search.messages?query=',
};

/** What is reported of a call. */
async function reported({ call }: ReturnType<typeof startSandbox>, route: string, body?: Body, more?: CallHeaders): Promise<string | null> {
  const { headers } = await call(route.replace(NAMES, 'x1'), body, more);
  return headers.get('x-mock-unsupported');
}

/** Values of a parameter that only the document has, with where they go in a call's parameters. */
function documentedValues(schema: Schema | undefined): { readonly value: string; readonly at: (value: string) => Json }[] {
  switch (schema?.kind) {
    case 'enum':
      return (schema.documented ?? []).map((value) => ({ value, at: (each) => each }));
    case 'array':
      return documentedValues(schema.items).map(({ value, at }) => ({ value, at: (each) => [at(each)] }));
    case 'one_of':
      return schema.options.flatMap((option) => documentedValues(option));
    default:
      return [];
  }
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
    const { operations, facts, model } = sandbox.engine.pack;
    // Expressions read them, though no operation declares them.
    const read = new Set(model.settings.requestParams.map(([, param]) => param));
    const silent: string[] = [];
    for (const operation of operations) {
      const declared = operation.params();
      for (const [param, schema] of facts?.complete(operation, declared) ?? [])
        if (!declared.has(param) && !read.has(param) && schema.effect !== 'none') silent.push(`${operation.key} ${param}`);
    }
    expect(silent).toEqual([]);
  });

  test('each documented header that the pack lacks is reported', async () => {
    const { operations, facts } = sandbox.engine.pack;
    const asked = operations.flatMap((operation) => (facts?.headers(operation) ?? []).map((name) => ({ operation, name })));
    const silent: string[] = [];
    for (const { operation, name } of sampleOf(asked, 8)) {
      const { method, path } = operation.routes[0];
      const found = await reported(sandbox, `${method} ${path}`, undefined, { [name]: 'x' });
      if (!found?.includes(`header ${name}`)) silent.push(`${operation.key} ${name}`);
    }
    expect(silent).toEqual([]);
  });

  test('each documented value that the pack lacks is reported, and values that nobody documents are not', async () => {
    const { operations, facts } = sandbox.engine.pack;
    const silent: string[] = [];
    for (const operation of operations)
      for (const [param, schema] of facts?.complete(operation, operation.params()) ?? [])
        for (const { value, at } of documentedValues(schema)) {
          const { method, path } = operation.routes[0];
          // An unknown object comes first.
          if (path.includes('{') || param in operation.routes[0].names) continue;
          const ask = (given: string) => {
            const query = method === 'GET' ? `?${new URLSearchParams({ q: 'x', [param]: given })}` : '';
            return reported(sandbox, `${method} ${path}${query}`, method === 'GET' ? undefined : { [param]: at(given) });
          };
          if (!(await ask(value))?.includes(`value ${param}=${value}`)) silent.push(`${operation.key} ${param}=${value}`);
          if ((await ask('no-such-value'))?.includes('value')) silent.push(`${operation.key} ${param}: nonsense is reported`);
        }
    expect(silent).toEqual([]);
  });

  test('each documented media type that the pack lacks is reported', async () => {
    const { pack } = sandbox.engine;
    const data = pack.model.source.one('facts')?.data as unknown as FactsData | undefined;
    const known = pack.model.settings.accepts ?? [];
    const silent: string[] = [];
    for (const operation of sampleOf(pack.operations, 8))
      for (const type of returnsOf(data, operation)) {
        const served = operation.content?.variants.some((each) => (each.accept === null ? each.type?.startsWith(type) : each.accept.test(type)));
        if (served === true || known.some((each) => each.test(type))) continue;
        const { method, path } = operation.routes[0];
        const found = await reported(sandbox, `${method} ${path}`, undefined, { accept: type });
        if (!found?.includes(`media_type ${type}`)) silent.push(`${operation.key} ${type}`);
      }
    expect(silent).toEqual([]);
  });

  test('each documented qualifier of a search that the pack lacks is reported, and has no effect', async () => {
    const data = sandbox.engine.pack.model.source.one('facts')?.data as unknown as FactsData | undefined;
    const silent: string[] = [];
    for (const [search, names] of Object.entries(data?.searches ?? {}))
      for (const name of names) {
        const text = (name.includes(':') ? name : `${name}:x`).replace('*', 'anything');
        for (const asked of [text, `-${text}`]) {
          const found = await reported(sandbox, `${SEARCHES[search]}${encodeURIComponent(asked)}`);
          if (!found?.startsWith(`qualifier ${name.split(':')[0]}`)) silent.push(`${search} ${asked}: ${found}`);
        }
      }
    for (const search of Object.keys(data?.searches ?? {}))
      if ((await reported(sandbox, `${SEARCHES[search]}no-such-qualifier%3Ax`)) !== null) silent.push(`${search}: nonsense is reported`);
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

/** Media types beside JSON that the document has for an operation. */
function returnsOf(data: FactsData | undefined, { routes }: Operation): readonly string[] {
  const own = routes.map(({ method, path }) => `${method} ${path}`.replace(NAMES, '{}'));
  const found = Object.entries(data?.operations ?? {}).find(([route]) => own.includes(route.replace(NAMES, '{}')));
  return found?.[1].returns ?? [];
}

const payments = startSandbox(join('packs', 'payments'));

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

  test('each field that only the vendor has is reported', async () => {
    const data = sandbox.engine.pack.model.source.one('facts')?.data as unknown as FactsData;
    const silent: string[] = [];
    let rejected = 0;
    for (const [type, members] of sampleOf(Object.entries(data.graphql ?? {}), 24)) {
      const fields = members.map((member) => member.split('(')[0]).filter((name) => /^[a-z]/.test(name));
      for (let at = 0; at < fields.length; at += 15) {
        const { errors = [], reported: found } = await ask(`{ viewer { ... on ${type} { ${fields.slice(at, at + 15).join(' ')} } } }`);
        for (const { message } of errors) {
          const [, field, of] = /^Field '(\w+)' doesn't exist on type '(\w+)'$/.exec(message) ?? [];
          if (of === undefined) continue;
          rejected++;
          if (!found?.split(', ').includes(`field ${of}.${field}`)) silent.push(`${of}.${field}`);
        }
      }
    }
    expect(silent).toEqual([]);
    expect(rejected).toBeGreaterThan(20);
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

test('what only newer releases of the payments API have is reported in its newest version, and nonsense in all', async () => {
  const { call } = payments;
  const version = payments.engine.pack.versions?.all.at(-1)?.name ?? '';
  const ask = async (text: string, more: CallHeaders = {}) => {
    const { status, headers } = await call(
      'POST /v1/payment_intents',
      `amount=100&currency=usd&${text}`,
      { 'content-type': 'application/x-www-form-urlencoded', ...more },
    );
    return [status, headers.get('x-mock-unsupported')];
  };
  const newest = { 'Stripe-Version': version };
  expect(await ask('hooks[inputs][tax][calculation]=taxcalc_1', newest)).toEqual([200, 'parameter hooks']);
  expect(await ask('hooks[inputs][tax][calculation]=taxcalc_1')).toEqual([400, null]);
  expect(await ask('nonsense=1', newest)).toEqual([400, null]);
});
