import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, loadPack, type Sandbox, type SandboxOptions } from '../../engine/index.js';
import { writeFiles } from '../../tools/commands/init-pack.js';
import { runExamples } from '../../tools/examples/index.js';
import { importDocument, readDocument } from '../../tools/openapi/index.js';
import { overlaidPack, removeOverlaid } from '../support/overlaid-pack.js';
import { runCommand } from '../support/command.js';
import { ROOT } from '../support/root.js';

/**
 * What a study of authors found (issue 19): each finding as it was seen then, over the pack that `sandbox init-pack` makes. D3, the
 * cycle that never ends, stands in test/engine/hostile.test.ts; V1 and V2, what the validator tells, in test/engine/compile/hints.test.ts.
 */

afterAll(removeOverlaid);

interface Finding {
  readonly id: string;
  readonly what: string;
  readonly blocks: readonly string[];
}

const CALLS: readonly Finding[] = [
  {
    id: 'D1',
    what: 'a bare list has what is there',
    blocks: [
      '# pack.yaml\nlists: { envelope: "${data}" }',
      `# calls
- { call: POST /v1/parcels, json: { grams: 1, to: Oslo } }
- { call: GET /v1/parcels, expect: { body: [{ grams: 1, to: Oslo }] } }`,
    ],
  },
  {
    id: 'D2',
    what: 'an id that an object has cannot be given again, nor one that is none, also without errors of their own',
    blocks: [
      `# resources/parcel.yaml
operations:
  create: { params: { name: { type: string, required: true } }, do: [{ create: parcel, id: "\${params.name}", with: { grams: 1, to: Oslo } }] }
  delete: {}`,
      `# calls
- { call: POST /v1/parcels, json: { name: pcl_aaaaaaaaaaaaaaaa }, expect: { status: 200 } }
- { call: POST /v1/parcels, json: { name: pcl_aaaaaaaaaaaaaaaa }, expect: { status: 400, body: { error: { param: id } } } }
- { call: POST /v1/parcels, json: { name: pcl_not an id at all }, expect: { status: 400, body: { error: { param: id } } } }
- { call: GET /v1/parcels, expect: { body: { data: [{ id: pcl_aaaaaaaaaaaaaaaa }] } } }
- { call: DELETE /v1/parcels/pcl_aaaaaaaaaaaaaaaa }
- { call: GET /v1/parcels, expect: { body: { data: [] } } }`,
    ],
  },
  {
    id: 'D5',
    what: 'the header of request ids may have a variable in its name',
    blocks: [
      `# pack.yaml
vars: { Vendor: Shop }
request_id: { prefix: req_, header: "X-\${vars.Vendor}-Request-Id" }`,
      `# calls
- { call: GET /v1/parcels, expect: { status: 200, headers: { X-Shop-Request-Id: "\${it.startsWith('req_')}" } } }`,
    ],
  },
  {
    id: 'D7',
    what: 'an answer without a body says nothing of one',
    blocks: [
      '# resources/parcel.yaml\noperations: { delete: { status: 204 } }',
      `# calls
- { call: POST /v1/parcels, json: { grams: 1, to: Oslo }, save: { parcel: id } }
- call: DELETE /v1/parcels/\${parcel}
  expect: { status: 204, body: null, headers: { Content-Length: "\${it == null}", Content-Type: "\${it == null}" } }`,
    ],
  },
  {
    id: 'D9',
    what: 'the default update is a PATCH',
    blocks: [
      '# resources/parcel.yaml\noperations: { update: { params: { note: string } } }',
      `# calls
- { call: POST /v1/parcels, json: { grams: 1, to: Oslo }, save: { parcel: id } }
- { call: "PATCH /v1/parcels/\${parcel}", json: { note: soon }, expect: { body: { note: soon } } }
- { call: "POST /v1/parcels/\${parcel}", json: { note: soon }, expect: { status: 404 } }`,
    ],
  },
];

