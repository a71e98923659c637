import { createCompany } from '../../../engine/index.js';
import { call } from '../../support/http.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** What people would read: messages that packs declare, by the control API and its client. */

describe('one pack', () => {
  const sandbox = startSandbox('test/packs/letters', { t0: '2025-01-01T00:00:00Z', reset: {} });

  beforeEach(async () => {
    const domain = { id: 'dom_domain01-0001-000000000001', name: 'example.com', status: 'verified' };
    await sandbox.control.seed({ resource: 'domains', objects: [domain] });
  });

  async function mail(more: object): Promise<void> {
    const body = { from: 'shop@example.com', to: ['ann@example.com'], subject: 'Hello', text: 'Hello', ...more };
    expect((await sandbox.call('POST /v3/mails', body)).status).toBe(202);
  }

  test('links, codes and who gets a mail are read from it, the newest first', async () => {
    await mail({ subject: 'First', text: 'Nothing in it, 12.50 EUR for order 2025-01, call +4912345678.' });
    await sandbox.control.advance('1m');
    await mail({
      to: ['Bob@Example.com'],
      subject: 'Your code',
      text: 'Enter 482913, or follow https://shop.example/in?c=1234&d=2. Thanks!',
      html: '<style>p { width: 4321px }</style><p>Enter <b>482913</b> or <a href="https://shop.example/x?a=1&amp;b=2">this</a></p>',
    });
    const { control } = sandbox;
    const all = await control.mail.all();
    expect(all.map(({ subject, to, codes }) => [subject, to, codes])).toEqual([
      ['Your code', ['Bob@Example.com'], ['482913']],
      ['First', ['ann@example.com'], []],
    ]);
    const last = await control.mail.to('Bob <bob@example.com>').last();
    expect(last).toMatchObject({ way: 'mail', collection: 'mails', code: '482913', at: '2025-01-01T00:01:00.000Z' });
    expect(last.links).toEqual(['https://shop.example/x?a=1&b=2', 'https://shop.example/in?c=1234&d=2']);
    expect((await control.mail.subject('first').all()).length).toBe(1);
    expect((await control.mail.with('482913').last()).subject).toBe('Your code');
    expect(await control.mail.by('text').all()).toEqual([]);
    await expect(control.mail.to('eve@example.com').last()).rejects.toThrow(
      'no message to eve@example.com: there is: Bob@Example.com: Your code; ann@example.com: First',
    );
  });

  test('what did not go out is not there', async () => {
    await mail({ scheduled_at: '2025-02-01T00:00:00Z' });
    await expect(sandbox.control.mail.last()).rejects.toThrow('no message was sent');
    await sandbox.control.advance('40d');
    expect((await sandbox.control.mail.last()).subject).toBe('Hello');
  });

  test('each has a source, and an earlier moment has what was sent by then', async () => {
    await mail({ subject: 'First' });
    const { last } = await sandbox.body<{ last: number }>('GET /__admin__/ledger?limit=1');
    await sandbox.control.advance('1m');
    await mail({ subject: 'Second', html: '<b>Hi</b>' });
    const before = await sandbox.body<{ data: { subject: string }[] }>(`GET /__admin__/mailbox?at=${last}`);
    expect(before.data.map(({ subject }) => subject)).toEqual(['First']);
    const { id } = await sandbox.control.mail.last();
    const lines = [
      'From: shop@example.com',
      'To: ann@example.com',
      'Subject: Second',
      'Date: Wed, 01 Jan 2025 00:01:00 GMT',
    ];
    expect(await sandbox.body(`GET /__admin__/mailbox/${id}`)).toMatchObject({
      source: [...lines, '', '<b>Hi</b>'].join('\n'),
      reply: null,
    });
    expect(await sandbox.status(`GET /__admin__/mailbox/${id}?at=${last}`)).toBe(404);
  });

  test('wrong questions are rejected', async () => {
    const { status, body } = await sandbox.call('GET /__admin__/mailbox?limit=0');
    expect([status, body]).toEqual([400, { error: expect.objectContaining({ code: 'invalid_value' }) }]);
  });
});

test('a company has one mailbox: mail, codes, invitations, receipts and texts of all its packs', async () => {
  const packs = ['mail', 'identity', 'payments', 'messaging'].map((name) => `packs/${name}`);
  const company = await createCompany({ packs, seed: 'mailbox', t0: '2025-01-01T00:00:00Z' });
  try {
    const { vendors, control } = company;
    const send = async (name: string, path: string, body: string, type: string, auth?: string): Promise<void> => {
      const headers = { 'content-type': type, ...(auth === undefined ? {} : { authorization: auth }) };
      const { status, text } = await call(vendors[name], `POST ${path}`, body, headers);
      expect([path, status < 300 || text]).toEqual([path, true]);
    };
    const [form, json] = ['application/x-www-form-urlencoded', 'application/json'];
    const letter = { from: 'a@example.com', to: ['ann@example.org'], subject: 'Hi', text: 'Hi' };
    await send(
      'mail',
      '/emails',
      JSON.stringify({ ...letter, attachments: [{ filename: 'a.txt', content: 'SGk=' }] }),
      json,
    );
    await control.advance('1s');
    const user = { email: 'ann@example.org', connection: 'Username-Password-Authentication', user_id: 'ann' };
    await send('identity', '/api/v2/users', JSON.stringify(user), json);
    await send('identity', '/api/v2/tickets/password-change', JSON.stringify({ email: user.email }), json);
    await control.advance('1s');
    const paid = 'amount=500&currency=usd&payment_method=pm_card_visa&confirm=true&receipt_email=ann%40example.org';
    const back = '&return_url=https%3A%2F%2Fshop.example';
    await send('payments', '/v1/payment_intents', paid + back, form);
    await control.advance('1s');
    const { key } = vendors['messaging'];
    const account = 'AC0123456789abcdef0123456789abcdef';
    const basic = `Basic ${Buffer.from(`${account}:${key}`).toString('base64')}`;
    const text = 'From=%2B15005550006&To=%2B15551230000&Body=Your+code+is+4711';
    await send('messaging', `/2010-04-01/Accounts/${account}/Messages.json`, text, form, basic);
    const all = await control.mail.all();
    expect(all.map(({ collection, way, to }) => [collection, way, to[0]])).toEqual([
      ['messaging/messages', 'text', '+15551230000'],
      ['payments/charges', 'mail', 'ann@example.org'],
      ['identity/tickets', 'mail', 'ann@example.org'],
      ['mail/emails', 'mail', 'ann@example.org'],
    ]);
    expect(all.map(({ reply }) => reply)).toEqual([
      { cause: 'messaging/message.received', params: { From: '+15551230000', To: '+15005550006' } },
      null,
      null,
      { cause: 'mail/email.received', params: { in_reply_to: all[3].id, from: 'ann@example.org' } },
    ]);
    const [sms, receipt, ticket, mail] = all;
    expect(sms.code).toBe('4711');
    expect((await fetch(String(receipt.link))).status).toBe(200);
    expect(await (await fetch(String(ticket.link))).text()).toContain('password');
    expect(mail.attachments.map((file) => [file.name, file.type, file.size, file.text()])).toEqual([
      ['a.txt', 'text/plain', 2, 'Hi'],
    ]);
  } finally {
    await company.close();
  }
});
