import { call } from '../../support/http.js';
import { base64, hello, serveHosting } from './served.js';

/** Pages of lists with their Link headers, and what is below the numbers that objects have. */

const sandbox = serveHosting();

/** The pages that a Link header leads to, by `rel`. */
async function linksOf(query: string): Promise<readonly [Record<string, string>, number]> {
  const { headers, body } = await call<unknown[]>(sandbox, `GET /repos/octo/hello/issues${query}`);
  const links = [...String(headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)];
  return [Object.fromEntries(links.map(([, url, rel]) => [rel, String(new URL(url).searchParams.get('page'))])), body.length];
}

test('Link headers lead through the pages, and from beyond them to the last', async () => {
  for (let n = 0; n < 5; n++) await sandbox.client.rest.issues.create({ ...hello, title: `No ${n}` });
  expect(await linksOf('?per_page=2')).toEqual([{ next: '2', last: '3' }, 2]);
  expect(await linksOf('?per_page=2&page=2')).toEqual([{ prev: '1', next: '3', last: '3', first: '1' }, 2]);
  expect(await linksOf('?per_page=2&page=3')).toEqual([{ prev: '2', first: '1' }, 1]);
  expect(await linksOf('?per_page=2&page=9')).toEqual([{ prev: '3', last: '3', first: '1' }, 0]);
  expect(await linksOf('?per_page=2&page=0')).toEqual([{ next: '2', last: '3' }, 2]);
  for (const query of ['', '?page=none', '?per_page=0', '?per_page=-1', '?per_page=many', '?per_page=500'])
    expect([query, await linksOf(query)]).toEqual([query, [{}, 5]]);
});

test('links repeat the size as it was asked for, and other parameters', async () => {
  for (let n = 0; n < 2; n++) await sandbox.client.rest.issues.create({ ...hello, title: `No ${n}` });
  const { headers } = await call(sandbox, 'GET /repos/octo/hello/issues?state=all&per_page=1&sort=updated');
  expect(headers.get('link')).toContain('/repos/octo/hello/issues?state=all&per_page=1&sort=updated&page=2>; rel="next"');
});

test('what is below a repository, a person, an organization or a team is also below their numbers', async () => {
  const { rest } = sandbox.client;
  await sandbox.control.seed({
    resources: {
      users: [{ id: 'reef', num: 77, type: 'Organization', profile: { name: 'Reef', company: '', blog: '', location: '', email: 'reef@example.com' } }],
      repos: [{ id: 'reef/coral', num: 78, owner_login: 'reef', name: 'coral' }],
      teams: [{ id: 'reef/divers', num: 79, org: 'reef', slug: 'divers', name: 'Divers' }],
    },
  });
  const { data: home } = await rest.repos.get(hello);
  const below = async (path: string): Promise<unknown> => (await call(sandbox, `GET ${path}`)).body;
  for (const [number, name] of [
    [`/repositories/${home.id}`, '/repos/octo/hello'],
    [`/repositories/${home.id}/labels?per_page=2`, '/repos/octo/hello/labels?per_page=2'],
    ['/organizations/77', '/orgs/reef'],
    ['/organizations/77/repos', '/orgs/reef/repos'],
    ['/organizations/77/team/79', '/orgs/reef/teams/divers'],
    ['/teams/79/members', '/orgs/reef/teams/divers/members'],
    [`/user/${home.owner.id}/repos`, '/users/octo/repos'],
  ])
    expect(await below(number)).toEqual(await below(name));
  const made = await call(sandbox, `POST /repositories/${home.id}/issues`, { title: 'By number' });
  expect([made.status, made.body['number']]).toEqual([201, 1]);
  const content = { message: 'Add', content: base64('low') };
  expect((await call(sandbox, `PUT /repositories/${home.id}/contents/tide.txt`, content)).status).toBe(201);
  for (const path of ['/repositories/1/labels', '/organizations/78', '/user/keys', '/organizations/77/team/80'])
    expect([path, (await call(sandbox, `GET ${path}`)).status]).toEqual([path, 404]);
});

test('a browser at / is led to the inspector, a client gets the addresses of calls', async () => {
  const page = await fetch(`${String(sandbox.url)}/`, { headers: { accept: 'text/html,*/*;q=0.8' }, redirect: 'manual' });
  expect([page.status, page.headers.get('location')]).toEqual([302, '/__admin__/']);
  expect((await sandbox.client.rest.meta.root()).data).toMatchObject({ emojis_url: `${String(sandbox.url)}/emojis` });
  const plain = await fetch(`${String(sandbox.url)}/`, { headers: { accept: '*/*' } });
  expect(await plain.json()).toHaveProperty('current_user_url');
});

