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
  const issue = await callTool(client, 'create_issue', { ...TIDE, title: 'No low tide', labels: ['bug'] });
  const { number } = issue.body;
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
  const closing = { ...TIDE, issue_number: number, state: 'closed', state_reason: 'completed' };
  expect((await callTool(client, 'update_issue', closing)).body).toMatchObject({ state: 'closed' });
  const [open] = JSON.parse((await callTool(client, 'list_pull_requests', TIDE)).text) as { number: number }[];
  const pull = { ...TIDE, pullNumber: open.number };
  expect((await callTool(client, 'get_pull_request', pull)).body).toMatchObject({ merged: false });
  const merged = await callTool(client, 'merge_pull_request', { ...pull, merge_method: 'squash' });
  expect(merged.body).toMatchObject({ merged: true });
  const missing = await callTool(client, 'get_issue', { ...TIDE, issue_number: 99 });
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
