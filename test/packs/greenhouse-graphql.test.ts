import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, validateSchema } from 'graphql';
import { type Body, call } from '../support/http.js';
import { inspect } from '../support/pack-world.js';
import { packFolder } from "../support/sample-pack.js";
import { startSandbox } from '../support/start-sandbox.js';

/** `graphql.yaml` with a pack of plants: its fields are calls of operations. */

const T0 = '2026-01-01T00:00:00.000Z';
const sandbox = startSandbox('test/packs/greenhouse', { t0: T0, seed: 'graph', reset: { t0: T0 } });

interface Answer {
  readonly data?: Record<string, Body>;
  readonly errors?: readonly Body[];
}

async function ask(query: string, variables: Body = {}, headers = {}): Promise<Answer> {
  return (await call<Answer>(sandbox, 'POST /graphql', { query, variables }, headers)).body;
}

const entries = async (): Promise<unknown[]> =>
  (await call<{ data: unknown[] }>(sandbox, 'GET /__admin__/ledger')).body.data;

test('an object with what it refers to, by aliases, fragments and variables', async () => {
  const { body: chamber } = await call(sandbox, 'POST /chambers', { from: '2020-01-01T00:00:00.000Z' });
  const { body: plant } = await call(sandbox, 'POST /plants', { chamber: chamber['id'] });
  const query = `query One($id: ID!) {
    mine: plant(id: $id) { ...Parts __typename }
    node(id: $id) { id ... on Plant { label } }
    thing(id: $id) { __typename }
  }
  fragment Parts on Plant { id state chamber { id made } }`;
  const { data, errors } = await ask(query, { id: plant['id'] });
  expect(errors).toBeUndefined();
  expect(data).toEqual({
    mine: {
      id: plant['id'],
      state: 'seed',
      chamber: { id: chamber['id'], made: chamber['made'] },
      __typename: 'Plant',
    },
    node: { id: plant['id'], label: `plant ${plant['id']}` },
    thing: { __typename: 'Plant' },
  });
});

test('a connection is walked forwards and backwards, and counts more than one page of the list', async () => {
  const ids: unknown[] = [];
  for (let n = 0; n < 23; n++) ids.push((await call(sandbox, 'POST /plants', {})).body['id']);
  const listed = (await ask('{ plants { totalCount nodes { id } } }')).data?.['plants'];
  expect(listed?.['totalCount']).toBe(23);
  const all = (listed?.['nodes'] as Body[] | undefined ?? []).map(({ id }) => id);
  expect([...all].sort()).toEqual([...ids].sort());
  const page = 'query($first: Int, $after: String) { plants(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }';
  const seen: unknown[] = [];
  for (let after: unknown = null, goesOn = true; goesOn; ) {
    const plants = (await ask(page, { first: 10, after })).data?.['plants'] as Body;
    seen.push(...(plants['nodes'] as Body[]).map(({ id }) => id));
    ({ hasNextPage: goesOn, endCursor: after } = plants['pageInfo'] as { hasNextPage: boolean; endCursor: string });
  }
  expect(seen).toEqual(all);
  const { data } = await ask('{ plants(last: 2) { edges { node { id } } pageInfo { hasNextPage hasPreviousPage } } }');
  expect(data?.['plants']).toEqual({
    edges: all.slice(-2).map((id) => ({ node: { id } })),
    pageInfo: { hasNextPage: false, hasPreviousPage: true },
  });
});

test('a mutation is a call of its operation: an entry of the ledger, which a query does not make', async () => {
  const before = await entries();
  await ask('{ plants { totalCount } }');
  expect(await entries()).toEqual(before);
  const { data } = await ask('mutation { a: createPlant { id } b: createPlant { id state } }');
  expect(data).toMatchObject({ a: { id: 'plant_1' }, b: { id: 'plant_2', state: 'seed' } });
  const { body: chamber } = await call(sandbox, 'POST /chambers', {});
  const move = 'mutation($input: MovePlantInput!) { movePlant(input: $input) { plant { id chamber { id } } } }';
  const moved = await ask(move, { input: { plantId: 'plant_1', chamberId: chamber['id'] } });
  expect(moved).toEqual({ data: { movePlant: { plant: { id: 'plant_1', chamber: { id: chamber['id'] } } } } });
  // Two plants, a chamber, a move.
  expect(await entries()).toHaveLength(before.length + 4);
});

test('a mutation waits for an operation that takes its time', async () => {
  const slow = { resource: 'plants', operation: 'create', kind: 'delay', delay_ms: 5, count: 1 };
  expect((await call(sandbox, 'POST /__admin__/faults', slow)).status).toBe(201);
  expect(await ask('mutation { createPlant { id } }')).toEqual({ data: { createPlant: { id: 'plant_1' } } });
});

