import { EventWebhook } from '@sendgrid/eventwebhook';
import sendgrid from '@sendgrid/mail';
import { ServerClient } from 'postmark';
import { serveMail } from './served.js';

/** The calls of two other vendors, by their own clients, into the same world. */

describe('vendor=sendgrid', () => {
  const sandbox = serveMail({ vendor: 'sendgrid' });
  const { receiver } = sandbox;
  beforeEach(() => {
    const warn = console.warn;
    console.warn = () => undefined;
    sendgrid.setApiKey(sandbox.key);
    console.warn = warn;
    const { client } = sendgrid as unknown as { client: { setDefaultRequest(name: string, value: string): void } };
    client.setDefaultRequest('baseUrl', `${sandbox.url}/`);
  });
  const hello = { from: { email: 'shop@example.com', name: 'Shop' }, to: 'ann@example.org', subject: 'Hi', text: 'Hi' };

  test('its client sends, with copies, files and categories, and is told with its own signature', async () => {
    await sandbox.control.endpoint({ url: receiver.url });
    const [response] = await sendgrid.send({
      ...hello,
      cc: 'cem@example.org',
      html: '<a href="https://shop.example/1">Look</a>',
      categories: ['welcome'],
      attachments: [{ content: 'SGk=', filename: 'a.txt', type: 'text/plain', disposition: 'attachment' }],
    });
    expect([response.statusCode, response.body]).toEqual([202, '']);
    await sandbox.control.advance('1m');
    await sandbox.control.event('email.clicked', { email_id: (response.headers as Record<string, string>)['x-message-id'] });
    await sandbox.control.flush();
    const mail = await sandbox.control.mail.to('cem@example.org').last();
    expect([mail.from, mail.link, mail.attachments[0].text()]).toEqual([
      'Shop <shop@example.com>',
      'https://shop.example/1',
      'Hi',
    ]);
    const { body } = await sandbox.call('GET /v3/user/webhooks/event/settings/signed');
    const webhook = new EventWebhook();
    const key = webhook.convertPublicKeyToECDSA(String(body['public_key']));
    const told = receiver.received.map(({ headers, body: text }) => {
      const of = (name: string): string => String(headers[`x-twilio-email-event-webhook-${name}`]);
      expect(webhook.verifySignature(key, text, of('signature'), of('timestamp'))).toBe(true);
      expect(webhook.verifySignature(key, `${text} `, of('signature'), of('timestamp'))).toBe(false);
      return (JSON.parse(text) as { event: string; email: string }[])[0];
    });
    expect(told.map(({ event, email }) => [event, email])).toEqual(
      ['processed', 'delivered', 'click'].map((event) => [event, 'ann@example.org']),
    );
  });

  test('a template is filled for each recipient; what is only checked sends nothing', async () => {
    const made = await sandbox.call('POST /templates', {
      name: 'Order',
      alias: 'd-order',
      subject: 'Order {{order.id}}',
      html: '<p>{{name}}, {{{link}}}, {{order.note}}',
    });
    await sandbox.call(`POST /templates/${String(made.body['id'])}/publish`);
    const values = (name: string) => ({ name, link: '<a>', order: { id: 7, note: 'tea' } });
    await sendgrid.send({
      from: hello.from,
      templateId: 'd-order',
      categories: ['order placed'],
      personalizations: [
        { to: 'ann@example.org', dynamicTemplateData: values('A & B') },
        { to: 'bob@example.org', dynamicTemplateData: values('Bob') },
      ],
    });
    const { subject, html } = await sandbox.control.mail.to('ann@example.org').last();
    expect([subject, html]).toEqual(['Order 7', '<p>A &amp; B, <a>, tea']);
    expect((await sandbox.control.mail.to('bob@example.org').last()).html).toContain('Bob');
    await sendgrid.send({ ...hello, to: 'cem@example.org', mailSettings: { sandboxMode: { enable: true } } });
    expect(await sandbox.control.mail.to('cem@example.org').all()).toEqual([]);
  });

  test('errors are its own', async () => {
    const wrong = sendgrid.send({ ...hello, from: 'shop@elsewhere.example' });
    await expect(wrong).rejects.toMatchObject({
      code: 403,
      response: { body: { errors: [{ message: 'The domain elsewhere.example is not verified.', field: 'from' }] } },
    });
    expect((await sandbox.call('POST /email', {})).status).toBe(404);
    await expect(sendgrid.send({ ...hello, from: 'nobody' })).rejects.toMatchObject({ code: 400 });
    expect((await sandbox.call('POST /v3/mail/send', {})).status).toBe(400);
    const ann = { email: 'ann@example.org' };
    const mail = { personalizations: [{ to: [ann] }], from: { email: 'shop@example.com' }, subject: 'Hi' };
    const [text, html] = [{ type: 'text/plain', value: 'Hi' }, { type: 'text/html', value: '<p>Hi' }];
    const statusOf = async (more: object): Promise<number> =>
      (await sandbox.call('POST /v3/mail/send', { ...mail, content: [text, html], ...more })).status;
    expect(await statusOf({})).toBe(202);
    expect(await statusOf({ content: [html, text] })).toBe(400);
    expect(await statusOf({ personalizations: [{ to: [ann], cc: [ann] }] })).toBe(400);
    const fieldOf = async (more: object): Promise<unknown> => {
      const { status, body } = await sandbox.call('POST /v3/mail/send', { ...mail, content: [text], ...more });
      const [{ field, help }] = body['errors'] as { field: string; help: string }[];
      expect([status, help]).toEqual([400, expect.stringContaining(`#message.${field.replace(/\.\d+/g, '')}`)]);
      return field;
    };
    expect(await fieldOf({ personalizations: [] })).toBe('personalizations');
    expect(await fieldOf({ personalizations: [{ to: [ann] }, { to: [] }] })).toBe('personalizations.1.to');
    expect(await fieldOf({ personalizations: [{ to: [{ name: 'Ann' }] }] })).toBe('personalizations.0.to.0.email');
    expect(await fieldOf({ personalizations: [{ to: [ann] }, { to: [{ email: 'bob' }] }] })).toBe('personalizations.1.to');
    expect(await fieldOf({ from: 'shop@example.com' })).toBe('from');
    expect(await fieldOf({ from: { email: 'shop' } })).toBe('from.email');
    expect(await fieldOf({ subject: undefined })).toBe('subject');
    expect(await fieldOf({ content: undefined })).toBe('content');
    expect(await fieldOf({ content: [{ type: 'text/plain', value: '' }] })).toBe('content.0.value');
    expect(await fieldOf({ attachments: [{ content: '!!!', filename: 'a' }] })).toBe('attachments.0.content');
    expect(await fieldOf({ template_id: 'd-1', content: undefined })).toBe('template_id');
  });
});

