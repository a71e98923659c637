import { readFileSync } from 'node:fs';
import { CONTROL_ROUTES } from '../../../engine/control/routes/index.js';
import { contract, startParcels } from './parcels.js';

interface Schema {
  readonly $ref?: string;
  readonly properties?: object;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
}

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

const client = startParcels();

function resolve(schema: Schema): Schema {
  const at = schema.$ref?.slice(2).split('/');
  return at
    ? (at.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], contract) as Schema)
    : schema;
}

/** Keys that a described body may have. */
function keysOf(schema: Schema): string[] {
  const { properties, oneOf } = resolve(schema);
  return [...new Set([...Object.keys(properties ?? {}), ...(oneOf ?? []).flatMap(keysOf)])].sort();
}

test('the contract is served as the build writes it', async () => {
  const { body, headers } = await client.admin('GET /openapi.json');
  expect(body).toEqual(JSON.parse(readFileSync('schemas/control-plane.openapi.json', 'utf8')));
  expect(body).toEqual(contract);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(contract.openapi).toBe('3.1.0');
});

test('the contract describes every call and no other, with its keys', () => {
  const real = CONTROL_ROUTES.map(({ method, path, contract: { query = {}, body = {}, anyKeys } }) => ({
    call: `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    query: Object.keys(query).sort(),
    body: anyKeys ? ['cause', 'params'] : Object.keys(body).sort(),
  }));
  const told = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, Described>>).map(
      ([method, { parameters = [], requestBody }]) => ({
        call: `${method.toUpperCase()} ${path}`,
        query: parameters
          .filter((each) => each.in === 'query')
          .map(({ name }) => name)
          .sort(),
        body: requestBody ? keysOf(requestBody.content['application/json'].schema) : [],
      }),
    ),
  );
  const byCall = (a: { call: string }, b: { call: string }): number => a.call.localeCompare(b.call);
  expect(told.sort(byCall)).toEqual(real.sort(byCall));
});

test('every reference of the contract leads somewhere', () => {
  const refs = [...JSON.stringify(contract).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path);
  expect(refs.length).toBeGreaterThan(50);
  for (const path of refs) {
    const found = path
      .split('/')
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], contract);
    expect([path, found]).toEqual([path, expect.anything()]);
  }
});
