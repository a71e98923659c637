import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { loadPack } from '../../engine/index.js';
import { ContractCheck, type ContractReport, isGood } from '../../tools/openapi/check.js';
import { exportDocument } from '../../tools/openapi/export.js';
import { Contract, Document, readDocument } from '../../tools/openapi/index.js';
import { runCommand } from '../support/command.js';
import { minimal, packFolder } from '../support/sample-pack.js';
import { ROOT } from '../support/root.js';
import { form } from '../support/http.js';
import type { TestSandbox } from '../support/start-sandbox.js';
import { importInto, useFolders } from './imported.js';
import { folderOfTest } from '../support/scratch-folder.js';
import { sampleOf } from '../support/sample.js';

const serveFolder = useFolders();

/** Imports a document and serves it. */
async function served(document: Document): Promise<{ readonly sandbox: TestSandbox; readonly dir: string }> {
  const { folder: dir } = importInto(document);
  expect(loadPack(dir).problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return { sandbox: await serveFolder(dir), dir };
}

async function checked(document: Document): Promise<ContractReport> {
  const { sandbox } = await served(document);
  return new ContractCheck(sandbox, new Contract(document), 1).run();
}

const fixture = (file: string): Promise<Document> => readDocument(join(ROOT, 'test/tools/openapi', file));

test.each(sampleOf(['shelter.yaml', 'boards.json', 'letters.json', 'hosting.yaml', 'rpc.yaml'], 2))(
  'every operation of %s that is served answers as the document says',
  async (file) => {
    const report = await checked(await fixture(file));
    expect(report.operations.filter((each) => !isGood(each))).toEqual([]);
  },
);

test('null beside an enum that is nullable, and a body that fits two alternatives', async () => {
  const folder = folderOfTest();
  const schema = { type: 'string', nullable: true, enum: ['good', 'bad'] };
  const either = ['a', 'b'].map((name) => ({ type: 'object', properties: { [name]: { type: 'integer' } } }));
  const response = { description: 'It', content: { 'application/json': { schema: { oneOf: either } } } };
  const document = {
    openapi: '3.0.3',
    info: { title: 'Ends', version: '1' },
    paths: { '/end': { get: { responses: { 200: response } } } },
    components: { schemas: { End: schema } },
  };
  writeFileSync(join(folder, 'ends.json'), JSON.stringify(document));
  const read = await readDocument(join(folder, 'ends.json'));
  const contract = new Contract(read);
  const said = (value: unknown) => contract.problems({ $ref: '#/components/schemas/End' }, value);
  expect([said(null), said('good')]).toEqual([[], []]);
  expect(said('other')).toHaveLength(1);
  const judged = (text: string) =>
    contract.judge(contract.calls[0], { status: 200, contentType: 'application/json', text }).problems;
  expect(judged('{}')).toEqual([]);
  expect(judged('{"a":"x","b":"y"}')).not.toEqual([]);
});

/** Calls a served document. */
function caller(sandbox: TestSandbox) {
  return async (line: string, body?: Record<string, unknown>, isForm = false) => {
    const sent = isForm ? form(body as Record<string, string>) : body;
    const { status, headers, text } = await sandbox.call(line, sent);
    return { status, body: (/json/.test(headers.get('content-type') ?? '') ? JSON.parse(text) : text) as unknown };
  };
}

test('Swagger 2.0, forms in another case, ids by pattern, parents that have to exist', async () => {
  const call = caller((await served(await fixture('letters.json'))).sandbox);
  const made = await call('POST /v1/Letters', { ToName: 'Ann', IsUrgent: 'true' }, true);
  expect(made).toMatchObject({ status: 201, body: { to_name: 'Ann', is_urgent: true, status: 'written' } });
  const { sid } = made.body as { sid: string };
  expect(sid).toMatch(/^LT[0-9a-f]{32}$/);
  const stamp = await call(`POST /v1/Letters/${sid}/Stamps`, { Cents: '85' }, true);
  expect(stamp).toMatchObject({ status: 201, body: { letter_sid: sid, cents: 85 } });
  expect(await call('POST /v1/Letters/LT0/Stamps', { Cents: '85' }, true)).toMatchObject({ status: 404 });
  await call('POST /v1/Letters', { ToName: 'Ben' }, true);
  const page = await call('GET /v1/Letters?PageSize=1');
  expect(page.body).toMatchObject({ letters: [{ to_name: 'Ben' }], meta: { page_size: 1 } });
  expect(await call('GET /v1/letters.count')).toMatchObject({
    status: 200,
    body: { ok: true, price: 'about ${9.50}' },
  });
});

test('two-part keys, numbers as ids, pages, and what is sent in another shape is not kept', async () => {
  const { sandbox, dir } = await served(await fixture('hosting.yaml'));
  const call = caller(sandbox);
  expect(await call('POST /user/repos', { name: 'hello', private: true })).toMatchObject({
    status: 201,
    body: { name: 'hello', private: true, owner: { login: 'octo' } },
  });
  expect(await call('GET /repos/octo/hello')).toMatchObject({ status: 200, body: { name: 'hello' } });
  const issue = await call('POST /repos/octo/hello/issues', { title: 'a', labels: ['bug'] });
  expect(issue).toMatchObject({ status: 201, body: { title: 'a', state: 'open', labels: [] } });
  const { number } = issue.body as { number: number };
  expect(Number.isInteger(number)).toBe(true);
  await call('POST /repos/octo/hello/issues', { title: 'b' });
  await call('POST /repos/octo/other/issues', { title: 'c' });
  expect((await call('GET /repos/octo/hello/issues?per_page=1&page=2')).body).toMatchObject([{ title: 'a' }]);
  expect(await call(`PATCH /repos/octo/hello/issues/${number}`, { state: 'closed' })).toMatchObject({
    body: { number, state: 'closed' },
  });
  expect((await call('GET /repos/octo/hello/issues?state=closed')).body).toMatchObject([{ number }]);
  expect(await sandbox.status('GET /zen', undefined, { authorization: undefined })).toBe(200);
  const notes = readFileSync(join(dir, 'import.md'), 'utf8');
  expect(notes).toContain("issues: create: 'labels' is accepted and not kept");
  expect(notes).toContain('GET /repos/{owner}/{name} is omitted: it has the address of /repos/{owner}/{repo}');
});

test('the commands: --include, a summary, the contract in the pack, and a pack that breaks it', async () => {
  const cwd = folderOfTest();
  const file = join(ROOT, 'test/tools/openapi/hosting.yaml');
  const done = await runCommand(['import-openapi', file, 'code', '--include', '/repos/**/issues/**', '--json'], {
    cwd,
  });
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(done.stdout)).toMatchObject({ operations: { all: 4, stateful: 4, stubs: 0, left: 0 } });
  await runCommand(['import-openapi', file, 'whole', '-q'], { cwd });
  const check = await runCommand(['check-contract', 'packs/whole'], { cwd });
  expect(check.stdout).toContain('packs/whole: 10 of 10 operations respond as the document says (100 %)');
  const stubs = join(cwd, 'packs/whole/resources/repo_calls.yaml');
  writeFileSync(stubs, readFileSync(stubs, 'utf8').replace(/names: \[[^\]]*\]/, 'names: [3]'));
  const broken = await runCommand(['check-contract', 'packs/whole', file, '--json'], { cwd });
  expect(broken.code).toBe(1);
  expect(JSON.parse(broken.stdout)).toMatchObject({
    report: expect.arrayContaining([
      expect.objectContaining({
        operation: 'GET /repos/{owner}/{repo}/topics',
        problems: [expect.objectContaining({ problem: '200: /names/0 must be string' })],
      }),
    ]) as unknown,
  });
});

