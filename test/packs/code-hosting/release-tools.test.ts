import { base64, branchWith, hello, rejection, serveHosting } from './served.js';

/** What tools that release software ask: tags, histories, pull requests of commits, notes, dispatches, commits by GraphQL. */

const sandbox = serveHosting();
const repository = { owner: 'octo', name: 'hello' };

async function merged(title: string, branch: string): Promise<string> {
  const { rest } = sandbox.client;
  await branchWith(sandbox.client, branch, `${branch}.txt`, `${branch}\n`);
  const { data: pull } = await rest.pulls.create({ ...hello, title, head: branch, base: 'main' });
  const { data } = await rest.pulls.merge({ ...hello, pull_number: pull.number, merge_method: 'squash' });
  return String(data.sha);
}

test('a commit knows the pull requests that it belongs to and that it merged', async () => {
  const { rest } = sandbox.client;
  const tip = await branchWith(sandbox.client, 'topic', 'new.txt', 'new\n');
  const numbers = async (commit_sha: string) =>
    (await rest.repos.listPullRequestsAssociatedWithCommit({ ...hello, commit_sha })).data.map(({ number }) => number);
  expect(await numbers(tip)).toEqual([]);
  const { data: pull } = await rest.pulls.create({ ...hello, title: 'Add', head: 'topic', base: 'main' });
  expect(await numbers(tip)).toEqual([pull.number]);
  const { data: done } = await rest.pulls.merge({ ...hello, pull_number: pull.number });
  expect([await numbers(String(done.sha)), await numbers(tip)]).toEqual([[pull.number], [pull.number]]);
  expect((await rejection(rest.repos.listPullRequestsAssociatedWithCommit({ ...hello, commit_sha: 'f'.repeat(40) })))[0]).toBe(422);
});

test('notes are written from what was merged since the release before', async () => {
  const { rest } = sandbox.client;
  await merged('First', 'one');
  await rest.repos.createRelease({ ...hello, tag_name: 'v1' });
  await merged('Second', 'two');
  const { data: notes } = await rest.repos.generateReleaseNotes({ ...hello, tag_name: 'v2' });
  expect(notes).toEqual({
    name: 'v2',
    body:
      "## What's Changed\n* Second by @octo in https://github.com/octo/hello/pull/2\n\n" +
      '**Full Changelog**: https://github.com/octo/hello/compare/v1...v2',
  });
  const { data: release } = await rest.repos.createRelease({ ...hello, tag_name: 'v2', body: 'By hand', generate_release_notes: true });
  expect(release).toMatchObject({ name: 'v2', body: `By hand\n\n${notes.body}` });
  const { data: first } = await rest.repos.generateReleaseNotes({ ...hello, tag_name: 'v1', previous_tag_name: 'v2' });
  expect(first.body).toBe('**Full Changelog**: https://github.com/octo/hello/compare/v2...v1');
  expect((await rejection(rest.repos.generateReleaseNotes({ ...hello, tag_name: 'v3', previous_tag_name: 'v0' })))[0]).toBe(422);
});

test.each([
  ['with a space in its tag', { tag_name: 'v 1' }, 'tag_name is not a valid tag'],
  ['with a tag that git refuses', { tag_name: 'v1..2' }, 'tag_name is not a valid tag'],
  ['of a branch that is missing', { tag_name: 'v1', target_commitish: 'no-such-branch' }, 'target_commitish'],
  ['without a tag', { tag_name: '' }, 'tag_name'],
  ['with a long text', { tag_name: 'v1', body: 'x'.repeat(125_001) }, 'body is too long (maximum is 125000 characters)'],
])('a release %s is rejected', async (_, asked, hint) => {
  const made = sandbox.client.rest.repos.createRelease({ ...hello, ...asked });
  await expect(made).rejects.toMatchObject({ status: 422 });
  expect(JSON.stringify(await made.catch((error: { response: { data: unknown } }) => error.response.data))).toContain(hint);
  expect((await sandbox.client.rest.repos.listReleases(hello)).data).toEqual([]);
});

test('an event of one\'s own starts workflows that wait for it', async () => {
  const { rest } = sandbox.client;
  const workflow = 'name: Deploy\non: [repository_dispatch]\njobs:\n  deploy:\n    runs-on: ubuntu-latest\n';
  await rest.repos.createOrUpdateFileContents({ ...hello, path: '.github/workflows/deploy.yml', message: 'x', content: base64(workflow) });
  const dispatch = { ...hello, event_type: 'deploy', client_payload: { to: 'staging' } };
  expect((await rest.repos.createDispatchEvent(dispatch)).status).toBe(204);
  expect((await rest.actions.listWorkflowRunsForRepo(hello)).data.workflow_runs).toMatchObject([{ event: 'repository_dispatch' }]);
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`k${at}`, at]));
  expect((await rejection(rest.repos.createDispatchEvent({ ...dispatch, client_payload: many })))[0]).toBe(422);
  expect((await rejection(rest.repos.createDispatchEvent({ ...dispatch, event_type: 'x'.repeat(101) })))[0]).toBe(422);
});

test('Markdown is rendered', async () => {
  const { rest, request } = sandbox.client;
  expect((await rest.markdown.render({ text: '**b**' })).data).toBe('<p><strong>b</strong></p>\n');
  expect((await request('POST /markdown/raw', { data: '# T', headers: { 'content-type': 'text/plain' } })).data).toBe('<h1>T</h1>\n');
});

