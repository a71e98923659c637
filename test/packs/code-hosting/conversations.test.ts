import { base64, hello, serveHosting } from './served.js';

/** Conversations on code, timelines, reactions and hidden comments, which tools ask by GraphQL only. */

const sandbox = serveHosting();
/** A response, whose members are looked up by name. */
interface Data {
  readonly [member: string]: Data;
}
const graphql = (text: string, variables: object = {}): Promise<Data> =>
  sandbox.client.graphql<Data>(text, { ...variables });

/** A pull request with one changed file of ten lines. */
async function proposed() {
  const { rest } = sandbox.client;
  const lines = Array.from({ length: 10 }, (_, at) => `line ${at + 1}`);
  const { data: main } = await rest.git.getRef({ ...hello, ref: 'heads/main' });
  const put = (path: string, text: string, branch: string, sha?: string) =>
    rest.repos.createOrUpdateFileContents({ ...hello, path, branch, message: 'x', content: base64(text), sha });
  const first = await put('a.txt', lines.join('\n'), 'main');
  await rest.git.createRef({ ...hello, ref: 'refs/heads/topic', sha: first.data.commit.sha ?? main.object.sha });
  const changed = lines.map((line, at) => (at === 4 ? 'five' : line)).join('\n');
  const second = await put('a.txt', changed, 'topic', first.data.content?.sha);
  const { data: pull } = await rest.pulls.create({ ...hello, title: 'Five `5`', head: 'topic', base: 'main', body: 'Fixes #1' });
  return { pull, sha: second.data.commit.sha ?? '', put, changed, blob: second.data.content?.sha };
}

const THREADS = `query ($id: ID!) { node(id: $id) { ... on PullRequest { reviewThreads(first: 10) { totalCount nodes {
  id isResolved isOutdated path line diffSide resolvedBy { login } viewerCanResolve
  comments(first: 10) { nodes { databaseId body state diffHunk replyTo { databaseId } pullRequestReview { state } } } } } } } }`;

test('conversations are resolved, replied to, and outdated by a push', async () => {
  const { rest } = sandbox.client;
  const { pull, sha, put, changed, blob } = await proposed();
  const place = { path: 'a.txt', line: 5, side: 'RIGHT' as const };
  const { data: root } = await rest.pulls.createReviewComment({ ...hello, pull_number: pull.number, commit_id: sha, body: 'Why?', ...place });
  const threads = async () => (await graphql(THREADS, { id: pull.node_id }))['node'].reviewThreads;
  const { nodes } = await threads();
  expect(nodes).toMatchObject([{ isResolved: false, isOutdated: false, path: 'a.txt', line: 5, diffSide: 'RIGHT', resolvedBy: null, viewerCanResolve: true }]);
  expect(nodes[0].comments.nodes).toMatchObject([{ databaseId: root.id, body: 'Why?', state: 'SUBMITTED', replyTo: null }]);
  const { id } = nodes[0];
  await graphql('mutation ($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { isResolved } } }', { id });
  await graphql(
    'mutation ($id: ID!) { addPullRequestReviewThreadReply(input: { pullRequestReviewThreadId: $id, body: "Because" }) { comment { id } } }',
    { id },
  );
  const resolved = (await threads()).nodes[0];
  expect([resolved.isResolved, resolved.resolvedBy]).toEqual([true, { login: 'octo' }]);
  expect(resolved.comments.nodes).toMatchObject([{ body: 'Why?' }, { body: 'Because', replyTo: { databaseId: root.id } }]);
  const undone = await graphql('mutation ($id: ID!) { unresolveReviewThread(input: { threadId: $id }) { thread { isResolved } } }', { id });
  expect(undone['unresolveReviewThread']).toEqual({ thread: { isResolved: false } });
  // A line above moves the comment down; a change of its own line makes it outdated.
  const moved = await put('a.txt', `top\n${changed}`, 'topic', blob);
  expect((await threads()).nodes[0]).toMatchObject({ line: 6, isOutdated: false });
  await put('a.txt', `top\n${changed.replace('five', 'six')}`, 'topic', moved.data.content?.sha);
  expect((await threads()).nodes[0]).toMatchObject({ line: null, isOutdated: true });
  const { data: outdated } = await rest.pulls.getReviewComment({ ...hello, comment_id: root.id });
  expect(outdated).toMatchObject({ line: null, position: null, original_line: 5, original_commit_id: sha });
});

