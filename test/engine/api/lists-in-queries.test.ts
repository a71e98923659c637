import { startSandbox } from '../../support/start-sandbox.js';

/** The styles in which clients write lists in a query: repeated, one value, or one text with separators. */

const resource = `resource: thing
collection: things
path: /things
id: { prefix: th_ }
fields: { name: string? }
operations:
  echo:
    kind: action
    route: [GET /echo, POST /echo]
    params:
      tag: { type: array, items: string }
      number: { type: array, items: integer, separator: "," }
      word: { type: array, items: string, separator: "|" }
      part: { type: array, items: string, separator: " " }
    return: { tag: =params.tag, number: =params.number, word: =params.word, part: =params.part }
`;
const single = startSandbox({
  'pack.yaml': 'encoding: { requests: form, single_values: true }\n',
  'resources/thing.yaml': resource,
});
const strict = startSandbox({ 'resources/thing.yaml': resource });

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['tag=a', { tag: ['a'] }],
  ['tag=a,b', { tag: ['a,b'] }],
  ['tag=a&tag=b', { tag: ['a', 'b'] }],
  ['tag[]=a', { tag: ['a'] }],
  ['number=1', { number: [1] }],
  ['number=1,2,3', { number: [1, 2, 3] }],
  ['number=1,2&number=3', { number: [1, 2, 3] }],
  ['word=a|b', { word: ['a', 'b'] }],
  ['word=a%7Cb', { word: ['a', 'b'] }],
  ['part=a%20b', { part: ['a', 'b'] }],
  ['part=a+b', { part: ['a', 'b'] }],
])('%s', async (query, expected) => {
  expect((await single.call(`GET /echo?${query}`)).body).toMatchObject(expected);
  const form = await single.call('POST /echo', new URLSearchParams(query));
  expect(form.body).toMatchObject(expected);
});

test('a list whose items are wrong names the item', async () => {
  expect(await strict.result('GET /echo?number=1,x')).toMatchObject([400, { param: 'number[1]', value: 'x' }]);
});

test('without `single_values`, one value is no list', async () => {
  expect((await strict.call('GET /echo?tag=a')).status).toBe(400);
});

const typed = startSandbox({
  'pack.yaml': 'encoding: { requests: json }\n',
  'resources/thing.yaml': `resource: thing
collection: things
path: /things
fields: {}
operations:
  echo:
    kind: action
    route: POST /echo
    params: { full: boolean, most: "integer?", sizes: { type: array, items: number }, ids: { type: array, items: integer, separator: ',' }, name: string, body: integer }
    return: { full: =params.full, most: =params.most, sizes: =params.sizes, ids: =params.ids, name: =params.name, body: =params.body }
`,
});

test('texts in a query beside a JSON body have the types of their parameters, those in the body have not', async () => {
  const query = 'full=False&most=5&sizes=1.5&sizes=2&ids=3,4&name=7';
  expect((await typed.call(`POST /echo?${query}`, { body: 1 })).body).toEqual({
    full: false,
    most: 5,
    sizes: [1.5, 2],
    ids: [3, 4],
    name: '7',
    body: 1,
  });
  expect((await typed.call('POST /echo?most=', {})).body).toMatchObject({ most: null });
  expect((await typed.call('POST /echo?full=perhaps', {})).status).toBe(400);
  expect((await typed.call('POST /echo', { body: '1' })).status).toBe(400);
});
