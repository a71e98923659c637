import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientNames } from '../../tools/openapi/again/client-names.js';
import { Document, importDocument } from '../../tools/openapi/index.js';
import { documentOf, json, object } from './described.js';
import { importInto, useFolders } from './imported.js';
import { folderOfTest } from '../support/scratch-folder.js';
import { useReceiver } from '../support/start-sandbox.js';

/** What becomes of objects over their lives, as documents say it: states, flags, deletions, callbacks, scopes, pages. */

const serveFolder = useFolders();
const receiver = useReceiver();
const text = { type: 'string' };
const returns = (schema: object, status = 200, more: object = {}): object => ({
  responses: { [status]: { description: '', ...json(schema), ...more } },
});
const list = (items: object): object => ({ type: 'array', items });
const named = object({ name: text }, ['name']);
const id = { name: 'id', in: 'path', required: true, schema: text };

/** A document with kites, whose calls have more and which has more beside them. */
function kites(
  kite: object,
  {
    paths = {},
    create = {},
    find = {},
    remove = { responses: { 204: { description: '' } } },
    root = {},
  }: Partial<Record<'paths' | 'create' | 'find' | 'remove' | 'root', object>> = {},
): Document {
  const document = documentOf({
    '/kites': {
      post: { requestBody: json(named), ...returns(kite, 201), ...create },
      get: { ...returns(list(kite)), ...find },
    },
    '/kites/{id}': { parameters: [id], get: returns(kite), delete: remove },
    ...paths,
  });
  const whole = { ...document.root, ...root };
  return new Document(whole, whole);
}

const action = (name: string, kite: object, status = 200): object => ({
  [`/kites/{id}/${name}`]: { parameters: [id], post: returns(kite, status) },
});

async function served(document: Document) {
  const { folder, pack } = importInto(document, 'kites');
  expect(pack.decisions.filter((each) => each.startsWith('left out'))).toEqual([]);
  return { ...(await serveFolder(folder)), pack };
}

test('an action leads to the state or sets the flag that it is called after, and back', async () => {
  const state = { type: 'string', enum: ['active', 'inactive', 'archived'] };
  const kite = object(
    {
      id: text,
      name: text,
      status: state,
      is_locked: { type: 'boolean' },
      locked_at: { type: ['string', 'null'], format: 'date-time' },
    },
    ['id', 'status', 'is_locked', 'locked_at'],
  );
  const paths = Object.assign(
    {},
    ...['deactivate', 'reactivate', 'archive', 'unarchive', 'lock', 'unlock'].map((name) => action(name, kite)),
  ) as object;
  const { call } = await served(kites(kite, { paths }));
  const { body } = await call('POST /kites', { name: 'Ida' });
  const does = async (name: string) => (await call(`POST /kites/${String(body['id'])}/${name}`)).body;
  expect(await does('deactivate')).toMatchObject({ status: 'inactive' });
  expect(await does('reactivate')).toMatchObject({ status: 'active' });
  expect(await does('archive')).toMatchObject({ status: 'archived' });
  expect(await does('unarchive')).toMatchObject({ status: 'active' });
  expect(await does('lock')).toMatchObject({ is_locked: true, locked_at: '2025-01-01T00:00:00.000Z' });
  expect(await does('unlock')).toMatchObject({ is_locked: false, locked_at: null });
});

test('what is accepted with 202 ends later, and so does the operation that a call begins', async () => {
  const states = { type: 'string', enum: ['pending', 'completed', 'failed'] };
  const kite = object({ id: text, name: text, status: states }, ['id', 'status']);
  const job = object({ id: text, kind: text, progress: { type: 'integer' }, status: states }, ['id', 'status']);
  const paths = {
    '/jobs/{id}': { parameters: [id], get: returns(job) },
    '/kites/{id}/exports/full': { parameters: [id], post: returns(job, 202) },
  };
  const { call, admin } = await served(kites(kite, { paths, create: returns(kite, 202) }));
  const made = (await call('POST /kites', { name: 'Ida' })).body;
  const begun = await call(`POST /kites/${String(made['id'])}/exports/full`);
  expect(begun).toMatchObject({ status: 202, body: { status: 'pending' } });
  await admin('POST /clock/advance', { duration: '5s' });
  expect((await call(`GET /kites/${String(made['id'])}`)).body).toMatchObject({ status: 'completed' });
  expect((await call(`GET /jobs/${String(begun.body['id'])}`)).body).toMatchObject({ status: 'completed' });
});