test('what the document has beyond the pack is counted apart, and limits of the pack are waited for', async () => {
  const folder = packFolder({
    'pack.yaml': 'rate_limits: { calls: { limit: 1, window: 30m } }\n',
    'errors.yaml': `${minimal.files['errors.yaml']}  rate_limited: { status: 429 }\n`,
    'resources/bread.yaml':
      'resource: bread\ncollection: breads\nfields: { name: string? }\noperations: { create: {}, retrieve: {} }\n',
  });
  const file = join(folder, 'document.json');
  const schema = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const responses = { 200: { description: 'bread', content: { 'application/json': { schema } } } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const paths = {
    '/breads': { get: { responses }, post: { responses } },
    '/breads/{id}': { get: { parameters, responses } },
  };
  writeFileSync(file, JSON.stringify({ openapi: '3.0.1', info: { title: 'Bakery', version: '1' }, paths }));
  const { stdout } = await runCommand(['check-contract', folder, file, '--all']);
  expect(stdout).toContain(
    '2 of 3 operations respond as the document says (66.6 %); the pack serves 2 of them (100 %)\n  POST /breads',
  );
  expect(stdout).toContain('  GET /breads: the pack has no such route');
  expect(stdout).not.toContain('429');
});

test.each(sampleOf(['task-automation', 'payments'], 2))(
  '%s is exported as a valid OpenAPI document, whose import serves',
  async (name) => {
    const { pack } = loadPack(join(ROOT, 'packs', name));
    if (!pack) throw new Error('the pack is broken');
    const document = exportDocument(pack);
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
    // The larger one takes its time; what it shows is the same.
    if (name === 'payments') return;
    const file = join(folderOfTest(), 'openapi.json');
    writeFileSync(file, JSON.stringify(document));
    const { sandbox } = await served(await readDocument(file));
    expect(await sandbox.status('GET /nowhere')).toBe(404);
  },
  60_000,
);

test('routes that name what an object belongs to get its id, and a path counts as a URI', async () => {
  const path = '/2010-04-01/Accounts/{AccountSid}/IncomingPhoneNumbers/{Sid}.json';
  const names = ['AccountSid', 'Sid'].map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const schema = { type: 'object', properties: { uri: { type: 'string', format: 'uri' } }, required: ['uri'] };
  const responses = { 200: { description: 'a number', content: { 'application/json': { schema } } } };
  const root = { openapi: '3.0.1', paths: { [path]: { get: { parameters: names, responses } } } };
  const document = new Document(root, root);
  const report = await new ContractCheck(
    await serveFolder(join(ROOT, 'packs/messaging')),
    new Contract(document),
    1,
  ).run();
  expect(report.operations.filter((each) => !isGood(each))).toEqual([]);
});