test('repositories of an organization are sorted by name, and another order that nobody has is an error', async () => {
  const users = [{ id: 'shore', type: 'Organization' }];
  const made = { zz: '2020-01-01T00:00:00Z', Aa: '2021-01-01T00:00:00Z' };
  const repos = Object.entries(made).map(([name, created_at]) => ({ id: `shore/${name}`, owner_login: 'shore', name, created_at }));
  await sandbox.control.seed({ resources: { users, repos } });
  const sorted = await call<{ full_name: string }[]>(sandbox, 'GET /orgs/shore/repos?sort=full_name');
  expect(sorted.body.map((each) => each.full_name)).toEqual(['shore/Aa', 'shore/zz']);
  const backwards = await call<{ full_name: string }[]>(sandbox, 'GET /orgs/shore/repos?sort=full_name&direction=desc');
  expect(backwards.body.map((each) => each.full_name)).toEqual(['shore/zz', 'shore/Aa']);
  // Without a word the oldest is first, sorted by age the newest.
  const names = async (query: string): Promise<string[]> =>
    (await call<{ name: string }[]>(sandbox, `GET /orgs/shore/repos${query}`)).body.map(({ name }) => name);
  expect([await names(''), await names('?sort=created')]).toEqual([['zz', 'Aa'], ['Aa', 'zz']]);
  expect((await call(sandbox, 'GET /orgs/shore/repos?sort=depth')).status).toBe(422);
});

test('names of people, organizations, repositories, teams and labels are found in any case, by every call that reads', async () => {
  await sandbox.control.seed({ name: 'small-project' });
  await sandbox.control.seed({
    resources: {
      users: [{ id: 'reef', num: 77, type: 'Organization' }],
      repos: [{ id: 'reef/coral', num: 78, owner_login: 'reef', name: 'coral' }],
      teams: [{ id: 'reef/divers', num: 79, org: 'reef', slug: 'divers', name: 'Divers' }],
      org_members: ['mira', 'octo'].map((login) => ({ id: `reef/${login}`, org: 'reef', login, public: true })),
      team_members: [{ id: 'reef/divers/mira', team_id: 'reef/divers', login: 'mira' }],
    },
  });
  const folding: Record<string, string> = { owner: 'octo', repo: 'tide', org: 'reef', username: 'mira', login: 'mira', team_slug: 'divers', team: 'divers' };
  const others: Record<string, string> = { issue_number: '1', pull_number: '3', branch: 'main', ref: 'heads/main', path: 'README.md' };
  const differing: string[] = [];
  let found = 0;
  const compare = async (path: string, other: string): Promise<void> => {
    const [own, folded] = [await call(sandbox, `GET ${path}`), await call(sandbox, `GET ${other}`)];
    if (own.status < 300) found++;
    const texts = [own, folded].map(({ status, text }) => `${status} ${text.replaceAll(other.split('?')[0], path.split('?')[0])}`);
    if (texts[0] !== texts[1]) differing.push(other);
  };
  for (const { routes } of sandbox.engine.pack.operations)
    for (const { method, path, names } of routes) {
      if (method !== 'GET' || !names.some((name) => name in folding)) continue;
      const filled = (upper: boolean): string =>
        path.replace(/\{(\w+)\+?\}/g, (_, name: string) => (name in folding ? (upper ? folding[name].toUpperCase() : folding[name]) : (others[name] ?? '1')));
      await compare(filled(false), filled(true));
    }
  const issues = '/repos/octo/tide/issues?state=all&';
  for (const query of ['creator=mira', 'creator=tom', 'assignee=mira', 'labels=bug', 'mentioned=octo'])
    await compare(issues + query, issues + query.replace(/=(.*)/, (_, value: string) => `=${value.toUpperCase()}`));
  await compare('/repos/octo/tide/commits?author=mira', '/repos/octo/tide/commits?author=MIRA');
  await compare('/repos/octo/tide/pulls?state=all&head=octo:main', '/repos/octo/tide/pulls?state=all&head=OCTO:main');
  expect(differing).toEqual([]);
  expect(found).toBeGreaterThan(60);
  for (const [method, login, assigned] of [['POST', 'MIRA', ['octo', 'mira']], ['DELETE', 'Octo', ['mira']]] as const) {
    const { body } = await call<{ assignees: { login: string }[] }>(sandbox, `${method} /repos/OCTO/tide/issues/1/assignees`, { assignees: [login] });
    expect(body.assignees.map((each) => each.login)).toEqual(assigned);
  }
  expect((await call(sandbox, 'GET /users/nobody/repos')).status).toBe(404);
});