test('errors have the form of GraphQL with the members that the pack gives', async () => {
  const { data, errors } = await ask('{ lost: plant(id: "plant_99") { id } }');
  expect(data).toEqual({ lost: null });
  expect(errors).toMatchObject([{ path: ['lost'], type: 'not_found', message: expect.stringContaining('No such') }]);
  const misspelt = await ask('{ plantz { totalCount } }');
  expect(misspelt.data).toBeUndefined();
  expect(misspelt.errors).toMatchObject([{ message: expect.stringContaining('or "plants"'), locations: [{ line: 1, column: 3 }] }]);
  expect((await call(sandbox, 'POST /graphql', { query: '{ __typename }' }, { authorization: undefined })).status).toBe(401);
});

test('what one document may ask is limited', async () => {
  const many = Array.from({ length: 1001 }, (_, n) => `a${n}: __typename`).join(' ');
  expect((await ask(`{ ${many} }`)).errors).toMatchObject([{ message: 'There are more than 1000 fields' }]);
  const deep = `{ ${'plants { '.repeat(16)}totalCount${' }'.repeat(16)} }`;
  expect((await ask(deep)).errors).toMatchObject([{ message: 'Fields are nested deeper than 15 levels' }]);
  const bomb = Array.from({ length: 30 }, (_, n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`).join(' ');
  const { errors } = await ask(`{ ...F0 } ${bomb} fragment F30 on Query { __typename }`);
  expect(errors).toMatchObject([{ message: 'There are more than 1000 fields' }]);
  const calls = Array.from({ length: 201 }, (_, n) => `a${n}: plant(id: "x") { id }`).join(' ');
  expect((await ask(`{ ${calls} }`)).errors?.at(-1)).toMatchObject({ message: 'The document calls more than 200 operations' });
});

test('the schema can be asked for by clients', async () => {
  const { data } = await ask(getIntrospectionQuery());
  expect(validateSchema(buildClientSchema(data as unknown as IntrospectionQuery))).toEqual([]);
  const one = await ask('{ __type(name: "Plant") { fields { name } } }');
  expect(one.data?.['__type']).toEqual({
    fields: ['id', 'made', 'state', 'chamber', 'label'].map((name) => ({ name })),
  });
});

const FILES = {
  'resources/leaf.yaml': `resource: leaf
collection: leaves
path: /leaves
id: { prefix: lf_, format: short }
fields: { leaf_size: integer }
operations: { create: {}, retrieve: {} }
`,
  'pack.yaml': 'ids: { short: { parts: [{ random: 8 }] } }\n',
};

const POSTBOX = {
  'pack.yaml': 'ids: { numbered: { parts: [{ sequence: 1 }], pattern: "[0-9]+" } }\nlists: { size: { param: size, default: 2, min: 1, max: 2 }, pages: { param: page }, envelope: =data }\n',
  'resources/box.yaml': `resource: box
collection: boxes
path: /boxes
id: { format: numbered }
order: made
fields: { made: { type: timestamp, default: =now }, stamps: { type: array, items: string }, shut: { type: boolean, default: false } }
params: { opaque: string }
operations:
  create: { params: { stamps } }
  retrieve: {}
  list: {}
  shut: { route: 'POST /boxes/{id}/shut', status: 204, do: [{ set: self, to: { shut: true } }] }
  named:
    kind: action
    route: GET /names/{opaque}
    params: { opaque! }
    do:
      - let: { it: "get(box, from_base64(params.opaque))" }
      - { fail: not_found, when: it == null, with: { param: opaque } }
      - { return: { kind: Box, box: =it.id, shut: =it.shut, stamps: =it.stamps, __typename: Box } }
`,
  'graphql.yaml': `schema: |
  interface Node { name: String }
  type Box implements Node { name: String shut: Boolean! stamps(first: Int, after: String): StampConnection! }
  type Stamp { text: String! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type StampConnection { nodes: [Stamp!]! totalCount: Int! }
  type BoxConnection { nodes: [Box!]! totalCount: Int! pageInfo: PageInfo! }
  type Query { node(id: ID!): Node box(id: ID!): Box lost(id: ID!): Box boxes(first: Int, after: String): BoxConnection! }
  type Mutation { shut(name: ID!): Box copy(names: [ID!]!, first: ID): Box }
node: { operation: boxes.named, with: { opaque: id } }
fields:
  Box:
    name: { value: "self.box || self.id" }
    stamps: { value: "self.stamps[].{text: @}" }
  Query:
    boxes: { operation: boxes.list, items: "@", pages: page }
    box: { operation: boxes.retrieve, with: { id: args.id }, absent: true }
    lost: { operation: boxes.retrieve, with: { id: args.id } }
  Mutation:
    shut: { of: args.name, operation: boxes.shut, with: { id: of.box }, again: true }
    copy:
      named: { them: args.names, first: args.first }
      operation: boxes.create
      with: { stamps: "[named.first.stamps, named.them[].stamps[]][]" }
`,
};

describe('ids that say nothing of their type, lists without a mark of their end', () => {
  const postbox = startSandbox(packFolder(POSTBOX), { t0: T0, seed: 'post', reset: { t0: T0 } });
  const asked = async (query: string): Promise<Answer> => (await call<Answer>(postbox, 'POST /graphql', { query })).body;
  const name = (id: unknown): string => Buffer.from(String(id)).toString('base64');

  test('an operation says what an id names, also for a change, whose response is the object as it is then', async () => {
    const { body: box } = await call(postbox, 'POST /boxes', { stamps: ['red', 'blue', 'black'] });
    expect(await asked(`{ node(id: "${name(box['id'])}") { __typename name ... on Box { stamps(first: 2) { totalCount nodes { text } } } } }`)).toEqual({
      data: { node: { __typename: 'Box', name: box['id'], stamps: { totalCount: 3, nodes: [{ text: 'red' }, { text: 'blue' }] } } },
    });
    expect(await asked(`mutation { shut(name: "${name(box['id'])}") { name shut } }`)).toEqual({ data: { shut: { name: box['id'], shut: true } } });
    expect((await asked('mutation { shut(name: "bm9uZQ==") { name } }')).errors).toMatchObject([{ path: ['shut'] }]);
  });

  test('ids and lists of ids stand for their objects', async () => {
    const stamps = [['red'], ['blue', 'black'], ['green']];
    const [first, ...them] = await Promise.all(stamps.map(async (each) => name((await call(postbox, 'POST /boxes', { stamps: each })).body['id'])));
    const copy = (names: readonly string[], more = ''): Promise<Answer> =>
      asked(`mutation { copy(names: ${JSON.stringify(names)}${more}) { stamps { nodes { text } } } }`);
    const nodes = stamps.flat().map((text) => ({ text }));
    expect(await copy(them, `, first: "${first}"`)).toEqual({ data: { copy: { stamps: { nodes } } } });
    expect((await copy([first, 'bm9uZQ=='])).errors).toMatchObject([{ path: ['copy'] }]);
  });

  test('what may be absent is null without an error', async () => {
    expect(await asked('{ box(id: "99") { name } }')).toEqual({ data: { box: null } });
    expect(await asked('{ lost(id: "99") { name } }')).toMatchObject({ data: { lost: null }, errors: [{ path: ['lost'] }] });
  });

  test('pages are asked for by their number until one is shorter', async () => {
    for (let n = 0; n < 5; n++) await call(postbox, 'POST /boxes', {});
    const { data } = await asked('{ boxes(first: 4) { totalCount nodes { name } pageInfo { hasNextPage } } }');
    expect(data?.['boxes']).toMatchObject({ totalCount: 5, pageInfo: { hasNextPage: true } });
    expect(data?.['boxes']?.['nodes']).toHaveLength(4);
  });
});

test.each([
  ['an `of` without `node`', 'fields: { Query: { leaf: { of: args.id, operation: leaves.retrieve, with: { id: args.id } } } }', { line: 7 }],
  ['a `named` without `node`', 'fields: { Query: { leaf: { named: { it: args.id }, operation: leaves.retrieve, with: { id: args.id } } } }', { line: 7 }],
  ['an `again` without `of`', 'fields: { Query: { leaf: { again: true, operation: leaves.retrieve, with: { id: args.id } } } }', { line: 7 }],
  ['a type of nothing', 'types: { Leaf: leef }', { line: 7, suggestion: 'leaf' }],
  ['a field that the schema lacks', 'fields: { Query: { leav: { operation: leaves.retrieve, with: { id: args.id } } } }', { line: 7, suggestion: 'leaf' }],
  ['an operation that is not there', 'fields: { Query: { leaf: { operation: leaves.retriev, with: { id: args.id } } } }', { line: 7, suggestion: 'leaves.retrieve' }],
  ['a parameter that is not there', 'fields: { Query: { leaf: { operation: leaves.retrieve, with: { id: args.id, idd: args.id } } } }', { line: 7, suggestion: 'id' }],
  ['no JMESPath', 'fields: { Query: { leaf: { value: "args.[" } } }', { line: 7 }],
  ['a field that nothing gives', 'types: { Leaf: leaf }\nfields: { Query: { leaf: { operation: leaves.retrieve, with: { id: args.id } } } }', { line: 5, suggestion: 'leaf_size' }],
])('%s is reported where it stands', (_, rest, where) => {
  const graphql = `schema: |
  type Query {
    leaf(id: ID!): Leaf
  }
  type Leaf { leafSiz: Int }

${rest}
`;
  const { problems } = inspect({ ...FILES, 'graphql.yaml': graphql });
  expect(problems).toEqual(expect.arrayContaining([expect.objectContaining({ file: 'graphql.yaml', ...where })]));
});