test.each(CALLS)('$id: $what', async ({ blocks, what }) => {
  const { problems, source } = loadPack(overlaidPack(blocks, what));
  const unexpected = problems.filter(({ severity }) => severity === 'error');
  expect(unexpected).toEqual([]);
  const { problems: differences, calls } = await runExamples(source);
  expect(differences.map(({ line, message }) => `${line} ${message}`)).toEqual([]);
  expect(calls).toBeGreaterThan(0);
});

/** Wherever the items of a list stand in its envelope; a list and one parcel of 7 g. */
test.each([
  ['"${data}"', '[{ grams: 7 }]'],
  ['["${data}"]', '[[{ grams: 7 }]]'],
  ['{ result: { items: "${data}" } }', '{ result: { items: [{ grams: 7 }] } }'],
  ['{ "${collection}": "${data}", first: "${first(data)}" }', '{ parcels: [{ grams: 7 }], first: { grams: 7 } }'],
  ['"${data.map(each, each.grams)}"', '[7]'],
  ["\"${{'count': size(data), 'all': data}}\"", '{ count: 1, all: [{ grams: 7 }] }'],
  ['{ text: "${size(data)} of ${total_count}" }', '{ text: 1 of 1 }'],
])('D1: the envelope %s', async (envelope, body) => {
  const blocks = [
    `# pack.yaml\nlists: { envelope: ${envelope}, size: { param: limit, default: 20, max: 100 } }`,
    `# calls\n- { call: POST /v1/parcels, json: { grams: 7, to: Oslo } }\n- { call: GET /v1/parcels, expect: { body: ${body} } }`,
  ];
  const { problems, source } = loadPack(overlaidPack(blocks, 'a list'));
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { problems: differences } = await runExamples(source);
  expect(differences.map(({ line, message }) => `${line} ${message}`)).toEqual([]);
});

/** What is wrong, and what the validator has to say of it; the place is the file that the block is laid over. */
const TOLD: readonly (readonly [id: string, block: string, says: string])[] = [
  ['D5', '# pack.yaml\nrequest_id: { prefix: req_, header: "X-${vars.nope}-Id" }', 'nope'],
  ['D5', '# pack.yaml\nidempotency: { header: "Idem ${vars.nope}" }', 'nope'],
  ['D5', '# pack.yaml\nidempotency: { header: Idem, replayed_header: X Y }', 'X Y'],
  ['D6', '# pack.yaml\nheaders: { X-A: "${nonsense}" }', 'nonsense'],
  ['D6', '# pack.yaml\nheaders: { X-A: "${unknown_fn(1)}" }', 'unknown_fn'],
  ['D6', '# pack.yaml\nheaders: { X-A: "${foo.bar+1}" }', 'foo'],
  ['D8', '# resources/parcel.yaml\noperations: { eat: { route: "POST /v1/parcels/{id}/eat/{id}" } }', '{id}'],
  [
    'V2',
    '# resources/parcel.yaml\nmachine: { initial: ready, states: { ready: { after: { 2d: gone } }, gone: {} } }',
    'durations',
  ],
  [
    'V2',
    '# resources/parcel.yaml\nflows: { f: { args: { one: parcel }, do: [] } }\noperations: { eat: { do: [{ run: f, with: { one: self } }] } }',
    '${self}',
  ],
  ['V2', '# resources/parcel.yaml\noperations: { eat: { xyzzy: 1 } }', 'route'],
  ['V2', '# resources/parcel.yaml\nfields: { stops: list }', 'array'],
  ['V2', '# resources/parcel.yaml\nfields: { due: datetime }', 'timestamp'],
  [
    'V3',
    '# resources/parcel.yaml\nfields: { due: { type: string, default: "${format_time(now, \'YYYY-QQ\')}" } }',
    'QQ',
  ],
];

test.each(TOLD)('%s: %s', (_id, block, says) => {
  const { problems } = loadPack(overlaidPack([block], ''));
  const file = /^# (\S+)/.exec(block)?.[1];
  const text = problems
    .filter((each) => each.file === file)
    .map(({ message, suggestion }) => `${message} ${suggestion ?? ''}`);
  expect(text).toContainEqual(expect.stringContaining(says));
});

