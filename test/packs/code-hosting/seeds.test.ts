import { startSandbox } from '../../support/start-sandbox.js';

const sandbox = startSandbox('packs/code-hosting', { seed: 'seeds', reset: { empty: true } });
const { call } = sandbox;

test('a small project has a pull request that its owner can merge', async () => {
  await sandbox.control.seed({ name: 'small-project' });
  expect((await call('GET /repos/octo/tide/pulls/3')).body).toMatchObject({
    title: 'Spring tides',
    mergeable: true,
    changed_files: 1,
    commits: 1,
  });
  const merged = await call('PUT /repos/octo/tide/pulls/3/merge', '{}');
  expect(merged).toMatchObject({ status: 200, body: { merged: true } });
  const { content } = (await call('GET /repos/octo/tide/contents/index.js')).body;
  expect(Buffer.from(String(content), 'base64').toString()).toBe('export const tide = 2;\n');
});

test('the next issue of a small project has the next number', async () => {
  await sandbox.control.seed({ name: 'small-project' });
  const made = await call('POST /repos/octo/tide/issues', JSON.stringify({ title: 'Neap tides' }));
  expect(made).toMatchObject({ status: 201, body: { number: 4 } });
});

test("a company's branch wants an approval before it can be merged", async () => {
  await sandbox.control.seed({ name: 'company' });
  const refused = await call('PUT /repos/harbour/ledger/pulls/1/merge', '{}');
  expect(refused).toMatchObject({ status: 405, body: { message: expect.stringContaining('approving review') } });
  expect((await call('GET /orgs/harbour/teams')).body).toHaveLength(2);
});

test('an empty account has no repositories', async () => {
  await sandbox.control.seed({ name: 'empty-account' });
  expect((await call('GET /user')).body).toMatchObject({ login: 'octo', name: 'Octavia Reef' });
  expect((await call('GET /user/repos')).body).toEqual([]);
});
