import { branchWith, hello, serveHosting } from './served.js';

/** GraphQL as the command line and scripts ask it, by the vendor's own client. */

const sandbox = serveHosting();

test('a caller, a repository, and its issues page by page', async () => {
  const { rest, graphql } = sandbox.client;
  for (const title of ['Low water', 'High water', 'Slack water']) await rest.issues.create({ ...hello, title, labels: ['tide'] });
  await rest.issues.createComment({ ...hello, issue_number: 3, body: 'Seen' });
  await rest.issues.update({ ...hello, issue_number: 1, state: 'closed', state_reason: 'not_planned' });
  const page = `query($owner: String!, $repo: String!, $endCursor: String, $states: [IssueState!] = OPEN) {
    viewer { login }
    repository(owner: $owner, name: $repo) {
      id nameWithOwner hasIssuesEnabled viewerPermission owner { login ... on User { name } } defaultBranchRef { name }
      issues(first: 1, after: $endCursor, states: $states, orderBy: { field: CREATED_AT, direction: ASC }) {
        totalCount
        nodes { number title state author { login } labels(first: 5) { nodes { name } totalCount } comments { totalCount } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }`;
  const seen: unknown[] = [];
  for (let endCursor: string | null = null; ; ) {
    const { viewer, repository }: Page = await graphql<Page>(page, { owner: 'octo', repo: 'hello', endCursor });
    expect(viewer.login).toBe('octo');
    expect(repository).toMatchObject({
      id: (await rest.repos.get(hello)).data.node_id,
      nameWithOwner: 'octo/hello',
      viewerPermission: 'ADMIN',
      owner: { login: 'octo' },
      defaultBranchRef: { name: 'main' },
      issues: { totalCount: 2 },
    });
    seen.push(...repository.issues.nodes);
    if (!repository.issues.pageInfo.hasNextPage) break;
    endCursor = repository.issues.pageInfo.endCursor;
  }
  const labels = { nodes: [{ name: 'tide' }], totalCount: 1 };
  expect(seen).toEqual([
    { number: 2, title: 'High water', state: 'OPEN', author: { login: 'octo' }, labels, comments: { totalCount: 0 } },
    { number: 3, title: 'Slack water', state: 'OPEN', author: { login: 'octo' }, labels, comments: { totalCount: 1 } },
  ]);
});

