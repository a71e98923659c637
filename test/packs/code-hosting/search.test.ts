import { branchWith, hello, serveHosting } from './served.js';

/** How people search: words, phrases, qualifiers, what joins them, and what can't be read. */

const sandbox = serveHosting();

/** Issues 1 to 3 and a draft pull request 4. */
async function somethingToFind(): Promise<void> {
  const { rest } = sandbox.client;
  await rest.issues.create({ ...hello, title: 'Crash on start', labels: ['bug', 'help wanted'], body: 'a stack trace' });
  await rest.issues.create({ ...hello, title: 'Dark mode', labels: ['enhancement'], body: 'for @octo' });
  const { data: third } = await rest.issues.create({ ...hello, title: 'Crash on exit', labels: ['bug'], assignees: ['octo'] });
  await rest.issues.update({ ...hello, issue_number: third.number, state: 'closed', state_reason: 'not_planned' });
  await rest.issues.createComment({ ...hello, issue_number: 2, body: 'needle in a comment' });
  await branchWith(sandbox.client, 'fix-crash', 'x', '1');
  await rest.pulls.create({ ...hello, title: 'Fix crash', head: 'fix-crash', base: 'main', draft: true });
}

async function found(q: string): Promise<number[]> {
  const { data } = await sandbox.client.rest.search.issuesAndPullRequests({ q });
  expect(data.total_count).toBe(data.items.length);
  return data.items.map(({ number }) => number).sort();
}

test('issues are found by words, phrases and qualifiers', async () => {
  await somethingToFind();
  const cases: [q: string, numbers: number[]][] = [
    ['repo:octo/hello', [1, 2, 3, 4]],
    ['is:issue', [1, 2, 3]],
    ['is:issue is:open', [1, 2]],
    ['IS:ISSUE is:OPEN', [1, 2]],
    ['label:"help wanted"', [1]],
    ['label:"Help Wanted"', [1]],
    ['label:bug,enhancement', [1, 2, 3]],
    ['label:"help wanted",enhancement', [1, 2]],
    ['label:bug label:"help wanted"', [1]],
    ['label:bug -label:"help wanted"', [3]],
    ['-label:bug is:issue', [2]],
    ['no:label', [4]],
    ['no:assignee is:issue', [1, 2]],
    ['-no:assignee', [3]],
    ['crash', [1, 3, 4]],
    ['CRASH exit', [3]],
    ['"Crash on exit"', [3]],
    ['"on exit" crash', [3]],
    ['trace', [1]],
    ['trace in:title', []],
    ['trace in:body', [1]],
    ['needle in:comments', [2]],
    ['needle in:title,body', []],
    ['crash NOT start is:issue', [3]],
    ['crash -start is:issue', [3]],
    ['crash AND exit', [3]],
    ['start OR dark', [1, 2]],
    ['crash (start OR exit) is:issue', [1, 3]],
    ['is:issue (label:enhancement OR (crash AND NOT exit))', [1, 2]],
    ['draft:true', [4]],
    ['is:draft', [4]],
    ['draft:false is:pr', []],
    ['reason:"not planned"', [3]],
    ['author:octo is:pr', [4]],
    ['author:@me is:pr', [4]],
    ['author:OCTO is:pr', [4]],
    ['author:mona author:octo is:pr', [4]],
    ['-author:octo', []],
    ['assignee:octo', [3]],
    ['assignee:*', [3]],
    ['mentions:octo', [2]],
    ['commenter:octo', [2]],
    ['comments:>0', [2]],
    ['comments:1', [2]],
    ['comments:0 is:issue', [1, 3]],
    ['comments:1..5', [2]],
    ['comments:*..0 is:issue', [1, 3]],
    ['created:2025-01-01 is:issue', [1, 2, 3]],
    ['created:>2025-01-01', []],
    ['created:>=2025-01-01 is:pr', [4]],
    ['created:2019-01-01..2024-12-31', []],
    ['created:2024-12-31..* is:pr', [4]],
    ['created:"<2025-01-01T00:00:01Z" is:pr', [4]],
    ['head:fix', [4]],
    ['base:main', [4]],
    ['is:unmerged', [4]],
    ['review:none', [4]],
    ['status:success', []],
    ['user:octo is:pr', [4]],
    ['sort:created-asc is:pr', [4]],
    ['"label:bug"', []],
    ['https://example.com', []],
    ['nothing-like-it', []],
    ['crash "', [1, 3, 4]],
    ['crash AND', [1, 3, 4]],
    ['label:bug OR', [1, 3]],
  ];
  for (const [at, [q, numbers]] of cases.entries()) {
    // The vendor takes 30 searches a minute.
    if (at % 25 === 24) await sandbox.control.advance({ duration: '61s' });
    expect([q, await found(q)]).toEqual([q, numbers]);
  }
});