test('a deletion returns the object, and keeps it where a list can show deleted ones', async () => {
  const plain = object({ id: text, name: text, colour: text }, ['id']);
  const gone = await served(kites(plain, { remove: returns(plain) }));
  const first = (await gone.call('POST /kites', { name: 'Ida' })).body;
  expect(await gone.call(`DELETE /kites/${String(first['id'])}`)).toMatchObject({ body: { name: 'Ida' } });
  expect(await gone.call(`GET /kites/${String(first['id'])}`)).toMatchObject({ status: 404 });

  const marked = object({ id: text, name: text, deleted_at: { type: ['string', 'null'], format: 'date-time' } }, [
    'id',
  ]);
  const parameters = [{ name: 'include_deleted', in: 'query', schema: { type: 'boolean' } }];
  const { call } = await served(kites(marked, { find: { parameters }, remove: returns(marked) }));
  const path = `/kites/${String((await call('POST /kites', { name: 'Ida' })).body['id'])}`;
  expect((await call(`DELETE ${path}`)).body).toMatchObject({ deleted_at: '2025-01-01T00:00:00.000Z' });
  expect((await call('GET /kites')).body).toEqual([]);
  expect((await call('GET /kites?include_deleted=true')).body).toMatchObject([{ name: 'Ida' }]);
});

test('objects that are given with what they belong to are found below it', async () => {
  const tail = object({ id: text, name: text }, ['id', 'name']);
  const kite = object({ id: text, name: text, tails: list(tail) }, ['id']);
  const tails = { name: 'tail_id', in: 'path', required: true, schema: text };
  const paths = {
    '/kites/{id}/tails': {
      parameters: [id],
      post: { requestBody: json(named), ...returns(tail, 201) },
      get: returns(list(tail)),
    },
    '/kites/{id}/tails/{tail_id}': { parameters: [id, tails], get: returns(tail) },
  };
  const sent = object({ name: text, tails: list(named) }, ['name']);
  const { call } = await served(kites(kite, { paths, create: { requestBody: json(sent) } }));
  const { body } = await call('POST /kites', { name: 'Ida', tails: [{ name: 'red' }] });
  expect(body).toMatchObject({ tails: [{ id: expect.any(String) as string, name: 'red' }] });
  await call(`POST /kites/${String(body['id'])}/tails`, { name: 'blue' });
  expect((await call(`GET /kites/${String(body['id'])}/tails`)).body).toHaveLength(2);
  expect((await call(`GET /kites/${String(body['id'])}`)).body['tails']).toHaveLength(2);
});

test('a link says which member is the key of an object', async () => {
  const kite = object({ id: text, tag: text, name: text }, ['id', 'tag']);
  const links = { it: { operationId: 'read', parameters: { id: '$response.body#/tag' } } };
  const { call } = await served(
    kites(kite, { create: { responses: { 201: { description: '', ...json(kite), links } } } }),
  );
  const { body } = await call('POST /kites', { name: 'Ida' });
  expect((await call(`GET /kites/${String(body['tag'])}`)).body).toMatchObject({ name: 'Ida' });
});

