import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Contract, Document, readDocument } from '../../tools/openapi/index.js';
import { missesOf, useOf } from '../../tools/openapi/use/index.js';
import { documentOf, json, object } from './described.js';
import { importInto, useFolders } from './imported.js';

/** Ways in which documents describe their objects: the usual calls of each work, without anything that a person adds. */

const serveFolder = useFolders();
const text = { type: 'string' };
const texts = { type: 'array', items: text };
const returns = (schema: object, status = 200, example?: unknown): object => ({
  [status]: { description: '', ...json(schema, example) },
});

interface Kites {
  readonly sent: object;
  readonly one: object;
  readonly all?: object;
  readonly created?: object;
  readonly error?: object;
  readonly key?: string;
  readonly change?: object;
}

const resource = (more: object = {}): object =>
  object(
    {
      data: object({ type: { const: 'kite' }, ...more, attributes: object({ name: text, colour: text }, ['name']) }, [
        'type',
        'attributes',
        ...Object.keys(more),
      ]),
    },
    ['data'],
  );

/** A document with the usual calls of kites. */
function kites({
  sent,
  one,
  all = { type: 'array', items: one },
  created = returns(one, 201),
  error = {},
  key = 'kite_id',
  change = sent,
}: Kites): Document {
  return documentOf({
    '/kites': {
      post: { requestBody: json(sent), responses: { ...created, ...error } },
      get: { responses: { ...returns(all), ...error } },
    },
    [`/kites/{${key}}`]: {
      parameters: [{ name: key, in: 'path', required: true, schema: text }],
      get: { responses: { ...returns(one), ...error } },
      put: { requestBody: json(change), responses: { ...returns(one), ...error } },
      delete: { responses: { 204: { description: '' }, ...error } },
    },
  });
}

const kite = object({ id: text, name: text }, ['id', 'name']);
const named = object({ name: text }, ['name']);
const created_at = (example: unknown, type = 'string'): object =>
  object({ id: text, name: text, created_at: { type, example } }, ['id']);

