import { join } from 'node:path';
import { type Bug, loadPack, replayBug } from '../../../engine/index.js';
import { cookieAt, cookieIn, cookiePair, setCookie } from '../../../engine/codecs/cookies.js';
import { formatProblems } from '../../../engine/pack/index.js';
import { ROOT } from '../../support/root.js';
import { packIn } from '../../support/sample-pack.js';
import { forTests, made, TestSandbox } from '../../support/start-sandbox.js';
import { Visitor } from '../../support/visitor.js';

/** Cookies, pages that depend on who is signed in, and forms that call operations. */

const FOLDER = join(ROOT, 'test', 'packs', 'clubhouse');
const T0 = '2026-01-01T00:00:00Z';
const club = forTests(new TestSandbox('test/packs/clubhouse', { key: 'key_club', t0: T0 }), { reset: { t0: T0 } });
const ANN = { email: 'ann@club.example', password: 'oar & sail' };

beforeEach(async () => {
  await club.body('POST /members', ANN);
});

async function signedIn(): Promise<Visitor> {
  const ann = new Visitor(club.url);
  await ann.open('/me');
  await ann.press('Sign in', ANN);
  return ann;
}

const enter = (headers: Record<string, string> = {}) =>
  fetch(`${club.url}/enter`, { method: 'POST', body: new URLSearchParams(ANN), redirect: 'manual', headers });

test('the pack has no problem, not even a warning', () => {
  const { problems, source } = loadPack(FOLDER);
  expect(formatProblems(problems, { format: 'text', color: false, source })).toBe('');
});

test('a page without an id leads on, shows who is signed in, and forgets them', async () => {
  const ann = new Visitor(club.url);
  expect((await ann.open('/me')).url).toBe(`${club.url}/enter/again`);
  const wrong = await ann.press('Sign in', { ...ANN, password: 'x' });
  expect(wrong.html).toContain('role="alert">That is not the password of ann@club.example');
  expect(wrong.html).toContain('value="ann@club.example"');
  const { url, html } = await ann.press('Sign in', ANN);
  expect(url).toBe(`${club.url}/me`);
  expect(html).toContain('<h1>ann@club.example</h1>');
  expect((await ann.open('/enter/again')).url).toBe(`${club.url}/me`);
  await ann.open('/me');
  expect((await ann.press('Sign out')).url).toBe(`${club.url}/enter/again`);
});

test('cookies have their attributes; several go out as several headers', async () => {
  const lines = (await enter()).headers.getSetCookie();
  expect(lines.map((line) => line.replace(/=[^;]*~/, '=VALUE~').replace(/=mem_\w+/, '=MEMBER'))).toEqual([
    'club_visit=VALUE~1767254400; Path=/; Max-Age=28800; HttpOnly; SameSite=Lax',
    'theme=dark%3B%20=1; Path=/me; SameSite=Lax',
    'club_partner=MEMBER; Path=/; HttpOnly; SameSite=None; Secure',
  ]);
});

test('a cookie expires by simulated time, whatever the browser keeps', async () => {
  const ann = await signedIn();
  await club.control.advance('7h59m');
  expect((await ann.open('/me')).url).toBe(`${club.url}/me`);
  await club.control.advance('1m');
  expect((await ann.open('/me')).url).toBe(`${club.url}/enter/again`);
});

test('nobody is signed in after a reset; a fork has its own visits', async () => {
  const ann = await signedIn();
  const fork = await made(club.control, { from: {} });
  const there = await signedInAt(fork.url);
  await club.control.reset({ t0: T0 });
  expect((await ann.open('/me')).url).toBe(`${club.url}/enter/again`);
  expect((await there.open('/me')).url).toBe(`${fork.url}/me`);
});

async function signedInAt(url: string): Promise<Visitor> {
  const ann = new Visitor(url);
  await ann.open('/me');
  await ann.press('Sign in', ANN);
  return ann;
}

const whoami = async (headers: Record<string, string>) => {
  const { cookies } = await signedIn();
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const { body } = await club.call<Record<string, string | null>>('GET /whoami', undefined, { cookie, ...headers });
  const { visit, theme, partner } = body;
  return [visit, theme, partner].map((each) => each !== null);
};

test.each([
  ['a person types the address', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }, [true, true, true]],
  ['a page of its own', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }, [true, true, true]],
  ['a link of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, [true, true, true]],
  ['a page of another port', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }, [false, false, true]],
  [
    'a frame of another site',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    [false, false, true],
  ],
  ['a program', {}, [true, true, true]],
])('cookies of a call by %s', async (_, headers, expected) => {
  expect(await whoami(headers)).toEqual(expected);
});