test('V3: events that no world ever makes are told, and fail a strict run', async () => {
  const folder = overlaidPack([], '');
  const pack = readFileSync(join(folder, 'pack.yaml'), 'utf8');
  writeFileSync(join(folder, 'pack.yaml'), pack.replace(/^(?:events|delivery):\n(?: .*\n)+/gm, ''));
  const { code, stdout, stderr } = await runCommand(['validate-pack', folder, '--strict']);
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('no event is ever made');
});

/** A pack that is served, and calls of it. */
async function serving(
  folder: string,
  use: (sandbox: Sandbox, call: (line: string, json?: object) => Promise<Record<string, unknown>>) => Promise<void>,
): Promise<void> {
  const sandbox = await createSandbox({ pack: folder, key: 'key_a', onDefect: () => undefined });
  try {
    await use(sandbox, async (line, json) => {
      const [method, path] = line.split(' ');
      const headers = { authorization: 'Bearer key_a', 'content-type': 'application/json' };
      const answer = await fetch(sandbox.url + path, { method, headers, body: json && JSON.stringify(json) });
      return (await answer.json()) as Record<string, unknown>;
    });
  } finally {
    await sandbox.close();
  }
}

test('D4: a timer whose steps are refused is told by the advance that fired it', async () => {
  const steps = '# resources/parcel.yaml\nactions: { stamp: [{ fail: too_heavy, with: { grams: 1 } }] }';
  await serving(overlaidPack([steps], ''), async (sandbox, call) => {
    const { id } = await call('POST /v1/parcels', { grams: 1, to: 'Oslo' });
    await call(`POST /v1/parcels/${String(id)}/ship`);
    expect(await sandbox.control.advance('3d')).toMatchObject({
      failed: [
        { object: id, timer: expect.stringContaining('travel_time') as string, error: expect.anything() as unknown },
      ],
    });
    expect(await call(`GET /v1/parcels/${String(id)}`)).toMatchObject({ status: 'traveling' });
  });
});

test('V4: what a cause refuses is told in the words of the error', async () => {
  const cause = `# causes.yaml
causes:
  parcel.lost: { subject: { param: parcel_id, resource: parcel }, do: [{ fail: too_heavy, with: { grams: 3 } }] }`;
  await serving(overlaidPack([cause], ''), async (sandbox, call) => {
    const { id } = await call('POST /v1/parcels', { grams: 1, to: 'Oslo' });
    await expect(sandbox.control.event('parcel.lost', { parcel_id: id })).rejects.toThrow('3 g is more than we carry.');
  });
});

test('V5: many resources whose ids look alike are one warning', () => {
  const alike = ['ant', 'bee', 'cow', 'dog', 'eel', 'fox'].map(
    (name) => `# resources/${name}.yaml
resource: ${name}
collection: ${name}s
id: { prefix: "", format: plain }
fields: { size: { type: integer, default: 1 } }
operations: [create, retrieve]`,
  );
  const { problems } = loadPack(
    overlaidPack(['# pack.yaml\nids: { plain: { parts: [{ random: 12 }] } }', ...alike], ''),
  );
  expect(problems.map(({ file, code, message }) => [file, code, message.replace(/'.+'/, 'ID')])).toEqual([
    [
      'resources/bee.yaml',
      'ambiguous-ids',
      'ids of ant, bee, cow, dog and 2 more cannot be distinguished: ID could be any of them',
    ],
  ]);
});

test('D10: an option that there is not is told by its name', async () => {
  // Callers of JavaScript are not held by the types.
  const mistyped: Record<string, unknown> = { pak: 'packs/payments' };
  await expect(createSandbox(mistyped as unknown as SandboxOptions)).rejects.toThrow(
    "'pack' must be a folder or the name of a pack (given: pak)",
  );
});

