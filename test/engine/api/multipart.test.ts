import { type Body } from '../../support/http.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** Uploads as programs send them: `FormData` by fetch, and bodies that are broken. */

const sandbox = startSandbox({
  'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
encoding: { requests: [json, form, multipart], other_types: true }
`,
  'resources/scan.yaml': `resource: scan
collection: scans
path: /scans
id: { prefix: "", format: short }
fields: { title: string?, file: map, tags: { type: array, items: string } }
operations:
  create:
    params:
      title: string
      pages: integer
      file: { type: object, required: true, fields: { name: string, type: string, size: integer, base64: string } }
      tags: { type: array, items: string }
  nest:
    route: POST /scans/nested
    params:
      file: { type: map, required: true }
      keep: { type: object, fields: { for: { type: object, fields: { unit: string, count: integer } } } }
      more: { type: array, items: { type: object, fields: { scan: { type: map }, note: string } } }
    return: { keep: "\${params.keep}", more: "\${params.more}" }
  bytes: { route: "GET /scans/{id}/bytes", content: { type: application/octet-stream, base64: "\${self.file.base64}" } }
`,
  'resources/photo.yaml': `resource: photo
collection: photos
path: /photos
id: { prefix: "p", format: short }
requests: multipart
fields: { title: string }
operations: { create: { params: { title: { type: string, required: true } } } }
`,
});

const post = (sent: FormData | string, type?: string, path = '/scans'): Promise<[number, Body]> =>
  sandbox.result(`POST ${path}`, sent, type === undefined ? {} : { 'content-type': type });

function form(parts: readonly (readonly [string, string | Blob, string?])[]): FormData {
  const made = new FormData();
  for (const [name, value, file] of parts)
    if (typeof value === 'string') made.append(name, value);
    else made.append(name, value, file);
  return made;
}

test('a file is its name, type, size and bytes, which come back as they were', async () => {
  const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 128]);
  const file = new Blob([bytes], { type: 'image/gif' });
  const [status, made] = await post(
    form([
      ['title', 'Ünïcode'],
      ['pages', '2'],
      ['tags[]', 'a'],
      ['tags[]', 'b'],
      ['file', file, 'dot.gif'],
    ]),
  );
  expect([status, made]).toMatchObject([
    200,
    {
      title: 'Ünïcode',
      tags: ['a', 'b'],
      file: { name: 'dot.gif', type: 'image/gif', size: 7, base64: bytes.toString('base64') },
    },
  ]);
  const answer = await sandbox.send(`GET /scans/${String(made['id'])}/bytes`);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
});

test('names nest as those of a form do', async () => {
  const file = new Blob(['x'], { type: 'text/plain' });
  const parts = [
    ['file', file, 'x.txt'],
    ['keep[for][unit]', 'day'],
    ['keep[for][count]', '3'],
    ['more[0][scan]', file, 'y.txt'],
    ['more[1][note]', 'z'],
  ] as const;
  const [status, made] = await post(form(parts), undefined, '/scans/nested');
  expect([status, made]).toEqual([
    200,
    {
      keep: { for: { unit: 'day', count: 3 } },
      more: [{ scan: { name: 'y.txt', type: 'text/plain', size: 1, base64: 'eA==' } }, { note: 'z' }],
    },
  ]);
  expect(
    (
      await post(
        form([
          ['file', file],
          ['keep', 'a'],
          ['keep[for]', 'b'],
        ]),
        undefined,
        '/scans/nested',
      )
    )[0],
  ).toBe(400);
});

test('one encoding does not shut out the others, and other types are read as the first', async () => {
  const file = { name: 'a', type: 'text/plain', size: 1, base64: 'YQ==' };
  for (const type of ['application/json', 'text/plain'])
    expect((await post(JSON.stringify({ file, tags: [] }), type))[0]).toBe(200);
  const text = 'file[name]=a&file[type]=b&file[size]=1&file[base64]=YQ%3D%3D&tags[]=x';
  expect((await post(text, 'application/x-www-form-urlencoded'))[0]).toBe(200);
});

test.each([
  ['a text where a file belongs', form([['file', 'text']]), undefined],
  ['no boundary', 'x', 'multipart/form-data'],
  [
    'parts that never end',
    '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nx',
    'multipart/form-data; boundary=b',
  ],
  ['a forbidden name', form([['__proto__', 'x']]), undefined],
  ['too many parts', form(Array.from({ length: 1200 }, (_, n) => [`p${n}`, 'x'] as const)), undefined],
])('%s is refused', async (_, body, type) => {
  expect((await post(body, type))[0]).toBe(400);
});

test('a resource takes its own encoding only', async () => {
  expect(await post(form([['title', 'Dot']]), undefined, '/photos')).toMatchObject([200, { title: 'Dot' }]);
  for (const [type, text] of [
    ['application/json', '{"title": "Dot"}'],
    ['application/x-www-form-urlencoded', 'title=Dot'],
  ])
    expect((await post(text, type, '/photos'))[0]).toBe(400);
});
