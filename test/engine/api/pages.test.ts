import { isWebUrl } from '../../../engine/http/index.js';
import { loadPack } from '../../../engine/index.js';
import { formsIn, post, press as pressOn } from '../../support/page-forms.js';
import { samplePack } from '../../support/sample-pack.js';
import { startSandbox } from '../../support/start-sandbox.js';

const pack = samplePack('pages');

/** `code file:line:column message`, one per problem of the pack with its page changed. */
function problemsOf(change: (page: string) => string): string[] {
  const folder = pack.write({ 'pages/book.yaml': change(pack.files['pages/book.yaml']) });
  return loadPack(folder).problems.map(
    ({ code, file, line, column, message }) => `${code} ${file}:${line}:${column} ${message}`,
  );
}

const sandbox = startSandbox(pack.folder, { key: 'key_pages', t0: '2026-01-01T00:00:00Z' });

interface Booking {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly guests: number;
  readonly extras: readonly string[];
  readonly boat: string;
}

async function book(more: object = {}): Promise<Booking> {
  return sandbox.body<Booking>('POST /bookings', { boat: 'Gull', ...more });
}

async function read({ id }: Booking): Promise<Booking> {
  return sandbox.body<Booking>(`GET /bookings/${id}`);
}

const press = ({ url }: Booking, button: string, fields: Record<string, string> = {}) => pressOn(url, button, fields);

