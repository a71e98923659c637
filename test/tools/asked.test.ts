import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { harvest, type VendorApi } from '../../tools/develop/asked/harvest.js';
import { servedBy } from '../../tools/develop/asked/served.js';
import { ROOT } from '../support/root.js';

/** What published tools ask of the code host, which `tools/develop/asked/main.js` found in their code. */

const json = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Record<string, unknown>;

test('what tools ask is served, or has a reason; what is served has none', () => {
  const isServed = servedBy(join(ROOT, 'packs/code-hosting'));
  const askers = json('docs/internals/asked.json') as Record<string, string[]>;
  const outside = json('tools/develop/asked/outside.json');
  expect(Object.keys(askers).length).toBeGreaterThan(500);
  expect(Object.keys(askers).filter((each) => isServed(each) === each in outside)).toEqual([]);
});

describe('code is read for what it asks', () => {
  const schema = buildSchema(
    'type Query { boat(id: ID!): Boat } type Boat { id: ID! name: String crew(first: Int): [Boat] }',
  );
  const operations = [
    'GET /repos/{owner}/{repo}/boats/{boat_id}',
    'POST /repos/{owner}/{repo}/boats',
    'GET /user',
    'GET /orgs/{org}/boats{?page}',
  ];
  const api: VendorApi = {
    schema,
    operations,
    methods: new Map([['boats.create', 'POST /repos/{owner}/{repo}/boats']]),
  };

  test.each<[string, string, string[]]>([
    ['methods of the client', 'await octokit.rest.boats.create({ owner })', [operations[1]]],
    ['methods handed to pages', 'client.paginate(client.boats.create, {})', [operations[1]]],
    ['routes in calls', "octokit.request('GET /repos/{owner}/{repo}/boats/{id}', {})", [operations[0]]],
    ['no tables of routes', '{ boats: { create: ["POST /repos/{owner}/{repo}/boats"] } }', []],
    ['paths with computed parts', 'api.getJson(`repos/${config.repository}/boats/${id}?x=1`)', [operations[0]]],
    ['paths by the name of the method', 'this.post(`/repos/${owner}/${repo}/boats`)', [operations[1]]],
    ['optional queries', 'get(`/orgs/${org}/boats`)', [operations[3]]],
    ['other texts', 'log(`/repos/${owner}`)', []],
    [
      'documents',
      'const q = `query ($id: ID!) { boat(id: $id) { name } }`',
      ['Query.boat', 'Query.boat(id)', 'Boat.name'],
    ],
    [
      'documents with texts by name',
      'const more = `name`; const q = `query { boat(id: 1) { ${more} } }`',
      ['Query.boat', 'Query.boat(id)', 'Boat.name'],
    ],
    [
      'documents of bundles',
      String.raw`"query {\n boat(id: \"a\") { crew(first: 1) { id } } }"`,
      ['Query.boat', 'Query.boat(id)', 'Boat.crew', 'Boat.crew(first)', 'Boat.id'],
    ],
    ['files of documents', 'fragment A on Boat { id }', ['Boat.id']],
  ])('%s', (_name, code, expected) => {
    const { calls, fields } = harvest([code], api);
    expect([...calls, ...fields]).toEqual(expected);
  });
});
