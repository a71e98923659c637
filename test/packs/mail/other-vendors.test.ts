import { EventWebhook } from '@sendgrid/eventwebhook';
import sendgrid from '@sendgrid/mail';
import { ServerClient } from 'postmark';
import { serveMail } from './served.js';

/** The calls of two other vendors, by their own clients, into the same world. */

const HTML_TEMPLATE =
  '<b>{{#company}}{{name}}{{/company}}</b>{{#each items}}{{@index}}: {{name}} {{price}} of {{../id}};{{/each}}{{^items}}Nothing{{/items}}';

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

  test('each recipient has a result of its own, and data of the caller come back', async () => {
    await sandbox.control.endpoint({ url: receiver.url });
    await sendgrid.send({ ...hello, to: ['ann@example.org', 'bounced@sendgrid.dev'], cc: 'cem@example.org', customArgs: { order: '7' }, categories: ['welcome'] });
    await sandbox.control.advance('1h');
    await sandbox.control.flush();
    const told = receiver.received.flatMap(({ body }) => JSON.parse(body) as Record<string, unknown>[]);
    const all = ['ann@example.org', 'bounced@sendgrid.dev', 'cem@example.org'];
    expect(told.map(({ event, email }) => [event, email])).toEqual([
      ...all.map((email) => ['processed', email]),
      ['delivered', 'ann@example.org'],
      ['delivered', 'cem@example.org'],
      ['bounce', 'bounced@sendgrid.dev'],
    ]);
    expect(told[0]).toMatchObject({ order: '7', category: ['welcome'], sg_event_id: expect.any(String) });
    expect(new Set(told.map(({ sg_event_id: id }) => id)).size).toBe(told.length);
    expect(told.at(-1)).toMatchObject({ type: 'bounce', status: '5.1.1' });
  });

  test.each([
    ['{{#if paid}}Paid{{else}}Open{{/if}}', { paid: true }, 'Paid'],
    ['{{#if paid}}Paid{{else}}Open{{/if}}', { paid: 0 }, 'Open'],
    ['{{#unless paid}}Open{{/unless}}.', {}, 'Open.'],
    ['{{#each items}}{{#if @last}}and {{/if}}{{this}} {{else}}none{{/each}}', { items: ['a', 'b'] }, 'a and b '],
    ['{{#each items}}{{this}}{{else}}none{{/each}}', { items: [] }, 'none'],
    ['{{#each rows}}{{#each cells}}{{this}}{{/each}};{{/each}}', { rows: [{ cells: [1, 2] }, { cells: [3] }] }, '12;3;'],
    ['{{#equals kind "new"}}New{{else}}Old{{/equals}}', { kind: 'new' }, 'New'],
    ['{{#greaterThan n 5}}much{{else}}little{{/greaterThan}}', { n: 3 }, 'little'],
    ['Dear {{insert name "default=customer"}}{{! a note }}', {}, 'Dear customer'],
    ['{{person.name}} {{{person.name}}}', { person: { name: '<A>' } }, '&lt;A&gt; <A>'],
  ])('the template %s is filled', async (html, dynamicTemplateData, shown) => {
    const made = await sandbox.call('POST /templates', { name: 'A', alias: 'd-a', subject: 'A', html });
    await sandbox.call(`POST /templates/${String(made.body['id'])}/publish`);
    await sendgrid.send({ ...hello, text: undefined, templateId: 'd-a', dynamicTemplateData });
    expect((await sandbox.control.mail.last()).html).toBe(shown);
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
    const someone = { email: 'ann@example.org' };
    expect(await fieldOf({ reply_to: someone, reply_to_list: [someone] })).toBe('reply_to_list');
    expect(await fieldOf({ headers: { To: 'x' } })).toBe('headers');
    expect(await fieldOf({ custom_args: { a: 'x'.repeat(10_001) } })).toBe('custom_args');
  });
});