describe('pages', () => {
  test('an object carries the URL of its page on this sandbox', async () => {
    const booking = await book();
    expect(booking.url).toBe(`${sandbox.url}/book/${booking.id}`);
    const list = await sandbox.body<{ data: Booking[] }>('GET /bookings');
    expect(list.data.at(0)?.url).toBe(booking.url);
  });

  test('a page needs no key, shows its object and leaves out what is null', async () => {
    const response = await fetch((await book()).url);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toContain('<h1>Hire Gull</h1>');
    expect(html).toContain('<dt>Boat</dt><dd>Gull</dd>');
    expect(html).not.toContain('<dt>Note</dt>');
    expect(html).not.toContain('Back</a>');
  });

  test('texts are escaped, in elements and in attributes', async () => {
    const html = await (await fetch((await book({ boat: `<script>x</script>"'&`, note: '<b>' })).url)).text();
    expect(html).toContain('<h1>Hire &lt;script&gt;x&lt;/script&gt;&quot;&#39;&amp;</h1>');
    expect(html).toContain('<p>&lt;b&gt;</p>');
    expect(html).toContain('A &lt;tern&gt;');
    expect(html).not.toContain('<script');
  });

  test('the policy allows no scripts, no frames, and forms only to the sandbox and where they lead', async () => {
    const plain = await fetch((await book()).url);
    expect(plain.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    const away = await fetch((await book({ back_url: 'https://shop.example:8443/done?x=1' })).url);
    expect(away.headers.get('content-security-policy')).toContain("form-action 'self' https://shop.example:8443;");
    expect(away.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('a button fires its cause with the fields as parameters and goes on', async () => {
    const booking = await book({ back_url: 'https://shop.example/done' });
    const response = await press(booking, 'Take it', { guests: '4', boat: 'Tern' });
    expect([response.status, response.headers.get('location')]).toEqual([303, 'https://shop.example/done']);
    expect(await read(booking)).toMatchObject({ status: 'taken', guests: 4, boat: 'Tern' });
    expect(await (await fetch(booking.url)).text()).not.toContain('Take it');
  });

  test('an input has the name and the test id that the pack says, and what is not sent stays on the page', async () => {
    const booking = await book();
    const html = await (await fetch(booking.url)).text();
    expect(html).toMatch(/data-testid="calm-row".*name="calmWater".*name="club"/s);
    expect(html).not.toContain('name="calm"');
    await press(booking, 'Take it', { guests: '4', calmWater: 'true', club: '7' });
    expect(await read(booking)).toMatchObject({ status: 'taken', calm: true });
  });

  test('without a place to go to, or while it stays, the page is shown again', async () => {
    const nowhere = await book();
    expect((await press(nowhere, 'Take it', { guests: '2' })).headers.get('location')).toBe(`/book/${nowhere.id}`);
    const many = await book({ back_url: 'https://shop.example/done' });
    expect((await press(many, 'Take it', { guests: '12' })).headers.get('location')).toBe(`/book/${many.id}`);
    expect(await (await fetch(many.url)).text()).toContain('Too many for this boat.');
  });

  test('a redirect never leads to a script', async () => {
    const booking = await book({ back_url: 'javascript:alert(1)' });
    const html = await (await fetch(booking.url)).text();
    expect(html).not.toContain('href="javascript');
    expect((await press(booking, 'Take it', { guests: '2' })).headers.get('location')).toBe(`/book/${booking.id}`);
  });

  test('wrong parameters are told on the page, which keeps what was filled in', async () => {
    const booking = await book();
    const response = await press(booking, 'Take it', { guests: '0', boat: 'Tern' });
    const html = await response.text();
    expect(response.status).toBe(400);
    expect(html).toContain('role="alert"');
    expect(html).toContain('value="Tern" selected');
    expect((await read(booking)).status).toBe('open');
  });

  test('what the pack itself refuses is told in its words', async () => {
    const booking = await book();
    const response = await press(booking, 'Take it', { guests: '13' });
    expect(response.status).toBe(409);
    expect(await response.text()).toContain('<p class="alert" role="alert">No boat takes 13.</p>');
    expect((await read(booking)).status).toBe('open');
  });

  test('a form without the token of its page does nothing', async () => {
    const booking = await book();
    const other = await book();
    const form = formsIn(await (await fetch(booking.url)).text()).get('Take it') ?? {};
    for (const _token of ['', 'x', formsIn(await (await fetch(other.url)).text()).get('Take it')?.['_token'] ?? '']) {
      expect((await post(booking.url, { ...form, _token, guests: '2' })).status).toBe(403);
    }
    expect((await read(booking)).status).toBe('open');
  });

  test('only what the page offers reaches the cause', async () => {
    const booking = await book({ extras: ['oars', 'net'] });
    await press(booking, 'Without oars', { extra: 'net', booking_id: 'bk_other' });
    expect((await read(booking)).extras).toEqual(['net']);
    const form = formsIn(await (await fetch(booking.url)).text()).get('Without net') ?? {};
    const forged = await post(booking.url, { ...form, _form: (form['_form'] ?? '').replace('net', 'sun') });
    expect(forged.status).toBe(409);
    expect((await read(booking)).extras).toEqual(['net']);
  });

  test('a button of an outdated page says that it is not possible any more', async () => {
    const booking = await book();
    const form = formsIn(await (await fetch(booking.url)).text()).get('Take it') ?? {};
    await press(booking, 'Take it', { guests: '2' });
    const response = await post(booking.url, { ...form, guests: '3' });
    expect([response.status, (await read(booking)).guests]).toEqual([409, 2]);
  });

  test.each([
    ['GET', '/book/bk_nobody', 404],
    ['POST', '/book/bk_nobody', 404],
    ['GET', '/book/%E0%A4%A', 400],
    ['DELETE', '/book/bk_nobody', 401],
  ])('%s %s is answered with %i', async (method, path, status) => {
    expect(await sandbox.status(`${method} ${path}`, undefined, { authorization: undefined })).toBe(status);
  });

  test('bodies that are no form are refused', async () => {
    const booking = await book();
    for (const [body, type] of [
      ['{}', 'application/json'],
      ['', 'application/x-www-form-urlencoded'],
      ['__proto__=1', 'application/x-www-form-urlencoded'],
      ['a='.padEnd(70_000, 'x'), 'application/x-www-form-urlencoded'],
    ]) {
      const response = await fetch(booking.url, { method: 'POST', body, headers: { 'Content-Type': type } });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
    }
  });

  test('a page can be a PDF', async () => {
    const { id } = await book({ boat: 'Gull (3) \\ €' });
    const response = await fetch(`${sandbox.url}/book/${id}/paper.pdf`);
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(text.startsWith('%PDF-1.4\n')).toBe(true);
    expect(text).toContain('(Boat:  Gull \\(3\\) \\\\ \x80 \\(hired\\)) Tj');
    const start = Number(/startxref\n(\d+)/.exec(text)?.[1]);
    expect(text.slice(start, start + 4)).toBe('xref');
    const offsets = [...text.matchAll(/^(\d{10}) 00000 n/gm)].map(([, offset]) => Number(offset));
    offsets.forEach((offset, index) => expect(text.slice(offset)).toMatch(new RegExp(`^${index + 1} 0 obj`)));
  });
});

describe('base_url', () => {
  test('events, deliveries and the control API tell the origin; the ledger does not know it', async () => {
    const { received, url } = sandbox.receiver;
    await sandbox.control.endpoint({ url });
    const booking = await book();
    await press(booking, 'Take it', { guests: '2' });
    await sandbox.control.flush();
    expect(received.map(({ body }) => body).join('')).toContain(`"url":"${booking.url}"`);
    expect(JSON.stringify(await sandbox.body('GET /notices'))).toContain(`"url":"${booking.url}"`);
    expect(JSON.stringify(await sandbox.body('GET /__admin__/state'))).toContain(`"url":"${booking.url}"`);
    const kept = sandbox.engine.world.row(0, booking.id)?.value;
    expect(JSON.stringify(kept)).not.toContain(sandbox.url);
  });
});

describe('mistakes of a page', () => {
  test.each<[string, (page: string) => string, RegExp]>([
    [
      'an unknown resource',
      (page) => page.replace('resource: booking', 'resource: boking'),
      /^unknown-resource pages\/book.yaml:3:11 /,
    ],
    ['a route without {id}', (page) => page.replace('/book/{id}', '/book'), /^bad-route pages\/book.yaml:2:8 /],
    [
      'a route that is taken',
      (page) => page.replace('GET /book/{id}', 'GET /bookings/{id}'),
      /^duplicate-route pages\/book.yaml:2:8 GET \/bookings\/\{\} is also the route of bookings.retrieve/,
    ],
    [
      'an unknown cause',
      (page) => page.replace('cause: booking.taken', 'cause: booking.take'),
      /^unknown-cause pages\/book.yaml:16:14 unknown cause 'booking.take'/,
    ],
    ['an unknown parameter', (page) => page.replace('calm: {', 'clam: {'), /^unknown-parameter pages\/book.yaml:20:9 /],
    [
      'a missing parameter',
      (page) => page.replace(', with: { extra: "${extra}" }', ''),
      /^missing-argument pages\/book.yaml:12:15 'extra.dropped' needs 'extra'/,
    ],
    [
      'a parameter of another type',
      (page) => page.replace('with: { extra: "${extra}" }', 'with: { extra: "${size(extra)}" }'),
      /^wrong-type pages\/book.yaml:12:96 'extra' of 'extra.dropped' is a string, not a number/,
    ],
    [
      'an unknown field',
      (page) => page.replace('${self.boat}"', '${self.boot}"'),
      /^expression pages\/book.yaml:4:\d+ booking has no field 'boot'/,
    ],
    [
      'two things in one part',
      (page) => page.replace('  - text: "${self.note}"', '  - text: a\n    heading: b'),
      /^two-parts pages\/book.yaml:\d+:5 /,
    ],
    [
      'a loop without parts',
      (page) => page.replace(/parts:\n.*\n/, 'when: "true"\n'),
      /^missing-key pages\/book.yaml:9:5 a loop needs the key 'parts'/,
    ],
    ['a misspelt key', (page) => page.replace('alert:', 'alrt:'), /^unknown-key pages\/book.yaml:6:7 /],
    [
      'a part that is nothing',
      (page) => page.replace('  - text: "${self.note}"', '  - when: "true"'),
      /^missing-key pages\/book.yaml:7:5 part of a page needs /,
    ],
    [
      'a select without options',
      (page) => page.replace('type: checkbox', 'type: select'),
      /^missing-key pages\/book.yaml:20:15 a select needs/,
    ],
  ])('%s is told at its place', (_what, change, wanted) => {
    const problems = problemsOf(change);
    expect(problems).toEqual([expect.stringMatching(wanted)]);
  });

  test('the pack itself has none', () => {
    expect(problemsOf((page) => page)).toEqual([]);
  });
});

test('no address that a call gives opens the forms of a page to everybody', () => {
  expect(['https://*', 'https://*.example.com/a', 'https://a.example', 'http://[::1]:3000/x'].map(isWebUrl)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