const CLASSES: readonly (readonly [string, Kites])[] = [
  [
    'errors beside the object',
    { sent: named, one: object({ kite, errors: { type: 'array', items: object({ code: text, detail: text }) } }) },
  ],
  [
    'an object and several of it as alternatives',
    {
      sent: named,
      one: object({ kite }),
      created: returns({ oneOf: [object({ kite }), object({ kites: { type: 'array', items: kite } })] }, 201),
    },
  ],
  [
    'alternatives with a discriminator',
    {
      sent: {
        oneOf: [
          object({ kind: { const: 'box' }, name: text, cells: text }, ['kind', 'name']),
          object({ kind: { const: 'delta' }, name: text }, ['kind', 'name']),
        ],
      },
      one: {
        oneOf: [
          object({ id: text, kind: { const: 'box' }, name: text, cells: text }, ['id', 'kind']),
          object({ id: text, kind: { const: 'delta' }, name: text }, ['id', 'kind']),
        ],
      },
    },
  ],
  [
    'a name that is the key',
    {
      key: 'kite_name',
      sent: object({ name: text, colour: text }),
      one: object({ kite: object({ name: text, colour: text }) }),
    },
  ],
  [
    'a text or a list of texts',
    {
      sent: object({ name: text, lines: { oneOf: [text, texts] } }, ['name']),
      one: object({ id: text, name: text, lines: texts }, ['id', 'lines']),
    },
  ],
  ['times with a space', { sent: named, one: created_at('2023-04-03 22:13:42.674981+00') }],
  ['times in seconds', { sent: named, one: created_at(1680000000, 'integer') }],
  ['times in seconds and parts of them', { sent: named, one: created_at(1680000000.123, 'number') }],
  ['times of another form', { sent: named, one: created_at('/Date(1680000000000+0000)/') }],
  [
    'a list with its kind and its total',
    {
      sent: named,
      one: kite,
      all: object({
        object: { ...text, example: 'list' },
        data: { type: 'array', items: kite },
        meta: object({ total: { type: 'integer' } }),
      }),
    },
  ],
  [
    'errors in a list, by status',
    {
      sent: named,
      one: kite,
      error: Object.assign(
        {},
        ...[401, 404, 422].map((status) =>
          returns(
            object(
              {
                errors: {
                  type: 'array',
                  items: object({ status: text, title: text, detail: text }, ['title', 'detail']),
                },
              },
              ['errors'],
            ),
            status,
          ),
        ),
      ) as object,
    },
  ],
  [
    'an example for each error',
    {
      sent: named,
      one: kite,
      error: {
        ...returns(object({ id: text, message: text }, ['id', 'message']), 404, {
          id: 'no_kite',
          message: 'No such kite.',
        }),
        default: { description: '', ...json(object({ id: text, message: text }, ['id', 'message'])) },
      },
    },
  ],
  [
    'one schema for both ways',
    {
      sent: { allOf: [object({ id: { ...text, readOnly: true }, name: text }), { required: ['id', 'name'] }] },
      one: { allOf: [object({ id: { ...text, readOnly: true }, name: text }), { required: ['id', 'name'] }] },
    },
  ],
  [
    'a body whose object is in attributes',
    {
      sent: resource(),
      one: resource({ id: text }),
      all: object({
        data: { type: 'array', items: object({ id: text, type: text, attributes: object({ name: text }) }) },
      }),
    },
  ],
  [
    'a secret beside the object',
    { sent: named, one: object({ kite }), created: returns(object({ kite, access: object({ value: text }) }), 201) },
  ],
  [
    'an object beside the work that it makes',
    {
      sent: named,
      one: object({ kite }),
      created: returns(
        object({
          task: object({ id: text, command: text }),
          kite,
          next_tasks: { type: 'array', items: object({ id: text, command: text }) },
        }),
        201,
      ),
    },
  ],
  [
    'what a creation returns requires what it was sent',
    { sent: named, one: object({ kite: object({ id: text, name: text }) }), created: returns(object({ kite }), 202) },
  ],
  [
    'an id whose name is longer than in the path',
    { key: 'box_uuid', sent: named, one: object({ kite: object({ kite_box_uuid: text, name: text }) }) },
  ],
  [
    'an object in a list of one',
    {
      sent: object({ kites: { type: 'array', items: named } }),
      one: object({ kites: { type: 'array', items: kite } }),
      all: object({ kites: { type: 'array', items: kite } }),
    },
  ],
  [
    'a body that is a list',
    {
      sent: { type: 'array', items: named },
      one: kite,
      created: returns({ type: 'array', items: kite }, 201),
      change: named,
    },
  ],
  ['a creation that returns nothing', { sent: named, one: kite, created: { 201: { description: '' } } }],
];

test.each(CLASSES)('%s', async (_, described) => {
  const document = kites(described);
  const report = await useOf(await serveFolder(importInto(document, 'kites').folder), new Contract(document));
  expect(missesOf(report)).toEqual([]);
  expect(report.measured).toBeGreaterThanOrEqual(7);
});

test('what is there once is read and changed, for each parent, with errors of the form and the status that each call documents', async () => {
  const [first, other] = [object({ message: text }, ['message']), object({ detail: text }, ['detail'])];
  const wind = object({ id: text, speed: { type: 'integer', example: 3 }, unit: text }, ['id', 'speed']);
  const change = object({ speed: { type: 'integer' }, unit: text }, ['speed']);
  const { root } = kites({ sent: named, one: kite, error: { ...returns(first, 400), ...returns(first, 404) } });
  const refused = { ...returns(other, 422) };
  const document = documentOf({
    ...(root['paths'] as object),
    '/wind': {
      get: { responses: returns(wind) },
      put: { requestBody: json(change), responses: { ...returns(wind), ...refused } },
    },
    '/kites/{kite_id}/wind': {
      parameters: [{ name: 'kite_id', in: 'path', required: true, schema: text }],
      get: { responses: returns(wind) },
      patch: { requestBody: json(change), responses: { ...returns(wind), ...refused } },
    },
  });
  const { folder, pack } = importInto(document, 'kites');
  expect(pack.operations.stubs).toBe(0);
  const served = await serveFolder(folder);
  expect(missesOf(await useOf(served, new Contract(document)))).toEqual([]);
  const { call } = served;
  const made = [(await call('POST /kites', { name: 'Ida' })).body, (await call('POST /kites', { name: 'Ada' })).body];
  const [one, two] = made.map(({ id }) => `/kites/${String(id)}/wind`);
  await call(`PATCH ${one}`, { speed: 9 });
  expect((await call(`GET ${one}`)).body).toMatchObject({ speed: 9 });
  expect((await call(`GET ${two}`)).body).toMatchObject({ speed: 3 });
  expect(await call('GET /kites/none/wind')).toMatchObject({ status: 404 });
  expect(await call('PUT /wind', {})).toMatchObject({ status: 422, body: { detail: 'speed is required.' } });
  expect(await call('POST /kites', {})).toMatchObject({ status: 400, body: { message: 'name is required.' } });
});