describe('vendor=postmark', () => {
  const sandbox = serveMail({ vendor: 'postmark' });
  const client = () => new ServerClient(sandbox.key, { requestHost: new URL(sandbox.url).host, useHttps: false });
  const hello = { From: 'shop@example.com', To: 'ann@example.org, Bob <bob@example.org>', Subject: 'Hi', TextBody: 'Hi' };

  test('its client sends', async () => {
    const sent = await client().sendEmail({
      ...hello,
      Tag: 'welcome',
      Headers: [{ Name: 'X-Order', Value: '1001' }],
      Attachments: [{ Name: 'a.txt', Content: 'SGk=', ContentType: 'text/plain', ContentID: null }],
    });
    expect(sent).toMatchObject({ ErrorCode: 0, Message: 'OK', To: hello.To, MessageID: expect.any(String) });
    const mail = await sandbox.control.mail.to('bob@example.org').last();
    expect([mail.id, mail.attachments[0].text()]).toEqual([sent.MessageID, 'Hi']);
  });

  test('errors are its own', async () => {
    await expect(client().sendEmail({ ...hello, From: 'nobody' })).rejects.toMatchObject({ code: 300, statusCode: 422 });
    const stranger = new ServerClient('wrong', { requestHost: new URL(sandbox.url).host, useHttps: false });
    await expect(stranger.sendEmail(hello)).rejects.toMatchObject({ code: 10, statusCode: 401 });
  });
});