describe('vendor=postmark', () => {
  const sandbox = serveMail({ vendor: 'postmark' });
  const { receiver } = sandbox;
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

  test.each(['GET /webhooks', 'GET /domains', 'GET /bounces'])("%s isn't answered in another vendor's words", async (route) => {
    const { status, body, headers } = await sandbox.call(route, undefined, { 'X-Postmark-Server-Token': sandbox.key });
    expect([status, body, headers.get('x-mock-unsupported')?.replace('GET ', '')]).toEqual([
      404,
      { ErrorCode: 404, Message: 'There is no such endpoint.' },
      `path ${route.slice(4)}`,
    ]);
  });

  test('batches say what became of each, templates are filled', async () => {
    const made = await sandbox.call('POST /templates', { name: 'Hi', alias: 'hi', subject: 'Hi {{name}}', html: '<p>{{name}}, {{{raw}}}' });
    await sandbox.call(`POST /templates/${String(made.body['id'])}/publish`);
    const { Subject, TextBody, ...rest } = hello;
    const filled = { ...rest, To: 'cem@example.org', TemplateAlias: 'hi', TemplateModel: { name: 'A & B', raw: '<b>' } };
    await client().sendEmailWithTemplate(filled);
    const { subject, html } = await sandbox.control.mail.to('cem@example.org').last();
    expect([subject, html]).toEqual(['Hi A & B', '<p>A &amp; B, <b>']);
    const both = [{ ...rest, Subject, TextBody }, { ...rest, Subject, TextBody, From: 'nobody' }, { From: 5 }];
    expect((await client().sendEmailBatch(both as never)).map(({ ErrorCode }) => ErrorCode)).toEqual([0, 300, 403]);
    expect(await client().sendEmailBatchWithTemplates([filled])).toMatchObject([{ ErrorCode: 0, To: 'cem@example.org' }]);
  });

  test('templates are made, listed, shown, changed, tried and removed, by number and alias', async () => {
    const postmark = client();
    const made = await postmark.createTemplate({ Name: 'Order', Alias: 'order', Subject: 'Order {{id}}', HtmlBody: HTML_TEMPLATE });
    expect(made).toMatchObject({ TemplateId: expect.any(Number), Name: 'Order', Alias: 'order', Active: true, TemplateType: 'Standard' });
    expect(await postmark.getTemplates({ count: 10 })).toMatchObject({ TotalCount: 1, Templates: [made] });
    expect(await postmark.getTemplate('order')).toMatchObject({ ...made, Subject: 'Order {{id}}', HtmlBody: HTML_TEMPLATE, TextBody: null });
    const model = { id: 7, company: { name: 'A & B' }, items: [{ name: 'Tea', price: 3 }, { name: 'Cup', price: 9 }] };
    const filled = '<b>A &amp; B</b>0: Tea 3 of 7;1: Cup 9 of 7;';
    const tried = await postmark.validateTemplate({ Subject: 'Order {{id}}', HtmlBody: HTML_TEMPLATE, TestRenderModel: model });
    expect([tried.AllContentIsValid, tried.Subject.RenderedContent, tried.HtmlBody.RenderedContent]).toEqual([true, 'Order 7', filled]);
    expect((await postmark.validateTemplate({ HtmlBody: '{{#each a}}' })).AllContentIsValid).toBe(false);
    const rest = { From: hello.From, To: hello.To };
    await postmark.sendEmailWithTemplate({ ...rest, TemplateId: made.TemplateId, TemplateModel: model });
    expect((await sandbox.control.mail.last()).html).toBe(filled);
    await postmark.sendEmailWithTemplate({ ...rest, TemplateAlias: 'order', TemplateModel: { company: 'X', items: [] } });
    expect((await sandbox.control.mail.last()).html).toBe('<b></b>Nothing');
    expect(await postmark.editTemplate(made.TemplateId, { Name: 'Orders' })).toMatchObject({ Name: 'Orders', Alias: 'order' });
    await expect(postmark.createTemplate({ Name: 'B', Alias: 'order', Subject: 'a', TextBody: 'b' })).rejects.toMatchObject({ code: 1122 });
    await expect(postmark.createTemplate({ Name: 'B', Subject: 'a', TextBody: '{{/each}}' })).rejects.toMatchObject({ code: 1105 });
    expect(await postmark.deleteTemplate('order')).toEqual({ ErrorCode: 0, Message: `Template ${made.TemplateId} removed.` });
    await expect(postmark.getTemplate(made.TemplateId)).rejects.toMatchObject({ code: 1101, statusCode: 422 });
  });

  test('its webhooks tell of deliveries, bounces, opens, clicks, complaints and what comes in', async () => {
    await sandbox.control.endpoint({ url: receiver.url });
    const send = async (To: string) => (await client().sendEmail({ ...hello, To, Tag: 'welcome', Metadata: { order: '7' } })).MessageID;
    const id = await send('ann@example.org');
    await send('bounced@postmark.dev');
    await sandbox.control.advance('1m');
    await sandbox.control.event('email.opened', { email_id: id });
    await sandbox.control.event('email.clicked', { email_id: id, link: 'https://shop.example/1' });
    await sandbox.control.event('email.complained', { email_id: id });
    await sandbox.control.event('email.received', { from: 'Ann <ann@example.org>', text: 'Thanks', in_reply_to: id });
    await sandbox.control.flush();
    const told = receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    const common = { MessageID: id, Tag: 'welcome', Metadata: { order: '7' }, MessageStream: 'outbound' };
    expect(told).toMatchObject([
      { RecordType: 'Delivery', Recipient: 'ann@example.org', DeliveredAt: expect.any(String), ...common },
      { RecordType: 'Bounce', Type: 'HardBounce', TypeCode: 1, Email: 'bounced@postmark.dev', ID: expect.any(Number), Inactive: true },
      { RecordType: 'Open', FirstOpen: true, Recipient: 'ann@example.org', ...common },
      { RecordType: 'Click', OriginalLink: 'https://shop.example/1', ...common },
      { RecordType: 'SpamComplaint', TypeCode: 512, Email: 'ann@example.org', ...common },
      { From: 'ann@example.org', FromName: 'Ann', Subject: 'Re: Hi', TextBody: 'Thanks', MessageStream: 'inbound' },
    ]);
  });

  test('errors are its own', async () => {
    await expect(client().sendEmail({ ...hello, From: 'nobody' })).rejects.toMatchObject({ code: 300, statusCode: 422 });
    await expect(client().sendEmail({ ...hello, From: 'shop@elsewhere.example' })).rejects.toMatchObject({ code: 400, statusCode: 422 });
    await expect(client().sendEmail({ ...hello, MessageStream: 'nope' })).rejects.toMatchObject({ code: 1235, statusCode: 422 });
    const files = [{ Name: 'a.exe', Content: 'SGk=', ContentType: 'application/octet-stream', ContentID: null }];
    await expect(client().sendEmail({ ...hello, Attachments: files })).rejects.toMatchObject({ code: 300, statusCode: 422 });
    await expect(client().sendEmail({ ...hello, Metadata: { ['k'.repeat(21)]: 'a' } })).rejects.toMatchObject({ code: 300, statusCode: 422 });
    await expect(client().sendEmail({ ...hello, Headers: 5 } as never)).rejects.toMatchObject({ code: 403, statusCode: 422 });
    await expect(client().sendEmailWithTemplate({ ...hello, TemplateAlias: 'nope', TemplateModel: {} })).rejects.toMatchObject({ code: 1101, statusCode: 422 });
    const broken = await fetch(`${sandbox.url}/email`, { method: 'POST', headers: { 'content-type': 'application/json', 'x-postmark-server-token': sandbox.key }, body: '{' });
    expect([broken.status, await broken.json()]).toMatchObject([422, { ErrorCode: 402 }]);
    await sandbox.call('POST /suppressions', { email: 'ann@example.org' });
    await expect(client().sendEmail({ ...hello, To: 'ann@example.org' })).rejects.toMatchObject({ code: 406, statusCode: 422 });
    const stranger = new ServerClient('wrong', { requestHost: new URL(sandbox.url).host, useHttps: false });
    await expect(stranger.sendEmail(hello)).rejects.toMatchObject({ code: 10, statusCode: 401 });
  });
});