test.each([
  ['Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }],
  ['Origin', { origin: 'http://evil.example' }],
])('another site cannot send a form of the pages, says %s', async (_, headers) => {
  const { status, body } = await club.call('POST /enter', new URLSearchParams(ANN), {
    authorization: undefined,
    ...headers,
  });
  expect({ status, body }).toMatchObject({ status: 403, body: { error: { code: 'call_embedded' } } });
});

test('buttons send their own value, fields theirs; what may be left blank is', async () => {
  const ann = await signedIn();
  expect(ann.seen.html).toMatch(
    /<button class="plain" data-testid="later" name="plan" value="later" formnovalidate>Ask later/,
  );
  expect(ann.seen.html).toMatch(/<fieldset><legend>Boat<\/legend><label class="choice"><input type="radio"/);
  expect(ann.seen.html).toMatch(/type="date" id="birthday" name="birthday" aria-describedby="birthday-hint"/);
  const { html } = await ann.press('Save', { boat: 'double', birthday: '1990-02-03', news: 'true' });
  expect(html).toContain('<dt>Boat</dt><dd>double</dd><dt>Plan</dt><dd>full</dd>');
  expect(html).toMatch(/value="1990-02-03".*value="true" checked/s);
  expect((await ann.press('Ask later', { boat: 'double' })).html).toContain('<dd>later</dd>');
});

test('secrets and cookies are masked where people look, and a replay has them', async () => {
  const ann = await signedIn();
  await ann.press('Save', { boat: 'single' });
  const shown = JSON.stringify([await club.admin('GET /traces'), await club.admin('GET /timeline')]);
  const [, value = ''] = /^([^~]+)/.exec(ann.cookies.get('club_visit') ?? '') ?? [];
  expect(value).toHaveLength(24);
  expect(shown).not.toContain(value);
  expect(shown).not.toContain(ANN.password);
  const { body } = await club.admin<Bug>('GET /export');
  expect(JSON.stringify(body)).not.toContain(value);
  const again = await replayBug(body, {
    pack: FOLDER,
    key: club.key,
    onDefect: (error) => expect(error).toBeUndefined(),
  });
  expect(again.unlike).toBeNull();
  await again.sandbox.close();
});

test('the same visits give the same ledger at another port', async () => {
  const runs = [];
  for (const _ of [1, 2]) {
    const other = await new TestSandbox('test/packs/clubhouse', { key: 'key_club', t0: T0 }).open();
    await other.body('POST /members', ANN);
    await (await signedInAt(other.url)).press('Save', { boat: 'eight' });
    runs.push(JSON.stringify(other.engine.world.ledger.entries));
    await other.close();
  }
  expect(runs[0]).toBe(runs[1]);
});

const pack = packIn(FOLDER);
const problemsOf = (file: string, from: string, to: string) => {
  const folder = pack.write(pack.patched(file, [from, to]));
  return loadPack(folder).problems.map(
    ({ code, file, line, column, message }) => `${code} ${file}:${line}:${column} ${message}`,
  );
};

test.each([
  [
    'resources/visit.yaml',
    "cookies: { visit: '' }",
    "cookies: { vist: '' }",
    "unknown-cookie resources/visit.yaml:45:16 unknown cookie 'vist'",
  ],
  [
    'resources/visit.yaml',
    "partner: '=request.cookies.partner'",
    "partner: '=request.cookies.parter'",
    "expression resources/visit.yaml:50:122 request.cookies has no field 'parter'",
  ],
  ['pack.yaml', 'max_age: visit', 'max_age: vist', "unknown-duration pack.yaml:12:39 unknown duration 'vist'"],
  [
    'pages/me.yaml',
    'operation: visits.leave',
    'operation: visits.leaf',
    "unknown-operation pages/me.yaml:20:24 unknown operation 'visits.leaf'",
  ],
  [
    'pages/me.yaml',
    'operation: visits.leave',
    'operation: visits.list',
    "bad-form pages/me.yaml:20:24 browsers send no key: 'visits.list' has to be open (`open: true`)",
  ],
  ['resources/visit.yaml', "cookies: { visit: '' }", 'cookies: { visit: =nobody.secret }', "'nobody'"],
  ['pages/me.yaml', 'otherwise:', 'otherwis:', "unknown-key pages/me.yaml:6:1 unknown key 'otherwis' in page"],
  [
    'pages/me.yaml',
    'sends: { plan: later }',
    'sends: { plans: later }',
    "unknown-parameter pages/me.yaml:15:41 unknown parameter 'plans'",
  ],
  ['pages/enter.yaml', 'query: [email, to]', 'query: [to]', 'query'],
  [
    'pages/enter.yaml',
    '      with: { to: =query.to }\n',
    '      with: { to: =query.to }\n      then: =base_url\n',
    "unknown-key pages/enter.yaml:16:7 the response of 'visits.enter' decides where it leads",
  ],
  [
    'pages/enter.yaml',
    "object: get(door, 'door')",
    'object: "find(member, {\'email\': query.email})"',
    "wrong-type pages/enter.yaml:4:9 an object of 'door' is needed here, this is an object (member)",
  ],
])('in %s, a mistake is reported at its line: %s -> %s', (file, from, to, expected) => {
  expect(problemsOf(file, from, to).join('\n')).toContain(expected);
});

describe('cookies as texts', () => {
  const rules = { name: 'a', path: '/', httpOnly: true, sameSite: 'none' } as const;

  test.each(['x', 'a b', 'ü;"\\,', '%41', '~12', ''])('%j comes back as it was', (value) => {
    expect(cookieIn(`z=1; ${cookiePair('a', value)}; b=2`, 'a', null)).toBe(value);
    const set = setCookie(rules, value, { lifeMs: 1000, nowMs: 5000 });
    expect(cookieIn(set, 'a', 5999)).toBe(value);
    expect(cookieIn(set, 'a', 6000)).toBe(value === '' ? '' : undefined);
  });

  test.each([
    ['https://id.example', 'SameSite=None; Secure'],
    ['http://localhost:4000', 'SameSite=None; Secure'],
    ['http://127.0.0.1:4000', 'SameSite=None; Secure'],
    ['http://provider:4000', 'SameSite=Lax'],
  ])('at %s browsers take it', (address, expected) => {
    expect(cookieAt(setCookie(rules, 'x', null), address)).toBe(`a=x; Path=/; HttpOnly; ${expected}`);
  });
});