interface Page {
  readonly viewer: { readonly login: string };
  readonly repository: {
    readonly issues: {
      readonly nodes: readonly unknown[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    };
  };
}

test('mutations name objects by their node ids and are calls like all others', async () => {
  const { rest, graphql } = sandbox.client;
  const { data: home } = await rest.repos.get(hello);
  const make = 'mutation($input: CreateIssueInput!) { createIssue(input: $input) { issue { id number url } } }';
  const { createIssue } = await graphql<Record<'createIssue', Record<'issue', { id: string; number: number }>>>(make, {
    input: { repositoryId: home.node_id, title: 'Gate stuck', body: 'It is' },
  });
  const { id, number } = createIssue.issue;
  expect((await rest.issues.get({ ...hello, issue_number: number })).data).toMatchObject({ title: 'Gate stuck', node_id: id });
  const say = 'mutation($input: AddCommentInput!) { addComment(input: $input) { commentEdge { node { body author { login } } } } }';
  expect(await graphql(say, { input: { subjectId: id, body: 'Oiled' } })).toEqual({
    addComment: { commentEdge: { node: { body: 'Oiled', author: { login: 'octo' } } } },
  });
  const close = 'mutation($input: CloseIssueInput!) { closeIssue(input: $input) { issue { state stateReason closed } } }';
  expect(await graphql(close, { input: { issueId: id, stateReason: 'NOT_PLANNED' } })).toEqual({
    closeIssue: { issue: { state: 'CLOSED', stateReason: 'NOT_PLANNED', closed: true } },
  });
  expect(await graphql('query($id: ID!) { node(id: $id) { id __typename ... on Issue { number } } }', { id })).toEqual({
    node: { id, __typename: 'Issue', number },
  });
  await expect(graphql(close, { input: { issueId: 'nothing' } })).rejects.toMatchObject({
    errors: [{ type: 'NOT_FOUND', path: ['closeIssue'], message: 'Not Found' }],
  });
});

test('a pull request is opened, read and merged', async () => {
  const { rest, graphql } = sandbox.client;
  await branchWith(sandbox.client, 'topic', 'tide.txt', 'low');
  const { data: home } = await rest.repos.get(hello);
  const open = `mutation($input: CreatePullRequestInput!) {
    createPullRequest(input: $input) { pullRequest { id number isDraft } }
  }`;
  const opened = await graphql<Record<'createPullRequest', Record<'pullRequest', { id: string; number: number }>>>(open, {
    input: { repositoryId: home.node_id, title: 'Tides', headRefName: 'topic', baseRefName: 'main' },
  });
  const { id, number } = opened.createPullRequest.pullRequest;
  const read = `query($number: Int!) { repository(owner: "octo", name: "hello") {
    pullRequest(number: $number) {
      state mergeable changedFiles headRefName baseRefName headRepositoryOwner { login } isCrossRepository
      commits(first: 5) { totalCount nodes { commit { message } } } files(first: 5) { nodes { path additions } }
    }
    pullRequests(states: OPEN, headRefName: "topic", first: 10) { nodes { id } }
  } }`;
  const known = (): Promise<Record<string, Record<string, unknown>>> => graphql(read, { number });
  expect((await known())['repository']['pullRequest']).toMatchObject({ mergeable: 'UNKNOWN' });
  await sandbox.control.advance({ duration: '2s' });
  expect((await known())['repository']).toEqual({
    pullRequest: {
      state: 'OPEN',
      mergeable: 'MERGEABLE',
      changedFiles: 1,
      headRefName: 'topic',
      baseRefName: 'main',
      headRepositoryOwner: { login: 'octo' },
      isCrossRepository: false,
      commits: { totalCount: 1, nodes: [{ commit: { message: 'Add tide.txt' } }] },
      files: { nodes: [{ path: 'tide.txt', additions: 1 }] },
    },
    pullRequests: { nodes: [{ id }] },
  });
  const review = 'mutation($input: AddPullRequestReviewInput!) { addPullRequestReview(input: $input) { pullRequestReview { state body } } }';
  expect(await graphql(review, { input: { pullRequestId: id, event: 'COMMENT', body: 'Fine' } })).toEqual({
    addPullRequestReview: { pullRequestReview: { state: 'COMMENTED', body: 'Fine' } },
  });
  for (const [name, isDraft] of [['convertPullRequestToDraft', true], ['markPullRequestReadyForReview', false]] as const)
    expect(await graphql(`mutation($id: ID!) { ${name}(input: { pullRequestId: $id }) { pullRequest { isDraft } } }`, { id })).toEqual({
      [name]: { pullRequest: { isDraft } },
    });
  await rest.checks.create({ ...hello, name: 'ci', head_sha: (await rest.pulls.get({ ...hello, pull_number: number })).data.head.sha });
  const checks = `query($id: ID!) { node(id: $id) { ... on PullRequest { commits(last: 1) { nodes { commit {
    statusCheckRollup { contexts(first: 5) { nodes { ... on CheckRun { name status conclusion isRequired(pullRequestId: $id) } } } } } } } } } }`;
  const rollup = { contexts: { nodes: [{ name: 'ci', status: 'QUEUED', conclusion: null, isRequired: false }] } };
  expect(await graphql(checks, { id })).toEqual({ node: { commits: { nodes: [{ commit: { statusCheckRollup: rollup } }] } } });
  const merge = 'mutation($input: MergePullRequestInput!) { mergePullRequest(input: $input) { pullRequest { state merged } } }';
  expect(await graphql(merge, { input: { pullRequestId: id, mergeMethod: 'SQUASH' } })).toEqual({
    mergePullRequest: { pullRequest: { state: 'MERGED', merged: true } },
  });
});

test('repositories, issues and pull requests are found, and the latest release is known', async () => {
  const { rest, graphql } = sandbox.client;
  await branchWith(sandbox.client, 'topic', 'tide.txt', 'low');
  await rest.pulls.create({ ...hello, title: 'Tides', head: 'topic', base: 'main' });
  await rest.issues.create({ ...hello, title: 'Tides are late', labels: ['bug'] });
  for (const tag_name of ['v1', 'v2']) await rest.repos.createRelease({ ...hello, tag_name });
  const asked = `query($owner: String!) {
    repositoryOwner(login: $owner) { login repositories(first: 9, privacy: PUBLIC, isFork: false, orderBy: { field: PUSHED_AT, direction: DESC }) {
      totalCount nodes { nameWithOwner releases(first: 9) { nodes { tagName isLatest } } } } }
    search(query: "repo:octo/hello tides", type: ISSUE, first: 9) { issueCount nodes {
      __typename ... on Issue { number labels(first: 9) { nodes { name } } } ... on PullRequest { number headRefName } } }
    repositories: search(query: "user:@me", type: REPOSITORY, first: 9) { repositoryCount nodes { ... on Repository { name } } }
  }`;
  const releases = { nodes: [{ tagName: 'v2', isLatest: true }, { tagName: 'v1', isLatest: false }] };
  expect(await graphql(asked, { owner: 'octo' })).toEqual({
    repositoryOwner: { login: 'octo', repositories: { totalCount: 1, nodes: [{ nameWithOwner: 'octo/hello', releases }] } },
    search: {
      issueCount: 2,
      nodes: [
        { __typename: 'Issue', number: 2, labels: { nodes: [{ name: 'bug' }] } },
        { __typename: 'PullRequest', number: 1, headRefName: 'topic' },
      ],
    },
    repositories: { repositoryCount: 1, nodes: [{ name: 'hello' }] },
  });
});
