import { Contract, Document } from '../../tools/openapi/index.js';
import { readCurl } from '../../tools/openapi/curl.js';
import { isUsable, type Score, scoreOf } from '../../tools/openapi/score.js';
import type { TestSandbox } from '../support/start-sandbox.js';
import { json } from './described.js';
import { importInto, useFolders } from './imported.js';

const serveFolder = useFolders();

const BOAT = { id: 'boat_abc123', object: 'boat', name: 'Ida', status: 'queued', crew: [{ name: 'Ann' }], sails: 3 };
const SCHEMA = {
  type: 'object',
  required: ['id', 'object', 'name', 'status', 'crew'],
  properties: {
    id: { type: 'string' },
    object: { type: 'string' },
    name: { type: 'string' },
    status: { type: 'string', enum: ['sunk', 'queued', 'afloat'] },
    crew: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
    sails: { type: 'integer' },
    cargo_count: { type: 'integer' },
  },
};

/** A document whose only resource is boats. */
function boats(extra: object = {}, response: unknown = BOAT): Document {
  const root = {
    openapi: '3.1.0',
    info: { title: 'Boats', version: '1' },
    paths: {
      '/boats': {
        post: {
          requestBody: json(
            { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
            { name: 'Ida' },
          ),
          responses: { 200: { description: '', ...json(SCHEMA, response) } },
          ...extra,
        },
      },
      '/boats/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { responses: { 200: { description: '', ...json(SCHEMA) } } },
      },
    },
  };
  return new Document(root, root);
}

const served = (document: Document): Promise<TestSandbox> => serveFolder(importInto(document, 'boats').folder);

const scored = async (packed: Document, asked = packed): Promise<Score> =>
  scoreOf(await served(packed), new Contract(asked));

test('a new object has the values, the state and the prefix of ids of the example, and what was sent', async () => {
  const sandbox = await served(boats());
  const made = await sandbox.call('POST /boats', { name: 'Eva' });
  expect(made).toMatchObject({ status: 200, body: { ...BOAT, name: 'Eva', id: expect.stringMatching(/^boat_/) } });
});

test('an import holds what its own example shows', async () => {
  const { examples } = await scored(boats());
  expect(examples).toMatchObject([{ example: 'POST /boats (example)', stateful: true }]);
  expect(examples[0].aspects).toEqual({ status: null, keys: null, lists: null, echo: null, prefix: null, state: null });
});

test.each([
  ['keys', { ...BOAT, owner: { name: 'Ann' } }, 'owner is missing'],
  ['keys', { ...BOAT, sails: 'three' }, 'sails is number, not string'],
  ['prefix', { ...BOAT, id: 'ship_abc123' }, /^id is "boat_.*, not ship_\.\.\.$/],
  ['state', { ...BOAT, status: 'afloat' }, 'status is "queued", not afloat'],
])('a response that lacks what the example shows is a miss of its %s', async (aspect, example, reason) => {
  const { examples } = await scored(boats(), boats({}, example));
  expect(examples.filter(isUsable)).toEqual([]);
  expect(examples[0].aspects).toMatchObject({
    [aspect]: typeof reason === 'string' ? reason : expect.stringMatching(reason),
  });
});

test('a status that the example does not have is a miss', async () => {
  const other = boats({ responses: { 201: { description: '', ...json(SCHEMA, BOAT) } } });
  const { examples } = await scored(boats(), other);
  expect(examples[0].aspects.status).toMatch(/^200 .*, not 201$/);
});

test('examples in lines of curl are read', () => {
  const line = `curl "https://api.boats.test/v1/boats?limit=2" \\\n  -H "Authorization: Bearer $KEY" \\\n  -d '{"name": "Ann'\\''s"}'`;
  expect(readCurl(line)).toEqual({ path: '/v1/boats', query: 'limit=2', data: `{"name": "Ann's"}`, parts: [] });
  expect(readCurl('curl https://api.boats.test/files -F purpose=log -F file=@a.txt')).toMatchObject({
    path: '/files',
    parts: [
      ['purpose', 'log'],
      ['file', '@a.txt'],
    ],
  });
  expect(readCurl('wget https://api.boats.test/')).toBeUndefined();
});

test('examples of an extension with lines and texts count like the others', async () => {
  const extension = {
    'x-shown': {
      examples: [
        {
          title: 'Two',
          request: { curl: `curl https://api.boats.test/boats -d '{"name": "Two"}'` },
          response: `${JSON.stringify({ ...BOAT, name: 'Two' }).slice(0, -1)},\n}`,
        },
      ],
    },
  };
  const { examples } = await scored(boats(extension));
  expect(examples.map(({ example }) => example)).toEqual(['POST /boats (example)', 'POST /boats (Two)']);
  expect(examples.every(isUsable)).toBe(true);
});