test.each([
  ['', { field: 'q', code: 'missing' }],
  ['  ', { code: 'missing' }],
  ['repo:octo/nothing', { code: 'invalid', message: expect.stringMatching(/cannot be searched/) as string }],
  ['user:nobody-at-all', { code: 'invalid' }],
  ['created:yesterday', { message: expect.stringMatching(/"yesterday" is not a recognized date/) as string }],
  ['created:2025-02-31..2025-13-01', { code: 'invalid' }],
  ['comments:many', { code: 'invalid' }],
  ['comments:>', { code: 'invalid' }],
  ['is:nonsense', { code: 'invalid' }],
  ['review:maybe', { code: 'invalid' }],
  ['crash in:nowhere', { code: 'invalid' }],
  ['NOT', { message: expect.stringMatching(/only logical operators/) as string }],
  ['a OR b OR c OR d OR e OR f OR g', { message: 'More than five AND / OR / NOT operators were used.' }],
  ['x'.repeat(257), { message: 'The search is longer than 256 characters.' }],
])('a search for %j is rejected', async (q, error) => {
  const search = sandbox.client.rest.search.issuesAndPullRequests({ q });
  await expect(search).rejects.toMatchObject({
    status: 422,
    response: { data: { message: 'Validation Failed', errors: [{ resource: 'Search', ...error }] } },
  });
});

test('deep parentheses and long rows of operators are read in time', async () => {
  for (const q of ['('.repeat(200), `${'('.repeat(100)}a${')'.repeat(100)}`, '-'.repeat(200), '"'.repeat(201)])
    expect([200, 422]).toContain((await fetch(`${sandbox.url}/search/issues?q=${encodeURIComponent(q)}`, { headers: { authorization: `Bearer ${sandbox.key}` } })).status);
});

test('repositories, people and code are found by the same rules', async () => {
  const { rest } = sandbox.client;
  await rest.repos.createForAuthenticatedUser({ name: 'secret-plans', private: true, description: 'Of two words' });
  await branchWith(sandbox.client, 'topic', 'docs/guide.md', 'how "it" works\n');
  const { data: pull } = await rest.pulls.create({ ...hello, title: 'Guide', head: 'topic', base: 'main' });
  await rest.pulls.merge({ ...hello, pull_number: pull.number });
  const names = async (q: string) => (await rest.search.repos({ q })).data.items.map(({ name }) => name).sort();
  expect(await names('user:octo')).toEqual(['hello', 'secret-plans']);
  expect(await names('"two words"')).toEqual(['secret-plans']);
  expect(await names('words in:name')).toEqual([]);
  expect(await names('is:private')).toEqual(['secret-plans']);
  expect(await names('user:octo NOT secret stars:<1')).toEqual(['hello']);
  await expect(names('stars:lots')).rejects.toMatchObject({ status: 422 });
  expect((await rest.search.users({ q: 'oct in:login type:user' })).data.items.map(({ login }) => login)).toEqual(['octo']);
  const paths = async (q: string) => (await rest.search.code({ q })).data.items.map(({ path }) => path);
  expect(await paths('repo:octo/hello works')).toEqual(['docs/guide.md']);
  expect(await paths('works extension:md path:docs')).toEqual(['docs/guide.md']);
  expect(await paths('repo:octo/hello filename:README.md')).toEqual(['README.md']);
  await expect(paths('repo:octo/nothing x')).rejects.toMatchObject({ status: 422 });
});

test('linked issues and pull requests, drafts and what has something', async () => {
  const { rest } = sandbox.client;
  await rest.issues.create({ ...hello, title: 'Leak', assignees: ['octo'] });
  await branchWith(sandbox.client, 'topic', 'a.txt', 'a');
  await rest.pulls.create({ ...hello, title: 'Mend', head: 'topic', base: 'main', body: 'Fixes #1', draft: true });
  const found = async (q: string) => (await rest.search.issuesAndPullRequests({ q: `repo:octo/hello ${q}` })).data.items.map(({ number }) => number);
  for (const [q, numbers] of [
    ['linked:pr', [1]],
    ['linked:issue', [2]],
    ['-linked:pr is:issue', []],
    ['draft:true', [2]],
    ['draft:false', []],
    ['has:assignee', [1]],
    ['has:milestone', []],
  ] as const)
    expect([q, await found(q)]).toEqual([q, numbers]);
});