test('kinds of a schema with a discriminator are kinds of its objects', async () => {
  const { root } = kites({ $ref: '#/components/schemas/Kite' });
  const schemas = {
    Kite: { ...object({ id: text, name: text, kind: text }, ['id', 'kind']), discriminator: { propertyName: 'kind' } },
    Box: { allOf: [{ $ref: '#/components/schemas/Kite' }, object({ cells: { type: 'integer' } })] },
    New: { ...object({ name: text, kind: text }, ['kind']), discriminator: { propertyName: 'kind' } },
    NewBox: { allOf: [{ $ref: '#/components/schemas/New' }, object({ cells: { type: 'integer' } })] },
  };
  const paths = JSON.parse(
    JSON.stringify(root['paths']).replace(JSON.stringify(named), '{"$ref":"#/components/schemas/New"}'),
  ) as object;
  const whole = { ...root, paths, components: { ...(root['components'] as object), schemas } };
  const { call } = await served(new Document(whole, whole));
  const { body } = await call('POST /kites', { name: 'Ida', kind: 'Box', cells: 4 });
  expect((await call(`GET /kites/${String(body['id'])}`)).body).toMatchObject({ kind: 'Box', cells: 4 });
});

test('webhooks are sent when calls lead to them, a test sends the others, and a callback goes to the address of its call', async () => {
  const kite = object(
    { id: text, name: text, last_event: { type: 'string', enum: ['sent', 'opened'] }, paid: { type: 'boolean' } },
    ['id', 'paid'],
  );
  const about = (type: string): object => ({
    post: {
      requestBody: json(
        object({ type: { const: type }, data: object({ kite_id: text, name: text }, ['kite_id', 'name']) }, [
          'type',
          'data',
        ]),
      ),
    },
  });
  const webhooks = Object.fromEntries(['kite.sent', 'kite.opened', 'kite.paid'].map((name) => [name, about(name)]));
  const callbacks = { onPaid: { '{$request.body#/callback_url}': about('paid') } };
  const create = {
    summary: 'Send a kite',
    requestBody: json(object({ name: text, callback_url: text }, ['name'])),
    callbacks,
  };
  const document = kites(kite, { create, paths: action('pay', kite), root: { webhooks } });
  const { call, admin, pack } = await served(document);
  expect(pack.files['causes.yaml']).toContain('kite.opened');
  await admin('POST /webhooks/endpoints', { url: `${receiver.url}/all`, events: ['*'] });
  const { body } = await call('POST /kites', { name: 'Ida', callback_url: `${receiver.url}/mine` });
  await call('POST /kites', { name: 'Ada', callback_url: `${receiver.url}/other` });
  await admin('POST /world/events', { cause: 'kite.opened', params: { kite_id: body['id'] } });
  await call(`POST /kites/${String(body['id'])}/pay`);
  await admin('POST /webhooks/flush');
  const got = receiver.received.map(({ path, body: sent }) => `${path} ${(JSON.parse(sent) as { type: string }).type}`);
  expect(got.filter((each) => each.startsWith('/all')).sort()).toEqual(
    ['/all kite.opened', '/all kite.paid', '/all kite.sent', '/all kite.sent'].sort(),
  );
  expect(got.filter((each) => !each.startsWith('/all'))).toEqual(['/mine kite.paid']);
  expect((await call(`GET /kites/${String(body['id'])}`)).body).toMatchObject({ last_event: 'opened', paid: true });
});

test('calls need the scopes that the document says, of tokens from its address', async () => {
  const kite = object({ id: text, name: text }, ['id']);
  const oauth = {
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: 'https://kites.test/oauth/token', scopes: { read: '', write: '' } } },
  };
  const key = { type: 'apiKey', in: 'header', name: 'X-Kite-Key' };
  const { call } = await served(
    kites(kite, {
      create: { security: [{ oauth: ['write'] }] },
      find: { security: [{ oauth: ['read'] }, { oauth: ['write'] }, { key: [] }] },
      root: { components: { securitySchemes: { oauth, key } }, security: [{ oauth: ['read'] }] },
    }),
  );
  const { body } = await call('POST /oauth/token', { grant_type: 'client_credentials', scope: 'read' });
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read' });
  const headers = { authorization: `Bearer ${String(body['access_token'])}` };
  expect(await call('GET /kites', undefined, headers)).toMatchObject({ status: 200 });
  expect(await call('POST /kites', { name: 'Ida' }, headers)).toMatchObject({ status: 403 });
  expect((await call('GET /kites', undefined, { authorization: undefined, 'x-kite-key': 'key_test' })).status).toBe(
    200,
  );
});