test('bodies that the document only shows are objects like others', async () => {
  const shown = { id: 'kite_1', name: 'Ida', tail: null };
  const { root } = kites({ sent: named, one: kite });
  const text = JSON.stringify(root['paths']).replaceAll(
    `"schema":${JSON.stringify(kite)}`,
    `"example":${JSON.stringify(shown)}`,
  );
  const document = new Document({ ...root, paths: JSON.parse(text) as object }, root);
  const report = await useOf(await serveFolder(importInto(document, 'kites').folder), new Contract(document));
  expect(missesOf(report)).toEqual([]);
  expect(report.resources[0].calls).toMatchObject({ create: null, read: null, delete: null, gone: null });
});

test('a secret is returned once, by the call that makes the object', async () => {
  const document = kites({
    sent: named,
    one: kite,
    created: returns(object({ id: text, secret: text }, ['id', 'secret']), 201),
  });
  const { call } = await serveFolder(importInto(document, 'kites').folder);
  const { body } = await call('POST /kites', { name: 'Ida' });
  expect(body).toEqual({ id: expect.any(String) as string, secret: expect.stringMatching(/^\w{32}$/) as string });
  expect((await call(`GET /kites/${String(body['id'])}`)).body).toEqual({ id: body['id'], name: 'Ida' });
});

test('an error has the example of its status, and names the parameter that is wrong', async () => {
  const [, described] = CLASSES.find(([name]) => name.startsWith('an example for each')) ?? CLASSES[0];
  const { call } = await serveFolder(importInto(kites(described), 'kites').folder);
  expect(await call('GET /kites/none')).toMatchObject({
    status: 404,
    body: { id: 'no_kite', message: 'No such kite.' },
  });
  expect((await call('POST /kites', {})).body).toMatchObject({ message: 'name is required.' });
});

test('references in examples are data, and one that leads nowhere is a warning with its place', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kites-'));
  const { root } = kites({
    sent: object({ name: text, tail: { $ref: '#/components/schemas/Gone' } }, ['name']),
    one: kite,
  });
  const shown = { example: { $ref: 'https://kites.test/schema.json' }, 'x-more': { $ref: '../none.yaml' } };
  const other = { example: { $ref: '#/components/examples/One' } };
  writeFileSync(
    join(folder, 'kites.json'),
    JSON.stringify({
      ...root,
      components: {
        ...(root['components'] as object),
        examples: { One: { value: { id: 'kite_1' } } },
        schemas: { Shown: { type: 'object', ...shown }, Other: { type: 'object', ...other } },
      },
    }),
  );
  const document = await readDocument(join(folder, 'kites.json'));
  rmSync(folder, { recursive: true });
  expect(document.warnings).toEqual([
    'kites.json #/paths//kites/post/requestBody/content/application/json/schema/properties/tail: #/components/schemas/Gone leads nowhere; anything is accepted there',
    expect.stringContaining('/put/') as string,
  ]);
  expect(document.find('#/components/schemas/Shown')).toMatchObject(shown);
  expect(document.find('#/components/schemas/Other')).toMatchObject({ example: { id: 'kite_1' } });
  expect(importInto(document, 'kites').pack.operations).toMatchObject({ stateful: 5 });
});
