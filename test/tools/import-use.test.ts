import { Contract, Document } from '../../tools/openapi/index.js';
import { missesOf, proportion, useOf, type UseReport } from '../../tools/openapi/use/index.js';
import { documentOf, json } from './described.js';
import { importInto, useFolders } from './imported.js';

/** The score of usual calls: what works is what a client gets back, not what the document's examples show. */

const serveFolder = useFolders();
const text = { type: 'string' };
const ERROR = { type: 'object', required: ['message'], properties: { message: text } };
const KITE = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: text, name: text, colour: text, created_at: { ...text, format: 'date-time' } },
};
const rejection = { description: '', ...json(ERROR) };

function kites(response: object = KITE, shown: unknown = { id: 'kite_1', name: 'Ida', colour: 'red' }): Document {
  return documentOf({
    '/kites': {
      post: {
        requestBody: json(
          { type: 'object', required: ['name'], properties: { name: text, colour: text } },
          { name: 'Ida', colour: 'red' },
        ),
        responses: { 201: { description: '', ...json(response, shown ?? undefined) }, '4XX': rejection },
      },
      get: { responses: { 200: { description: '', ...json({ type: 'array', items: KITE }) }, '4XX': rejection } },
    },
    '/kites/{kite_id}': {
      parameters: [{ name: 'kite_id', in: 'path', required: true, schema: text }],
      get: { responses: { 200: { description: '', ...json(KITE) }, '4XX': rejection } },
      patch: {
        requestBody: json({ type: 'object', properties: { name: text } }),
        responses: { 200: { description: '', ...json(KITE) }, '4XX': rejection },
      },
      delete: { responses: { 204: { description: '' }, '4XX': rejection } },
    },
  });
}

async function used(packed: Document, asked = packed): Promise<UseReport> {
  return useOf(await serveFolder(importInto(packed, 'kites').folder), new Contract(asked));
}

test('the ten usual calls of a resource work, with values other than the examples', async () => {
  const report = await used(kites());
  expect(missesOf(report)).toEqual([]);
  expect(Object.keys(report.resources[0].calls)).toEqual([
    'create',
    'read',
    'list',
    'change',
    'changed',
    'missing',
    'key',
    'unknown',
    'delete',
    'gone',
  ]);
  expect(proportion(report.works, report.measured)).toBe('10 of 10 (100 %)');
});

/** A document whose only call returns the same every time. */
const stubs = (document: Document): Document => {
  const { '/kites': all } = document.root['paths'] as Record<string, Record<string, unknown>>;
  return new Document({ ...document.root, paths: { '/kites': { post: all['post'] } } }, document.root);
};

test('a pack that returns the examples every time holds nothing of what was sent', async () => {
  const { resources } = await used(stubs(kites()), kites());
  expect(resources[0].calls).toMatchObject({
    create: expect.stringMatching(/name is "Ida", not "Juniper \d+"/) as string,
    read: 'two objects have the id kite_1',
    list: 'two objects have the id kite_1',
    delete: 'two objects have the id kite_1',
    gone: 'it could not be deleted',
  });
});

test('what the document has no calls for is not measured', async () => {
  const root = {
    ...kites().root,
    paths: { '/wind': { get: { responses: { 200: { description: '', ...json(KITE) } } } } },
  };
  const { works, measured } = await used(new Document(root, root));
  expect([works, measured, proportion(works, measured)]).toEqual([0, 0, 'not measured']);
});

test('an error in another form than the documented is a miss', async () => {
  const form = { type: 'object', required: ['code', 'fault'], properties: { code: { type: 'integer' }, fault: text } };
  const other = JSON.parse(
    JSON.stringify(kites().root).replaceAll(JSON.stringify(ERROR), JSON.stringify(form)),
  ) as Document['root'];
  const { resources } = await used(kites(), new Document(other, other));
  expect(resources[0].calls).toMatchObject({
    create: null,
    missing: expect.stringMatching(/without name: .* isn't the document's error/) as string,
    key: expect.stringMatching(/with a wrong key: .* isn't the document's error/) as string,
    unknown: expect.stringMatching(/with an unknown id: .* isn't the document's error/) as string,
  });
});

test('members that the document shows or that only a creation has are demanded', async () => {
  const secret = { type: 'object', properties: { id: text, token: text } };
  const { resources } = await used(kites(), kites(secret, null));
  expect(resources[0].calls).toMatchObject({ create: 'POST /kites: token is missing', read: null });
});