test('a key in the body makes a call idempotent', async () => {
  const kite = object({ id: text, name: text }, ['id']);
  const sent = object({ name: text, idempotency_key: text }, ['name']);
  const { call } = await served(kites(kite, { create: { requestBody: json(sent) } }));
  const made = (name: string) => call('POST /kites', { name: 'Ida', idempotency_key: name });
  const [first, again, other] = [await made('a'), await made('a'), await made('b')];
  expect([again.body, other.body['id'] === first.body['id']]).toEqual([first.body, false]);
});

const PAGES: readonly (readonly [string, object, readonly string[], string])[] = [
  ['numbers from zero', { type: 'integer', default: 0 }, ['pageIndex', 'rows'], 'pageIndex=1&rows=2'],
  ['members of one parameter', { type: 'integer' }, ['page[number]', 'page[size]'], 'page[number]=2&page[size]=2'],
  ['an index', { type: 'integer' }, ['startAt', 'maxResults'], 'startAt=2&maxResults=2'],
  ['how many to skip', { type: 'integer' }, ['$skip', '$top'], '$skip=2&$top=2'],
];

test.each(PAGES)('a list is read in pages by %s', async (_, schema, names, query) => {
  const kite = object({ id: text, name: text }, ['id']);
  const parameters = names.map((name, at) => ({ name, in: 'query', schema: at === 0 ? schema : { type: 'integer' } }));
  const headers = { Link: { schema: text }, 'X-Total-Count': { schema: { type: 'integer' } } };
  const find = { parameters, responses: { 200: { description: '', ...json(list(kite)), headers } } };
  const { call, send } = await served(kites(kite, { find }));
  for (const name of ['a', 'b', 'c']) await call('POST /kites', { name });
  const response = await send(`GET /kites?${encodeURI(query)}`);
  expect([await response.json(), response.headers.get('x-total-count')]).toMatchObject([[{ name: 'a' }], '3']);
  expect(response.headers.get('link')).toContain('rel="prev"');
});

test('a list says that it is at its end, and where it continues', async () => {
  const kite = object({ id: text, name: text }, ['id']);
  const page = object({ data: list(kite), iterator: { type: ['string', 'null'] }, done: { type: 'boolean' } }, [
    'data',
    'done',
  ]);
  const parameters = ['iterator', 'limit'].map((name) => ({
    name,
    in: 'query',
    schema: name === 'limit' ? { type: 'integer' } : text,
  }));
  const { call } = await served(kites(kite, { find: { parameters, ...returns(page) } }));
  for (const name of ['a', 'b', 'c']) await call('POST /kites', { name });
  const first = (await call('GET /kites?limit=2')).body;
  expect(first).toMatchObject({ done: false, data: [{ name: 'c' }, { name: 'b' }] });
  const rest = (await call(`GET /kites?limit=2&iterator=${String(first['iterator'])}`)).body;
  expect(rest).toMatchObject({ done: true, data: [{ name: 'a' }] });
});