describe('D8: an import keeps what is sent, and answers where the document says', () => {
  const folder = mkdtempSync(join(tmpdir(), 'traps-'));
  let call: (line: string, json?: object, form?: boolean) => Promise<{ status: number; body: Record<string, unknown> }>;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const document = await readDocument(join(ROOT, 'test/tools/openapi/traps.yaml'));
    writeFiles(folder, importDocument(document, 'traps').files);
    const sandbox = await createSandbox({ pack: folder, key: 'key_a' });
    close = () => sandbox.close();
    call = async (line, given, form) => {
      const [method, path] = line.split(' ');
      const body =
        given && (form ? new URLSearchParams(given as Record<string, string>).toString() : JSON.stringify(given));
      const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
      const headers = { authorization: 'Bearer key_a', 'content-type': type };
      const answer = await fetch(sandbox.url + path, { method, headers, body });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
  });
  afterAll(async () => {
    await close();
    rmSync(folder, { recursive: true });
  });

  test('the pack has no mistakes', () => {
    expect(loadPack(folder).problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('names that clash do not hide each other', async () => {
    const { body } = await call('POST /recipients', { name: 'Ann' });
    expect(await call(`GET /recipient/${String(body['id'])}`)).toMatchObject({ status: 200 });
    expect((await call('GET /recipients')).body).toMatchObject([{ name: 'Ann' }]);
  });

  test('a parameter that is called like the name of a route is what it is, and required fields have values', async () => {
    const { status, body } = await call('POST /repos', { name: 'hello' });
    expect([status, body]).toEqual([
      201,
      { id: expect.any(Number) as number, name: 'hello', visibility: 'private', stars: 80 },
    ]);
    expect((await call('GET /repos')).body).toMatchObject([{ name: 'hello' }]);
  });

  test('wrapped bodies and parameters in another case become fields', async () => {
    const { body } = await call('POST /teams', { team: { name: 'A' } });
    expect(body).toMatchObject({ team: { name: 'A' } });
    const { id } = body['team'] as { id: string };
    expect((await call(`GET /teams/${id}`)).body).toMatchObject({ team: { id, name: 'A' } });
    const chat = (await call('POST /Chats', { FriendlyName: 'Us' }, true)).body;
    expect(chat).toMatchObject({ friendly_name: 'Us', sid: expect.stringMatching(/^CH[0-9a-fA-F]{32}$/) as string });
    expect((await call(`GET /Chats/${String(chat['sid'])}`)).body).toEqual(chat);
    const note = await call(`POST /Chats/${String(chat['sid'])}/Notes`, { Text: 'Hi' }, true);
    expect(note).toMatchObject({ status: 201, body: { chat_sid: chat['sid'], text: 'Hi' } });
  });
});

/** What the language could not say then, and the entries of the cookbook that say it now; `test/packs/cookbook.test.ts` runs them. */
test.each([
  [
    'L1',
    [
      'The key comes in a header of its own',
      'Some operations need no key',
      'Access tokens with scopes that expire (OAuth)',
    ],
  ],
  [
    'L2',
    [
      'A list is a bare array, with a Link header and page numbers',
      'Every collection has a key of its own in its lists',
    ],
  ],
  ['L3', ['Responses have headers, and a status of their own', 'ETag and 304', 'Text, files and uploads']],
  ['L4', ['So many calls in a minute', 'A limit counts by what a call names']],
  ['L5', ['Ids are numbers, UUIDs or hexadecimal', 'Objects are named by two segments, and files by a path']],
  [
    'L6',
    [
      'Which endpoint gets an event depends on the event',
      'Webhooks are signed with SHA-1, SHA-512, a private key or a JWT',
    ],
  ],
  ['L7', ['Webhooks are signed by a key that callers fetch', 'Names are written in another way']],
  ['L8', ['What is deleted takes others along, or stays']],
])('%s is in the cookbook: %j', (_id, titles) => {
  const headings = readFileSync(join(ROOT, 'docs/guides/cookbook.md'), 'utf8').match(/^## .+$/gm);
  expect(headings).toEqual(expect.arrayContaining(titles.map((title) => `## ${title}`)));
});
