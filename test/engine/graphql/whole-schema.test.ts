import { loadPack } from '../../../engine/index.js';
import { packFolder } from '../../support/sample-pack.js';
import { type Body, call } from '../../support/http.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** A vendor's whole schema from a file: what the pack doesn't give is null or empty, and arguments keep their types. */

const SDL = `scalar DateTime
enum Kind { bug task }
interface Node { id: ID! }
type User implements Node { id: ID! name: String! }
type Issue implements Node {
  id: ID!
  number: Int!
  done: Boolean!
  assignee: User
  kind: Kind!
  score: Float!
  branch: String!
  snoozedAt: DateTime
  startedAt: DateTime!
  labels(first: Int): LabelConnection!
  history: [Node!]!
  creator: User!
  owner: Node!
}
type Label { id: ID! }
type PageInfo { hasNextPage: Boolean! }
type LabelConnection { nodes: [Label!]! pageInfo: PageInfo! }
input NumberFilter { eq: Int in: [Int!] }
input IssueFilter { number: NumberFilter done: Boolean and: [IssueFilter!] }
type Query { issues(filter: IssueFilter): [Issue!]! issue(id: ID!): Issue viewer: User! }
type Mutation { archive(id: ID!): Boolean! }
`;

const FILES = {
  'schema.graphql': SDL,
  'graphql.yaml': `types: { Issue: issue, User: user }
rest: empty
fields:
  Query:
    issues: { operation: issues.list, with: { filter: args.filter }, show: '@' }
    issue: { operation: issues.retrieve, with: { id: args.id } }
`,
  'pack.yaml': 'lists: { envelope: =data }\n',
  'resources/user.yaml': 'resource: user\ncollection: users\nfields: { name: string }\noperations: [retrieve]\n',
  'resources/issue.yaml': `resource: issue
collection: issues
initial:
  - { id: i1, number: 1, done: false }
  - { id: i2, number: 2, done: true }
  - { id: i3, number: 3, done: true }
fields: { number: integer, done: boolean, assignee: { ref: user, nullable: true } }
operations:
  retrieve: {}
  list:
    ascending: true
    filters:
      filter: { type: map, where: "value == null || meets(item, value)" }
  deep: { route: GET /deep, params: { filter: map }, return: { given: =params.filter } }
`,
  'flows/meets.yaml': `flow: meets
args: { item: issue, filter: map }
returns: boolean
depth: { most: 5, error: parameter_invalid }
do:
  - { return: false, when: "filter.number.eq != null && item.number != filter.number.eq" }
  - { return: false, when: "at(filter, 'number.in') != null && !(item.number in at(filter, 'number.in'))" }
  - { return: false, when: "filter.done != null && item.done != filter.done" }
  - { return: "filter.and == null || filter.and.all(f, meets(item, f))" }
`.replace('"filter.and', '"=filter.and'),
};

const sandbox = startSandbox(packFolder(FILES), { t0: '2026-01-01T00:00:00Z' });

const ask = (query: string, variables: Body = {}): ReturnType<typeof call<{ data?: Body; errors?: unknown }>> =>
  call(sandbox, 'POST /graphql', { query, variables });

test('fields that nothing gives are null, or empty where the schema allows no null', async () => {
  const fields = `id number assignee { id } kind score branch snoozedAt startedAt labels(first: 3) { nodes { id } pageInfo { hasNextPage } }
    history { id } creator { id name } owner { __typename id }`;
  const { body, headers } = await ask(`{ issue(id: "i1") { ${fields} } }`);
  expect(body).toEqual({
    data: {
      issue: {
        id: 'i1',
        number: 1,
        assignee: null,
        kind: 'bug',
        score: 0,
        branch: '',
        snoozedAt: null,
        startedAt: '2026-01-01T00:00:00.000Z',
        labels: { nodes: [], pageInfo: { hasNextPage: false } },
        history: [],
        creator: { id: '', name: '' },
        owner: { __typename: 'User', id: '' },
      },
    },
  });
  expect(headers.get('x-mock-unsupported')).toBeNull();
});

test('a root that nothing gives is reported: it may do something', async () => {
  const viewer = await ask('{ viewer { id } }');
  expect([viewer.body.data, viewer.headers.get('x-mock-unsupported')]).toEqual([
    { viewer: { id: '' } },
    'field Query.viewer',
  ]);
  const archived = await ask('mutation { archive(id: "i1") }');
  expect(archived.headers.get('x-mock-unsupported')).toBe('field Mutation.archive');
});

test.each([
  [{ number: { eq: 2 } }, ['i2']],
  [{ number: { in: [1, 3] } }, ['i1', 'i3']],
  [{ done: true, and: [{ number: { in: [2, 3] } }, { and: [{ number: { eq: 3 } }] }] }, ['i3']],
  [{ done: false }, ['i1']],
])('a filter %j is called with the types that it has', async (filter, ids) => {
  const { body } = await ask('query($filter: IssueFilter) { issues(filter: $filter) { id } }', { filter });
  expect(body).toEqual({ data: { issues: ids.map((id) => ({ id })) } });
});

test('a filter that nests deeper than the pack says gets its error', async () => {
  let filter: Body = { done: true };
  for (let depth = 0; depth < 9; depth++) filter = { and: [filter] };
  const { body } = await ask('query($filter: IssueFilter) { issues(filter: $filter) { id } }', { filter });
  expect(body.errors).toBeDefined();
});

test.each([
  [
    'a schema in both places',
    { 'graphql.yaml': `schema: "type Query { a: Int }"\n${FILES['graphql.yaml']}` },
    'graphql.yaml:1 the schema is here and in schema.graphql',
  ],
  [
    'no schema',
    { 'schema.graphql': '', 'graphql.yaml': 'fields: {}\n' },
    'schema.graphql:1 Syntax Error: Unexpected <EOF>.',
  ],
  [
    'a mistake of the file',
    { 'schema.graphql': SDL.replace('kind: Kind!', 'kind: Kid!') },
    'schema.graphql:10 Unknown type "Kid".',
  ],
  [
    'without `rest`',
    { 'graphql.yaml': FILES['graphql.yaml'].replace('rest: empty\n', '') },
    "schema.graphql:10 nothing gives 'Issue.kind'",
  ],
  [
    'an id that no operation reads',
    { 'resources/user.yaml': FILES['resources/user.yaml'].replace('[retrieve]', '[create]') },
    "graphql.yaml:1 'Issue.assignee' is the id of a user, which no operation retrieves",
  ],
])('%s is reported', (_name, files, expected) => {
  const { problems } = loadPack(packFolder({ ...FILES, ...files }));
  expect(problems.map(({ file, line, message }) => `${file}:${line} ${message}`)).toContainEqual(
    expect.stringContaining(expected),
  );
});