test('a review is put together by conversations, then submitted', async () => {
  const { pull } = await proposed();
  const add = `mutation ($id: ID!, $line: Int!) { addPullRequestReviewThread(input: { pullRequestId: $id, path: "a.txt", line: $line, body: "x" }) {
    thread { id line comments(first: 1) { nodes { state } } } } }`;
  const { addPullRequestReviewThread: made } = await graphql(add, { id: pull.node_id, line: 5 });
  expect(made.thread).toMatchObject({ line: 5, comments: { nodes: [{ state: 'PENDING' }] } });
  await graphql(add, { id: pull.node_id, line: 4 });
  await expect(graphql(add, { id: pull.node_id, line: 99 })).rejects.toThrow(/could not be resolved/);
  const submit = `mutation ($id: ID!) { submitPullRequestReview(input: { pullRequestId: $id, event: COMMENT, body: "Done" }) {
    pullRequestReview { state body comments(first: 5) { totalCount nodes { state line } } } } }`;
  const { submitPullRequestReview: sent } = await graphql(submit, { id: pull.node_id });
  expect(sent.pullRequestReview).toMatchObject({ state: 'COMMENTED', body: 'Done', comments: { totalCount: 2, nodes: [{ state: 'SUBMITTED', line: 5 }, { line: 4 }] } });
});

test('timelines have commits, comments, reviews and events in order, and filter by kind', async () => {
  const { rest } = sandbox.client;
  await rest.issues.create({ ...hello, title: 'One' });
  const { pull } = await proposed();
  const issue = { ...hello, issue_number: pull.number };
  await rest.issues.createComment({ ...issue, body: 'Hi <b>' });
  await rest.issues.addLabels({ ...issue, labels: ['bug'] });
  await rest.pulls.createReview({ ...hello, pull_number: pull.number, event: 'COMMENT', body: 'Good' });
  await rest.pulls.merge({ ...hello, pull_number: pull.number });
  const query = `query ($id: ID!, $types: [PullRequestTimelineItemsItemType!]) { node(id: $id) { ... on PullRequest {
    titleHTML closingIssuesReferences(first: 5) { nodes { number state } } participants(first: 5) { nodes { login } }
    timelineItems(first: 50, itemTypes: $types) { totalCount nodes { __typename
      ... on LabeledEvent { label { name } actor { login } } ... on IssueComment { bodyHTML bodyText }
      ... on PullRequestReview { state bodyHTML } ... on PullRequestCommit { commit { message } }
      ... on MergedEvent { merge: commit { messageHeadline } mergeRefName } } } } } }`;
  const { node } = await graphql(query, { id: pull.node_id });
  expect(node).toMatchObject({ titleHTML: 'Five <code>5</code>', participants: { nodes: [{ login: 'octo' }] } });
  expect(node.closingIssuesReferences.nodes).toEqual([{ number: 1, state: 'CLOSED' }]);
  const names = Object.values(node.timelineItems.nodes).map((each) => each['__typename']);
  expect(names).toEqual(['PullRequestCommit', 'IssueComment', 'PullRequestReview', 'LabeledEvent', 'MergedEvent', 'ClosedEvent']);
  expect(node.timelineItems.nodes[1]).toMatchObject({ bodyText: expect.stringContaining('Hi') as string });
  const some = await graphql(query, { id: pull.node_id, types: ['LABELED_EVENT', 'MERGED_EVENT'] });
  expect(some['node'].timelineItems.nodes).toMatchObject([
    { label: { name: 'bug' }, actor: { login: 'octo' } },
    { merge: { messageHeadline: expect.stringContaining('Merge pull request') as string }, mergeRefName: 'main' },
  ]);
});

