import { base64, branchWith, hello, serveHosting } from './served.js';

/** What changes: hunks, diffs and patches as git writes them, and the lines that comments on code may be about. */

const sandbox = serveHosting();
const SIXTY = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`);

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

async function put(path: string, content: string, more: { branch?: string; sha?: string; message?: string } = {}) {
  const call = { ...hello, path, message: `Write ${path}`, content: base64(content), ...more };
  return (await sandbox.client.rest.repos.createOrUpdateFileContents(call)).data;
}

/** A pull request that changes files of main, in one commit each. */
async function pullOf(files: Record<string, readonly [before: string | null, after: string | null]>) {
  const { rest } = sandbox.client;
  for (const [path, [before]] of Object.entries(files)) if (before !== null) await put(path, before);
  const { data: main } = await rest.git.getRef({ ...hello, ref: 'heads/main' });
  await rest.git.createRef({ ...hello, ref: 'refs/heads/topic', sha: main.object.sha });
  for (const [path, [before, after]] of Object.entries(files)) {
    const sha = before === null ? undefined : await shaOf(path);
    if (after === null) await rest.repos.deleteFile({ ...hello, path, message: `Drop ${path}`, sha: String(sha), branch: 'topic' });
    else if (after !== before) await put(path, after, { branch: 'topic', sha });
  }
  return (await rest.pulls.create({ ...hello, title: 'Change', head: 'topic', base: 'main' })).data;
}

async function shaOf(path: string): Promise<string> {
  const { data } = await sandbox.client.rest.repos.getContent({ ...hello, path });
  return Array.isArray(data) ? '' : data.sha;
}

async function patchesOf(pull_number: number) {
  const { data } = await sandbox.client.rest.pulls.listFiles({ ...hello, pull_number });
  return Object.fromEntries(data.map((file) => [file.filename, file]));
}

test.each([
  ['one line', SIXTY, SIXTY.with(29, 'changed'), '@@ -27,7 +27,7 @@ line 26\n line 27\n line 28\n line 29\n-line 30\n+changed\n line 31\n line 32\n line 33'],
  ['the first line', ['a', 'b'], ['c', 'b'], '@@ -1,2 +1,2 @@\n-a\n+c\n b'],
  ['added at the end', ['a'], ['a', 'b'], '@@ -1 +1,2 @@\n a\n+b'],
  ['a repeated line', ['a', 'b', 'c'], ['a', 'b', 'b', 'c'], '@@ -1,3 +1,4 @@\n a\n b\n+b\n c'],
  [
    'two places far from each other',
    SIXTY,
    SIXTY.with(9, 'x').toSpliced(49, 1),
    '@@ -7,7 +7,7 @@ line 6\n line 7\n line 8\n line 9\n-line 10\n+x\n line 11\n line 12\n line 13\n' +
      '@@ -47,7 +47,6 @@ line 46\n line 47\n line 48\n line 49\n-line 50\n line 51\n line 52\n line 53',
  ],
])('the hunks of a change: %s', async (_, before, after, patch) => {
  const pull = await pullOf({ 'a.txt': [text(before), text(after)] });
  expect((await patchesOf(pull.number))['a.txt'].patch).toBe(patch);
});

test('files are counted by lines, and what has no lines has no patch', async () => {
  const pull = await pullOf({
    'same.txt': ['1\n', '1\n'],
    'end.txt': ['a\nb', 'a\nb\n'],
    'empty.txt': [null, ''],
    'image.png': [null, '\u0000\u0001'],
    'old.txt': ['gone\n', null],
    'moved.txt': [null, 'moved\n'],
    'before.txt': ['moved\n', null],
  });
  const files = await patchesOf(pull.number);
  expect(Object.keys(files)).toEqual(['empty.txt', 'end.txt', 'image.png', 'moved.txt', 'old.txt']);
  expect(files['end.txt']).toMatchObject({
    status: 'modified',
    additions: 1,
    deletions: 1,
    patch: '@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b',
  });
  expect(files['moved.txt']).toMatchObject({ status: 'renamed', previous_filename: 'before.txt', changes: 0 });
  expect(files['old.txt']).toMatchObject({ status: 'removed', patch: '@@ -1 +0,0 @@\n-gone' });
  for (const name of ['empty.txt', 'image.png', 'moved.txt']) expect(files[name]).not.toHaveProperty('patch');
});

test('pull requests, commits and comparisons are served as diffs and patches', async () => {
  const { rest } = sandbox.client;
  const pull = await pullOf({ 'a.txt': ['one\ntwo\n', 'one\n2\n'], 'b.txt': [null, 'new\n'] });
  const diff =
    'diff --git a/a.txt b/a.txt\nindex 814f4a4..99b356d 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n' +
    'diff --git a/b.txt b/b.txt\nnew file mode 100644\nindex 0000000..3e75765\n--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+new\n';
  const of = { ...hello, pull_number: pull.number };
  const basehead = 'main...topic';
  expect((await rest.pulls.get({ ...of, mediaType: { format: 'diff' } })).data).toBe(diff);
  expect((await rest.repos.compareCommitsWithBasehead({ ...hello, basehead, mediaType: { format: 'diff' } })).data).toBe(diff);
  const tip = { ...hello, ref: 'topic' };
  expect((await rest.repos.getCommit({ ...tip, mediaType: { format: 'sha' } })).data).toBe(pull.head.sha);
  expect((await rest.repos.getCommit({ ...tip, mediaType: { format: 'diff' } })).data).toBe(diff.slice(diff.indexOf('diff --git a/b')));
  const patch = String((await rest.pulls.get({ ...of, mediaType: { format: 'patch' } })).data);
  expect(patch.match(/^Subject: .*$/gm)).toEqual(['Subject: [PATCH 1/2] Write a.txt', 'Subject: [PATCH 2/2] Write b.txt']);
  expect(patch).toContain('---\n a.txt | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\ndiff --git a/a.txt');
  expect(patch).toContain(' create mode 100644 b.txt\n');
  expect((await rest.repos.compareCommitsWithBasehead({ ...hello, basehead, mediaType: { format: 'patch' } })).data).toBe(patch);
});

const THREAD = 'pull_request_review_thread';
test.each([
  [{ line: 30 }, { line: 30, position: 5, side: 'RIGHT', subject_type: 'line' }],
  [{ line: 30, side: 'LEFT' }, { line: 30, position: 4, side: 'LEFT' }],
  [{ line: 30, side: 'left' as string as 'LEFT' }, { line: 30, position: 4, side: 'LEFT' }],
  [{ line: 31, start_line: 29 }, { line: 31, start_line: 29, start_side: 'RIGHT' }],
  [{ position: 4 }, { line: 30, side: 'LEFT' }],
  [{ subject_type: 'file' }, { subject_type: 'file', line: null, position: null }],
  [{ line: 10_000 }, `${THREAD}.line`],
  [{ line: 0 }, `${THREAD}.line`],
  [{ line: 5 }, `${THREAD}.line`],
  [{ line: 30, path: 'untouched.txt' }, `${THREAD}.path`],
  [{ line: 30, path: 'no/such.txt', subject_type: 'file' }, `${THREAD}.path`],
  [{ line: 29, start_line: 31 }, `${THREAD}.start_line`],
  [{ line: 30, start_line: 30 }, `${THREAD}.start_line`],
  [{ line: 52, start_line: 30 }, `${THREAD}.start_line`],
  [{ line: 30, start_line: 3 }, `${THREAD}.start_line`],
  [{ position: 100 }, `${THREAD}.position`],
  [{ position: 0 }, `${THREAD}.position`],
  [{ line: 30, commit_id: 'f'.repeat(40) }, 'commit_id'],
] as const)('a comment on code with %j', async (asked, expected) => {
  const pull = await pullOf({ 'a.txt': [text(SIXTY), text(SIXTY.with(29, 'changed').with(51, 'too'))], 'untouched.txt': ['u\n', 'u\n'] });
  const of = { ...hello, pull_number: pull.number };
  const call = { ...of, body: 'b', path: 'a.txt', commit_id: pull.head.sha, ...asked };
  const made = sandbox.client.rest.pulls.createReviewComment(call);
  if (typeof expected === 'string') {
    await expect(made).rejects.toMatchObject({
      status: 422,
      response: { data: { message: 'Validation Failed', errors: [{ resource: 'PullRequestReviewComment', field: expected }] } },
    });
    expect((await sandbox.client.rest.pulls.listReviews(of)).data).toEqual([]);
  } else expect((await made).data).toMatchObject(expected);
});

test('a review is kept with all of its comments or not at all', async () => {
  const pull = await pullOf({ 'a.txt': [text(SIXTY), text(SIXTY.with(29, 'changed'))] });
  const of = { ...hello, pull_number: pull.number };
  const { rest } = sandbox.client;
  const comments = (line: number) => [{ path: 'a.txt', line, body: 'x' }];
  const refused = rest.pulls.createReview({ ...of, event: 'COMMENT', comments: [...comments(30), ...comments(500)] });
  await expect(refused).rejects.toMatchObject({ status: 422, response: { data: { errors: ['Line could not be resolved'] } } });
  expect((await rest.pulls.listReviews(of)).data).toEqual([]);
  const { data: review } = await rest.pulls.createReview({ ...of, event: 'COMMENT', comments: comments(30) });
  const { data: kept } = await rest.pulls.listReviewComments(of);
  expect(kept).toMatchObject([{ pull_request_review_id: review.id, line: 30, diff_hunk: expect.stringMatching(/\+changed$/) as string }]);
  await expect(rest.pulls.deletePendingReview({ ...of, review_id: review.id })).rejects.toMatchObject({ status: 422 });
  const { data: reply } = await rest.pulls.createReplyForReviewComment({ ...of, comment_id: kept[0].id, body: 'y' });
  expect(reply).toMatchObject({ in_reply_to_id: kept[0].id, line: 30, path: 'a.txt' });
  // The vendor puts a reply to a reply beside it, although its document doesn't support that.
  const { data: other } = await rest.pulls.createReplyForReviewComment({ ...of, comment_id: reply.id, body: 'z' });
  expect(other).toMatchObject({ in_reply_to_id: kept[0].id, line: 30 });
});

test.each([
  ['REQUEST_CHANGES', 'You need to leave a comment indicating the requested changes.'],
  ['COMMENT', "Pull request review body can't be blank"],
] as const)('a review that says %s says something', async (event, message) => {
  await branchWith(sandbox.client, 'topic', 'new.txt', 'new\n');
  const { data: pull } = await sandbox.client.rest.pulls.create({ ...hello, title: 'Add', head: 'topic', base: 'main' });
  await expect(sandbox.client.rest.pulls.createReview({ ...hello, pull_number: pull.number, event, body: ' ' })).rejects.toMatchObject({
    status: 422,
    response: { data: { errors: [message] } },
  });
});
