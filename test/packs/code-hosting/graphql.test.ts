import { branchWith, clientOf, hello, rejection, serveHosting } from './served.js';

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

test('a list of issues is whole, though pages of it hold pull requests, too', async () => {
  const { rest, graphql } = sandbox.client;
  await branchWith(sandbox.client, 'topic', 'tide.txt', 'low');
  await rest.pulls.create({ ...hello, title: 'Tides', head: 'topic', base: 'main' });
  for (let number = 2; number <= 206; number++) await rest.issues.create({ ...hello, title: `Tide ${number}` });
  const asked = `query($after: String) { repository(owner: "octo", name: "hello") {
    issues(first: 3, after: $after) { totalCount nodes { number } pageInfo { hasNextPage } } } }`;
  const after = Buffer.from('cursor:202').toString('base64');
  expect(await graphql(asked, { after })).toEqual({
    repository: {
      issues: {
        totalCount: 205,
        nodes: [{ number: 204 }, { number: 205 }, { number: 206 }],
        pageInfo: { hasNextPage: false },
      },
    },
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

test('labels, people and milestones are named by their ids, and what a name leads to may be absent', async () => {
  const { rest, graphql } = sandbox.client;
  await rest.issues.createMilestone({ ...hello, title: 'Spring' });
  await rest.issues.createLabel({ ...hello, name: 'tide', color: 'ff0000' });
  const asked = `{ user(login: "octo") { id } repository(owner: "octo", name: "hello") {
    id label(name: "tide") { id } lost: label(name: "none") { id } other: label(name: "bug") { id }
    milestones(first: 9, states: OPEN) { nodes { id title } } milestone(number: 9) { id } release(tagName: "v9") { id } latestRelease { id }
    ref(qualifiedName: "refs/heads/main") { name target { oid ... on Commit { messageHeadline } } } gone: ref(qualifiedName: "none") { name }
    assignableUsers(first: 9) { nodes { login } } } }`;
  const { user, repository: home } = await graphql<Named>(asked);
  const { data: main } = await rest.git.getRef({ ...hello, ref: 'heads/main' });
  expect(home).toMatchObject({
    lost: null,
    milestone: null,
    release: null,
    latestRelease: null,
    gone: null,
    ref: { name: 'main', target: { oid: main.object.sha, messageHeadline: 'Initial commit' } },
    assignableUsers: { nodes: [{ login: 'octo' }] },
  });
  const [{ id: milestoneId }] = home.milestones.nodes;
  const marks = { labelIds: [home.label.id], assigneeIds: [user.id], milestoneId };
  const shown = 'number title labels(first: 9) { nodes { name } } assignees(first: 9) { nodes { login } } milestone { title }';
  const marked = { labels: { nodes: [{ name: 'tide' }] }, assignees: { nodes: [{ login: 'octo' }] }, milestone: { title: 'Spring' } };
  const make = `mutation($input: CreateIssueInput!) { createIssue(input: $input) { issue { id ${shown} } } }`;
  const { createIssue } = await graphql<{ createIssue: { issue: { id: string } } }>(make, { input: { repositoryId: home.id, title: 'Gate', ...marks } });
  expect(createIssue.issue).toMatchObject(marked);
  const subject = createIssue.issue.id;
  const swap = `mutation($id: ID!, $on: [ID!]!, $off: [ID!]!) {
    addLabelsToLabelable(input: { labelableId: $id, labelIds: $on }) { labelable { labels(first: 9) { nodes { name } } } }
    removeLabelsFromLabelable(input: { labelableId: $id, labelIds: $off }) { labelable { ... on Issue { labels(first: 9) { nodes { name } } } } }
    lockLockable(input: { lockableId: $id, lockReason: TOO_HEATED }) { lockedRecord { locked activeLockReason } }
  }`;
  expect(await graphql(swap, { id: subject, on: [home.other.id], off: [home.label.id] })).toEqual({
    addLabelsToLabelable: { labelable: { labels: { nodes: [{ name: 'tide' }, { name: 'bug' }] } } },
    removeLabelsFromLabelable: { labelable: { labels: { nodes: [{ name: 'bug' }] } } },
    lockLockable: { lockedRecord: { locked: true, activeLockReason: 'TOO_HEATED' } },
  });
  await branchWith(sandbox.client, 'topic', 'tide.txt', 'low');
  const { data: pull } = await rest.pulls.create({ ...hello, title: 'Tides', head: 'topic', base: 'main' });
  const change = `mutation($input: UpdatePullRequestInput!) { updatePullRequest(input: $input) { pullRequest { ${shown} } } }`;
  expect(await graphql(change, { input: { pullRequestId: pull.node_id, title: 'High tides', ...marks } })).toEqual({
    updatePullRequest: { pullRequest: { number: 2, title: 'High tides', ...marked } },
  });
  await graphql('mutation($id: ID!) { deleteIssue(input: { issueId: $id }) { clientMutationId } }', { id: subject });
  expect((await rejection(rest.issues.get({ ...hello, issue_number: 1 })))[0]).toBe(404);
});

interface Named {
  readonly user: { readonly id: string };
  readonly repository: Record<'label' | 'other', { readonly id: string }> & {
    readonly id: string;
    readonly milestones: { readonly nodes: readonly { readonly id: string }[] };
  };
}

test('a review decides, and a rule says why a pull request is not clean', async () => {
  const { rest, graphql } = sandbox.client;
  await sandbox.control.seed({
    resources: {
      users: [{ id: 'mona' }],
      collaborators: [{ id: 'octo/hello/mona', repo_id: 'octo/hello', login: 'mona' }],
      access_tokens: [{ id: 'of-mona', token: 'ghp_mona', user_login: 'mona', scope: ['repo'] }],
    },
  });
  const sha = await branchWith(sandbox.client, 'topic', 'tide.txt', 'low');
  const { data: pull } = await rest.pulls.create({ ...hello, title: 'Tides', head: 'topic', base: 'main' });
  await sandbox.control.advance({ duration: '2s' });
  const asked = `query($id: ID!) { node(id: $id) { ... on PullRequest { mergeStateStatus reviewDecision latestReviews(first: 9) { nodes { state } }
    baseRef { branchProtectionRule { requiredApprovingReviewCount requiresStrictStatusChecks } } } } }`;
  const state = async (): Promise<unknown> => (await graphql<{ node: unknown }>(asked, { id: pull.node_id })).node;
  const none = { latestReviews: { nodes: [] } };
  expect(await state()).toEqual({ mergeStateStatus: 'CLEAN', reviewDecision: null, ...none, baseRef: { branchProtectionRule: null } });
  await rest.repos.createCommitStatus({ ...hello, sha, state: 'pending', context: 'lint' });
  expect(await state()).toMatchObject({ mergeStateStatus: 'UNSTABLE' });
  await rest.repos.updateBranchProtection({
    ...hello,
    branch: 'main',
    required_status_checks: null,
    enforce_admins: false,
    required_pull_request_reviews: { required_approving_review_count: 1 },
    restrictions: null,
  });
  const branchProtectionRule = { requiredApprovingReviewCount: 1, requiresStrictStatusChecks: false };
  expect(await state()).toEqual({ mergeStateStatus: 'BLOCKED', reviewDecision: 'REVIEW_REQUIRED', ...none, baseRef: { branchProtectionRule } });
  const mona = clientOf(sandbox, 'ghp_mona');
  await mona.rest.pulls.createReview({ ...hello, pull_number: pull.number, event: 'APPROVE' });
  await rest.repos.createCommitStatus({ ...hello, sha, state: 'success', context: 'lint' });
  expect(await state()).toMatchObject({ mergeStateStatus: 'CLEAN', reviewDecision: 'APPROVED', latestReviews: { nodes: [{ state: 'APPROVED' }] } });
});

test('connections show what their arguments ask for: reviews, comments, teams and their repositories', async () => {
  const { rest, graphql } = sandbox.client;
  await sandbox.control.seed({
    resources: {
      users: [{ id: 'reef', type: 'Organization' }, { id: 'mona' }],
      repos: ['coral', 'sand'].map((name, at) => ({ id: `reef/${name}`, num: 70 + at, owner_login: 'reef', name })),
      teams: [{ id: 'reef/divers', org: 'reef', slug: 'divers', name: 'Divers' }, { id: 'reef/eels', org: 'reef', slug: 'eels', name: 'Eels', privacy: 'secret' }],
      access_tokens: [{ id: 'of-mona', token: 'ghp_mona', user_login: 'mona', scope: ['repo'] }],
    },
  });
  for (const repo of ['coral', 'sand'])
    await rest.teams.addOrUpdateRepoPermissionsInOrg({ org: 'reef', team_slug: 'divers', owner: 'reef', repo, permission: 'pull' });
  await branchWith(sandbox.client, 'topic', 'tide.txt', 'low');
  const { data: pull } = await rest.pulls.create({ ...hello, title: 'Tides', head: 'topic', base: 'main' });
  const at = { ...hello, pull_number: pull.number };
  await clientOf(sandbox, 'ghp_mona').rest.pulls.createReview({ ...at, event: 'APPROVE' });
  await rest.pulls.createReview({ ...at, event: 'COMMENT', body: 'Hm' });
  for (const body of ['one', 'two']) await rest.issues.createComment({ ...hello, issue_number: pull.number, body });
  const asked = `{
    organization(login: "reef") { secret: teams(first: 9, privacy: SECRET) { nodes { slug privacy } } teams(first: 9, privacy: VISIBLE) {
      nodes { slug repositories(first: 9, query: "cor") { nodes { name } } } } }
    repository(owner: "octo", name: "hello") { collaborators(first: 9) { nodes { login } } pullRequest(number: ${pull.number}) {
      approved: reviews(first: 9, states: [APPROVED]) { nodes { state } } octos: reviews(first: 9, author: "octo") { nodes { state } }
      comments(last: 1, orderBy: { field: UPDATED_AT, direction: DESC }) { totalCount nodes { body } } } } }`;
  expect(await graphql(asked)).toEqual({
    organization: {
      secret: { nodes: [{ slug: 'eels', privacy: 'SECRET' }] },
      teams: { nodes: [{ slug: 'divers', repositories: { nodes: [{ name: 'coral' }] } }] },
    },
    repository: {
      collaborators: { nodes: [{ login: 'octo' }] },
      pullRequest: {
        approved: { nodes: [{ state: 'APPROVED' }] },
        octos: { nodes: [{ state: 'COMMENTED' }] },
        comments: { totalCount: 2, nodes: [{ body: 'one' }] },
      },
    },
  });
});