test.each([
  [['integer', 'null'], null],
  ['integer', 0],
])('a client that follows the next page of a list ends: %s', async (type, none) => {
  const kite = object({ id: text, name: text }, ['id']);
  const meta = object({ page: { type: 'integer' }, next_page: { type }, prev_page: { type } }, ['page', 'next_page']);
  const parameters = ['page', 'per_page'].map((name) => ({ name, in: 'query', schema: { type: 'integer' } }));
  const find = { parameters, ...returns(object({ kites: list(kite), meta }, ['kites', 'meta'])) };
  const { call } = await served(kites(kite, { find }));
  for (const name of ['a', 'b', 'c']) await call('POST /kites', { name });
  const pages = [1, 2].map((page) => call(`GET /kites?page=${page}&per_page=2`));
  expect((await Promise.all(pages)).map(({ body }) => body['meta'])).toEqual([
    { page: 1, next_page: 2, prev_page: none },
    { page: 2, next_page: none, prev_page: 1 },
  ]);
});

test("the names of a vendor's client are used where the document has none", () => {
  const client = folderOfTest();
  writeFileSync(
    join(client, 'index.d.ts'),
    `export interface Kite {
      /** @example kt_7UhSN1zuXS */
      readonly id: string;
    }
    export type KiteErrorCode = 'resource_missing' | 'invalid_auth';`,
  );
  const kite = object({ id: text, name: text }, ['id']);
  const { files } = importDocument(kites(kite), 'kites', undefined, clientNames(client));
  expect(files['resources/kite.yaml']).toContain('prefix: kt_');
  expect(files['errors.yaml']).toContain('resource_missing');
  expect(importDocument(kites(kite), 'kites').files['errors.yaml']).not.toContain('resource_missing');
});

test('an operation declares what it keeps; the facts check everything else, and a repeated list of values is a type', async () => {
  const colour = { type: 'string', enum: ['red', 'blue', 'green', 'white', 'black'] };
  const sent = object(
    { name: text, colour, lines: { ...list(text), maxItems: 2 }, wind: { type: 'integer', minimum: 1, maximum: 12 } },
    ['name'],
  );
  const kite = object({ id: text, name: text, colour, lines: list(text) }, ['id', 'name', 'lines']);
  const { call, pack } = await served(kites(kite, { create: { requestBody: json(sent) } }));
  expect(pack.files['resources/kite.yaml']).toContain('params: { name!, colour, lines }\n');
  expect(pack.files['types.yaml']).toBe('colour: { enum: [red, blue, green, white, black] }\n');
  const name = 'Delta';
  const made = await call('POST /kites', { name, colour: 'red', lines: ['a'], wind: 5 });
  expect([made.status, made.body['colour'], made.headers.get('x-mock-unsupported')]).toEqual([
    201,
    'red',
    'parameter wind',
  ]);
  for (const wrong of [{ wind: 13 }, { lines: ['a', 'b', 'c'] }, { colour: 'pink' }, { name: 7 }])
    expect((await call('POST /kites', { name, ...wrong })).status).toBe(400);
});

test('a body in a wrapper becomes fields in one step; an id that the vendor replaces is not the key', async () => {
  const kite = object({ id: text, name: text, note: text }, ['id', 'name']);
  const body = object({ kite: object({ id: text, name: text, note: text }, ['id', 'name']) }, ['kite']);
  const wrapped = returns(object({ kite }), 201);
  const example = { value: { kite: { id: '#one', name: 'Delta' } } };
  const shown = { value: { kite: { id: 'kte_12345678', name: 'Delta' } } };
  const create = {
    requestBody: { content: { 'application/json': { schema: body, examples: { one: example } } } },
    responses: {
      201: {
        description: '',
        content: { 'application/json': { schema: object({ kite }), examples: { one: shown } } },
      },
    },
  };
  const paths = { '/kites/{id}': { parameters: [id], get: wrapped, put: { requestBody: json(body), ...wrapped } } };
  const { call, pack } = await served(kites(kite, { create, paths }));
  expect(pack.files['resources/kite.yaml']).toContain('do: [{ create: kite, from: params.kite }]');
  const made = (await call('POST /kites', { kite: { id: '#one', name: 'Box', note: 'high' } })).body['kite'];
  expect(made).toMatchObject({ id: expect.stringMatching(/^kte_/) as string, name: 'Box', note: 'high' });
});