test('reactions and hidden comments', async () => {
  const { rest } = sandbox.client;
  const { data: issue } = await rest.issues.create({ ...hello, title: 'One' });
  const { data: comment } = await rest.issues.createComment({ ...hello, issue_number: issue.number, body: 'x' });
  const react = `mutation ($id: ID!) { addReaction(input: { subjectId: $id, content: THUMBS_UP }) {
    reaction { content user { login } } subject { reactionGroups { content users { totalCount } viewerHasReacted } } } }`;
  for (const id of [issue.node_id, comment.node_id]) {
    const { addReaction } = await graphql(react, { id });
    expect(addReaction.reaction).toEqual({ content: 'THUMBS_UP', user: { login: 'octo' } });
    expect(addReaction.subject.reactionGroups[0]).toEqual({ content: 'THUMBS_UP', users: { totalCount: 1 }, viewerHasReacted: true });
    expect(addReaction.subject.reactionGroups[1].users.totalCount).toBe(0);
  }
  expect((await rest.reactions.listForIssue({ ...hello, issue_number: issue.number })).data).toMatchObject([{ content: '+1' }]);
  await graphql('mutation ($id: ID!) { removeReaction(input: { subjectId: $id, content: THUMBS_UP }) { reaction { content } } }', { id: issue.node_id });
  expect((await rest.reactions.listForIssue({ ...hello, issue_number: issue.number })).data).toEqual([]);
  const hide = `mutation ($id: ID!) { minimizeComment(input: { subjectId: $id, classifier: OFF_TOPIC }) {
    minimizedComment { isMinimized minimizedReason } } }`;
  expect((await graphql(hide, { id: comment.node_id }))['minimizeComment']).toEqual({
    minimizedComment: { isMinimized: true, minimizedReason: 'off-topic' },
  });
  await graphql('mutation ($id: ID!) { deleteIssueComment(input: { id: $id }) { clientMutationId } }', { id: comment.node_id });
  expect((await rest.issues.listComments({ ...hello, issue_number: issue.number })).data).toEqual([]);
});

test('objects of git: a reference and its target, files of a commit, comparisons, checks', async () => {
  const { rest } = sandbox.client;
  const { sha } = await proposed();
  await rest.checks.create({ ...hello, name: 'ci', head_sha: sha, status: 'completed', conclusion: 'failure' });
  const query = `{ rateLimit { remaining } repository(owner: "octo", name: "hello") { autoMergeAllowed isEmpty
    object(expression: "topic:") { ... on Tree { oid entries { name object { __typename oid ... on Blob { text } } } } }
    ref(qualifiedName: "refs/heads/main") { compare(headRef: "topic") { aheadBy behindBy status commits(first: 5) { totalCount nodes { oid } } } }
    topic: ref(qualifiedName: "topic") { target { __typename oid abbreviatedOid commitUrl ... on Commit { changedFiles
      file(path: "a.txt") { name type } author { avatarUrl } parents(first: 1) { nodes { oid } }
      statusCheckRollup { state } checkSuites(first: 5) { nodes { status conclusion app { slug } checkRuns(first: 5) { nodes { name } } } } } } } } }`;
  const { repository } = await graphql(query);
  expect(repository).toMatchObject({
    autoMergeAllowed: false,
    object: { entries: expect.arrayContaining([{ name: 'a.txt', object: expect.objectContaining({ __typename: 'Blob' }) as object }]) as object },
    ref: { compare: { aheadBy: 1, behindBy: 0, status: 'AHEAD', commits: { totalCount: 1, nodes: [{ oid: sha }] } } },
    topic: {
      target: {
        __typename: 'Commit',
        oid: sha,
        abbreviatedOid: sha.slice(0, 7),
        changedFiles: 1,
        file: { name: 'a.txt', type: 'blob' },
        statusCheckRollup: { state: 'FAILURE' },
        checkSuites: { nodes: [{ status: 'COMPLETED', conclusion: 'FAILURE', checkRuns: { nodes: [{ name: 'ci' }] } }] },
      },
    },
  });
});

test('references and labels are made, moved and deleted by GraphQL', async () => {
  const { rest } = sandbox.client;
  const { sha, pull } = await proposed();
  const { repository } = await graphql('{ repository(owner: "octo", name: "hello") { id ref(qualifiedName: "main") { id } } }');
  const moved = await graphql('mutation ($id: ID!, $oid: String!) { updateRef(input: { refId: $id, oid: $oid }) { ref { name target { oid } } } }', {
    id: repository.ref.id,
    oid: sha,
  });
  expect(moved['updateRef']).toEqual({ ref: { name: 'main', target: { oid: sha } } });
  const { topic } = (await graphql('{ repository(owner: "octo", name: "hello") { topic: ref(qualifiedName: "topic") { id } } }'))['repository'];
  await graphql('mutation ($id: ID!) { deleteRef(input: { refId: $id }) { clientMutationId } }', { id: topic.id });
  expect((await rest.pulls.get({ ...hello, pull_number: pull.number })).data.state).toBe('closed');
  const made = await graphql('mutation ($id: ID!) { createLabel(input: { repositoryId: $id, name: "tidal", color: "ff0000" }) { label { name } } }', { id: repository.id });
  expect(made['createLabel']).toEqual({ label: { name: 'tidal' } });
});