test('GraphQL shows releases with tags, histories with their pull requests, refs and objects', async () => {
  const { rest, graphql } = sandbox.client;
  const sha = await merged('feat: one', 'one');
  await rest.repos.createRelease({ ...hello, tag_name: 'v1.0.0', name: 'One' });
  const asked = await graphql(
    `query ($owner: String!, $name: String!) {
      repository(owner: $owner, name: $name) {
        releases(first: 5) { nodes { name tag { name target { oid } } tagCommit { oid } } }
        ref(qualifiedName: "refs/heads/main") {
          target { ... on Commit { history(first: 5) {
            nodes { sha: oid message author { name user { login } }
              associatedPullRequests(first: 5) { nodes { number title baseRefName headRefName mergeCommit { oid } files(first: 5) { nodes { path } } } } }
            pageInfo { hasNextPage endCursor }
          } } }
        }
        refs(refPrefix: "refs/tags/", first: 5, orderBy: { field: TAG_COMMIT_DATE, direction: DESC }) { nodes { name target { oid } } }
        file: object(expression: "main:one.txt") { ... on Blob { text byteSize isBinary } }
        tree: object(expression: "main:") { ... on Tree { entries { name type } } }
        none: object(expression: "main:no/such") { __typename }
      }
    }`,
    repository,
  );
  expect(asked).toMatchObject({
    repository: {
      releases: { nodes: [{ name: 'One', tag: { name: 'v1.0.0', target: { oid: sha } }, tagCommit: { oid: sha } }] },
      ref: {
        target: {
          history: {
            nodes: [
              {
                sha,
                author: { user: { login: 'octo' } },
                associatedPullRequests: {
                  nodes: [{ number: 1, title: 'feat: one', baseRefName: 'main', headRefName: 'one', mergeCommit: { oid: sha }, files: { nodes: [{ path: 'one.txt' }] } }],
                },
              },
              { message: 'Initial commit', associatedPullRequests: { nodes: [] } },
            ],
            pageInfo: { hasNextPage: false },
          },
        },
      },
      refs: { nodes: [{ name: 'v1.0.0', target: { oid: sha } }] },
      file: { text: 'one\n', byteSize: 4, isBinary: false },
      tree: { entries: [{ name: 'README.md', type: 'blob' }, { name: 'one.txt', type: 'blob' }] },
      none: null,
    },
  });
});

test('GraphQL commits several files at once, if the branch is where the caller thinks', async () => {
  const { rest, graphql } = sandbox.client;
  const { data: main } = await rest.git.getRef({ ...hello, ref: 'heads/main' });
  const commit = (expectedHeadOid: string, deletions: { path: string }[] = []) =>
    graphql<{ createCommitOnBranch: { commit: { oid: string }; ref: { name: string } } }>(
      'mutation ($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid message } ref { name } } }',
      {
        input: {
          branch: { repositoryNameWithOwner: 'octo/hello', branchName: 'main' },
          message: { headline: 'chore: both', body: 'Body' },
          fileChanges: { additions: [{ path: 'a/b.txt', contents: base64('b\n') }], deletions },
          expectedHeadOid,
        },
      },
    );
  await expect(commit('f'.repeat(40))).rejects.toThrow(/Expected branch to point to/);
  await expect(commit(main.object.sha, [{ path: 'nothing' }])).rejects.toThrow(/does not exist/);
  const { createCommitOnBranch: made } = await commit(main.object.sha, [{ path: 'README.md' }]);
  expect(made).toMatchObject({ commit: { message: 'chore: both\n\nBody' }, ref: { name: 'main' } });
  const { data: tip } = await rest.repos.getCommit({ ...hello, ref: 'main' });
  expect([tip.sha, tip.files?.map(({ filename, status }) => [filename, status])]).toEqual([
    made.commit.oid,
    [['README.md', 'removed'], ['a/b.txt', 'added']],
  ]);
});

const rest = () => sandbox.client.rest;
test.each<[string, () => Promise<unknown>, object]>([
  ['a color that is none', () => rest().issues.createLabel({ ...hello, name: 'x', color: 'red' }), { resource: 'Label', field: 'color', code: 'invalid' }],
  ['a color with #', () => rest().issues.createLabel({ ...hello, name: 'x', color: '#ff0000' }), { field: 'color' }],
  ['a long label', () => rest().issues.createLabel({ ...hello, name: 'x'.repeat(51) }), { field: 'name', message: 'name is too long (maximum is 50 characters)' }],
  ['an empty label', () => rest().issues.createLabel({ ...hello, name: '' }), { field: 'name', code: 'missing_field' }],
  ['a long description', () => rest().issues.createLabel({ ...hello, name: 'x', description: 'd'.repeat(101) }), { field: 'description' }],
  ['a long title', () => rest().issues.create({ ...hello, title: 't'.repeat(257) }), { resource: 'Issue', field: 'title', code: 'custom' }],
  ['an empty title', () => rest().issues.create({ ...hello, title: '' }), { resource: 'Issue', field: 'title', code: 'missing_field' }],
  ['a title of spaces', () => rest().issues.create({ ...hello, title: '  ' }), { field: 'title' }],
  ['a long text', () => rest().issues.create({ ...hello, title: 't', body: 'b'.repeat(65_537) }), { field: 'body', message: 'body is too long (maximum is 65536 characters)' }],
  ['a long name', () => rest().repos.createForAuthenticatedUser({ name: 'n'.repeat(101) }), { resource: 'Repository', field: 'name' }],
  ['a reserved name', () => rest().repos.createForAuthenticatedUser({ name: '..' }), { resource: 'Repository', field: 'name' }],
])('%s is rejected', async (_, call, error) => {
  await expect(call()).rejects.toMatchObject({ status: 422, response: { data: { message: 'Validation Failed', errors: [error] } } });
});

test('other characters of a repository name become dashes', async () => {
  expect((await sandbox.client.rest.repos.createForAuthenticatedUser({ name: 'bad name!' })).data.name).toBe('bad-name-');
});
