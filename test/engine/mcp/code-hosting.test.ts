import { callTool, connect, disconnectAll, toolNames } from '../../support/mcp.js';
import { useSandboxes } from '../../support/start-sandbox.js';

/** The tools of the vendor's own MCP server over code hosting. */

const sandboxes = useSandboxes({ t0: '2025-03-03', seed: 'tools' });
const serve = async () => {
  const sandbox = await sandboxes.serve({ pack: 'code-hosting' });
  await sandbox.control.seed({ name: 'small-project' });
  return sandbox;
};
const TIDE = { owner: 'octo', repo: 'tide' };
afterEach(disconnectAll);

test('an agent takes an issue to a merged pull request, by the names of the vendor’s server', async () => {
  const client = await connect(await serve());
  expect(client.getServerVersion()).toMatchObject({ name: 'github-mcp-server' });
  expect((await callTool(client, 'get_me')).body).toMatchObject({ login: 'octo' });
  const wanted = { ...TIDE, method: 'create', title: 'No low tide', labels: ['bug'] };
  const issue = await callTool(client, 'issue_write', wanted);
  expect(Object.keys(issue.body)).toEqual(['id', 'url']);
  const number = Number(/\d+$/.exec(String(issue.body['url']))?.[0]);
  const found = await callTool(client, 'search_issues', { query: 'is:issue label:bug', perPage: 1 });
  expect(found.body).toMatchObject({ items: [{ number }] });
  const written = await callTool(client, 'create_or_update_file', {
    ...TIDE,
    path: 'docs/low.md',
    content: '# Low tide ↓\n',
    message: 'Low tide',
    branch: 'main',
  });
  expect(written).toMatchObject({ isError: false, body: { commit: { message: 'Low tide' } } });
  const file = await callTool(client, 'get_file_contents', { ...TIDE, path: 'docs/low.md' });
  expect(Buffer.from(String(file.body['content']), 'base64').toString()).toBe('# Low tide ↓\n');
  const commits = await callTool(client, 'list_commits', { ...TIDE, perPage: 1 });
  expect(JSON.parse(commits.text)).toMatchObject([{ commit: { message: 'Low tide' } }]);
  const closing = { ...TIDE, method: 'update', issue_number: number, state: 'closed', state_reason: 'completed' };
  expect((await callTool(client, 'issue_write', closing)).isError).toBe(false);
  const read = { ...TIDE, method: 'get', issue_number: number };
  const closed = (await callTool(client, 'issue_read', read)).body;
  // As the vendor's server writes an issue: names instead of objects, and nothing that is empty.
  expect(closed).toMatchObject({ state: 'closed', state_reason: 'completed', labels: ['bug'], assignees: [] });
  expect(Object.keys(closed)).not.toContain('milestone');
  const labels = await callTool(client, 'issue_read', { ...read, method: 'get_labels' });
  expect(labels.body).toMatchObject({ labels: [{ name: 'bug' }], totalCount: 1 });
  const [open] = JSON.parse((await callTool(client, 'list_pull_requests', TIDE)).text) as { number: number }[];
  const pull = { ...TIDE, pullNumber: open.number };
  expect((await callTool(client, 'pull_request_read', { ...pull, method: 'get' })).body).toMatchObject({
    merged: false,
  });
  const files = await callTool(client, 'pull_request_read', { ...pull, method: 'get_files' });
  expect(JSON.parse(files.text)).toMatchObject([{ filename: 'index.js', status: 'modified' }]);
  const comments = { ...pull, method: 'get_comments' };
  expect(JSON.parse((await callTool(client, 'pull_request_read', comments)).text)).toEqual([]);
  const merged = await callTool(client, 'merge_pull_request', { ...pull, merge_method: 'squash' });
  expect(merged.body).toMatchObject({ merged: true });
  const missing = await callTool(client, 'issue_read', { ...TIDE, method: 'get', issue_number: 99 });
  expect(missing).toMatchObject({ isError: true, body: { message: 'Not Found' }, meta: { 'sandbox/status': 404 } });
});

test('the usual list is short, other toolsets are asked for', async () => {
  const sandbox = await serve();
  const client = await connect(sandbox);
  const { tools } = await client.listTools();
  expect(JSON.stringify(tools).length).toBeLessThan(24 * 1024);
  expect(tools.map(({ name }) => name)).not.toContain('list_label');
  const query = '?toolsets=labels,actions&readonly=1';
  expect(await toolNames(await connect(sandbox, query))).toEqual(
    expect.arrayContaining(['get_label', 'list_label', 'list_workflow_runs']),
  );
});
