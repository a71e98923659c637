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

test('tools that need several calls: a branch, files in one commit, a file that goes, what is known of the head of a pull request', async () => {
  const sandbox = await serve();
  const client = await connect(sandbox, '?toolsets=all');
  const call = async (name: string, args: object) => {
    const { isError, text, body } = await callTool(client, name, { ...TIDE, ...args });
    expect({ name, isError, text: isError ? text : '' }).toEqual({ name, isError: false, text: '' });
    return { text, body };
  };
  expect((await call('create_branch', { branch: 'neap' })).body).toMatchObject({ ref: 'refs/heads/neap' });
  const files = [
    { path: 'neap.md', content: '# Neap' },
    { path: 'docs/spring.md', content: '# Spring' },
  ];
  await call('push_files', { branch: 'neap', files, message: 'Two tides' });
  const commits = (await call('list_commits', { sha: 'neap', perPage: 2 })).text;
  expect(JSON.parse(commits)).toMatchObject([{ commit: { message: 'Two tides' } }, {}]);
  await call('delete_file', { path: 'neap.md', branch: 'neap', message: 'One tide' });
  expect(await callTool(client, 'get_file_contents', { ...TIDE, path: 'neap.md', ref: 'neap' })).toMatchObject({
    isError: true,
  });
  const made = (await call('create_pull_request', { title: 'Tides', head: 'neap', base: 'main' })).body;
  const pull = { pullNumber: Number(/\d+$/.exec(String(made['url']))?.[0]) };
  expect((await call('pull_request_read', { ...pull, method: 'get_diff' })).text).toContain('+# Spring');
  expect((await call('pull_request_read', { ...pull, method: 'get_status' })).body).toMatchObject({
    state: 'pending',
    total_count: 0,
  });
  expect((await call('pull_request_read', { ...pull, method: 'get_check_runs' })).body).toEqual({
    total_count: 0,
    check_runs: [],
  });
  expect(await callTool(client, 'create_branch', { ...TIDE, branch: 'x', from_branch: 'none' })).toMatchObject({
    isError: true,
  });
  const on = { ...pull, path: 'docs/spring.md', body: 'Why?', subjectType: 'LINE', line: 1, side: 'RIGHT' };
  await call('pull_request_review_write', { ...pull, method: 'create' });
  await call('add_comment_to_pending_review', on);
  await call('pull_request_review_write', { ...pull, method: 'submit_pending', event: 'COMMENT', body: 'See' });
  const threads = async () =>
    (await call('pull_request_read', { ...pull, method: 'get_review_comments' })).body['review_threads'] as {
      id: string;
      is_resolved: boolean;
    }[];
  const [thread] = await threads();
  await call('resolve_review_thread', { owner: undefined, repo: undefined, threadID: thread.id });
  expect(await threads()).toMatchObject([
    { id: thread.id, is_resolved: true, comments: [{ body: 'Why?', path: 'docs/spring.md', line: 1 }] },
  ]);
  await call('pull_request_review_write', { ...pull, method: 'create' });
  await call('pull_request_review_write', { ...pull, method: 'delete_pending' });
  expect((await call('pull_request_read', { ...pull, method: 'get_reviews' })).text).not.toContain('PENDING');
});
