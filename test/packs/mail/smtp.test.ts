import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createTransport } from 'nodemailer';
import { openSmtp, type SmtpDoor } from '../../../engine/index.js';
import { data, serveMail } from './served.js';

/** Mail by SMTP, from unmodified clients: nodemailer and Python's smtplib. */

const sandbox = serveMail();
let door: SmtpDoor;
const defects: unknown[] = [];
beforeAll(async () => {
  door = await openSmtp(sandbox.sandbox, { port: 0, host: '127.0.0.1', onDefect: (error) => defects.push(error) });
});
afterAll(async () => {
  await door.close();
  expect(defects).toEqual([]);
});

const transportOf = (pass: string) =>
  createTransport({ host: '127.0.0.1', port: door.port, auth: { user: 'resend', pass } });

test('nodemailer sends: names, copies, texts, attachments, headers, and it arrives', async () => {
  const transport = transportOf(sandbox.key);
  expect(await transport.verify()).toBe(true);
  const sent = await transport.sendMail({
    from: '"Shop, Ltd" <shop@example.com>',
    to: 'Ann <ann@example.org>, bob@example.org',
    cc: 'cem@example.org',
    bcc: 'dee@example.org',
    replyTo: 'help@example.com',
    subject: 'Grüße',
    text: 'Hello',
    html: '<p>Hello <img src="cid:logo"></p>',
    headers: { 'X-Order': '1001' },
    attachments: [
      { filename: 'bill.pdf', content: Buffer.from('%PDF-1.4'), contentType: 'application/pdf' },
      { filename: 'logo.png', content: Buffer.from('png'), cid: 'logo' },
    ],
  });
  transport.close();
  expect(sent.accepted).toHaveLength(4);
  const { data: emails } = data(await sandbox.client.emails.list());
  expect(emails).toHaveLength(1);
  expect(data(await sandbox.client.emails.get(emails[0].id))).toMatchObject({
    from: '"Shop, Ltd" <shop@example.com>',
    to: ['Ann <ann@example.org>', 'bob@example.org'],
    cc: ['cem@example.org'],
    bcc: ['dee@example.org'],
    reply_to: ['help@example.com'],
    subject: 'Grüße',
    text: expect.stringContaining('Hello'),
    html: expect.stringContaining('<p>Hello'),
  });
  await sandbox.control.advance('1m');
  const mail = await sandbox.control.mail.to('dee@example.org').last();
  expect(mail.attachments.map((file) => [file.name, file.type, file.text()])).toEqual(
    expect.arrayContaining([
      ['bill.pdf', 'application/pdf', '%PDF-1.4'],
      ['logo.png', 'image/png', 'png'],
    ]),
  );
});

test('the password is a key: a wrong one gets nowhere, one that may only send sends', async () => {
  await expect(transportOf('re_wrong').verify()).rejects.toMatchObject({ responseCode: 535 });
  const { token } = data(await sandbox.client.apiKeys.create({ name: 'Sender', permission: 'sending_access' }));
  const mail = { from: 'shop@example.com', to: 'ann@example.org', subject: 'Hi', text: 'Hi' };
  expect((await transportOf(token).sendMail(mail)).response).toMatch(/^250/);
  await expect(
    createTransport({ host: '127.0.0.1', port: door.port }).sendMail(mail),
  ).rejects.toMatchObject({ responseCode: 530 });
});

test('what the vendor rejects is rejected, with its words, for good or for now', async () => {
  const transport = transportOf(sandbox.key);
  const mail = { from: 'shop@elsewhere.example', to: 'ann@example.org', subject: 'Hi', text: 'Hi' };
  await expect(transport.sendMail(mail)).rejects.toMatchObject({
    responseCode: 550,
    response: expect.stringContaining('The domain elsewhere.example is not verified.'),
  });
  await sandbox.control.fault({ resource: 'emails', operation: 'create', status: 503, count: 1 });
  const right = { ...mail, from: 'shop@example.com' };
  await expect(transport.sendMail(right)).rejects.toMatchObject({ responseCode: 451 });
  expect((await transport.sendMail(right)).response).toMatch(/^250/);
  expect(data(await sandbox.client.emails.list()).data).toHaveLength(1);
});

test('a password that no header can hold is a wrong one, and a client that hangs up is no defect', async () => {
  await expect(transportOf('re_\r\nX: y').verify()).rejects.toMatchObject({ responseCode: 535 });
  await expect(transportOf('re_€').verify()).rejects.toMatchObject({ responseCode: 535 });
  const login = Buffer.from(`\0sandbox\0${sandbox.key}`).toString('base64');
  const steps = ['EHLO x', `AUTH PLAIN ${login}`, 'MAIL FROM:<shop@example.com>', 'RCPT TO:<ann@example.org>', 'DATA'];
  const socket = connect(door.port, '127.0.0.1');
  for (const step of steps) {
    await once(socket, 'data');
    socket.write(`${step}\r\n`);
  }
  await once(socket, 'data');
  socket.end('Subject: Half a mail\r\n\r\nHel');
  await once(socket.resume(), 'close');
  expect(data(await sandbox.client.emails.list()).data).toEqual([]);
});

test('a large mail is read beside other calls: one of 100 KB arrives, one with more headers than mail has does not', async () => {
  const transport = transportOf(sandbox.key);
  const mail = { from: 'shop@example.com', to: 'ann@example.org', subject: 'Large' };
  await transport.sendMail({ ...mail, attachments: [{ filename: 'a.bin', content: Buffer.alloc(100_000, 'x') }], text: 'See' });
  const [{ id }] = data(await sandbox.client.emails.list()).data;
  const { data: files } = data(await sandbox.client.emails.attachments.list({ emailId: id }));
  expect(files.map(({ filename, size }) => [filename, size])).toEqual([['a.bin', 100_000]]);
  const raw = `From: shop@example.com\r\n${'X-A: b\r\n'.repeat(3000)}\r\nx`;
  const sending = transport.sendMail({ envelope: { from: mail.from, to: mail.to }, raw });
  await expect(sending).rejects.toMatchObject({ responseCode: 554 });
});

test("Python's smtplib sends", async () => {
  const script = `
import smtplib, sys
from email.message import EmailMessage
m = EmailMessage()
m["From"], m["To"], m["Subject"] = "shop@example.com", "ann@example.org", "From Python"
m.set_content("Hello")
m.add_attachment(b"1,2", maintype="text", subtype="csv", filename="a.csv")
with smtplib.SMTP("127.0.0.1", ${door.port}) as s:
    s.login("resend", sys.argv[1])
    s.send_message(m)
`;
  const python = spawn('python3', ['-c', script, sandbox.key], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  python.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const [code] = (await once(python, 'exit')) as [number];
  expect([code, errors]).toEqual([0, '']);
  const mail = await sandbox.control.mail.to('ann@example.org').last();
  expect([mail.subject, mail.text?.trim(), mail.attachments[0].name]).toEqual(['From Python', 'Hello', 'a.csv']);
});

// Debian: apt-get install python3-django.
const DJANGO = ['python3', '/usr/bin/python3'].find((each) => spawnSync(each, ['-c', 'import django']).status === 0);
if (DJANGO === undefined) console.warn('skipped: Django is not installed, so its mail was not sent by SMTP');
(DJANGO === undefined ? test.skip : test)('Django sends, text and HTML with a file, through its own settings', async () => {
  const script = `
import sys
from django.conf import settings
settings.configure(EMAIL_HOST="127.0.0.1", EMAIL_PORT=${door.port}, EMAIL_HOST_USER="resend", EMAIL_HOST_PASSWORD=sys.argv[1])
from django.core.mail import EmailMultiAlternatives, send_mail
send_mail("Your code", "It is 481516.", "Shop <shop@example.com>", ["ann@example.org"], html_message="<p>It is <b>481516</b>.</p>")
mail = EmailMultiAlternatives("Your bill", "See the file.", "shop@example.com", ["bob@example.org"], bcc=["cem@example.org"], reply_to=["help@example.com"])
mail.attach("bill.csv", "a;b", "text/csv")
mail.send()
`;
  const python = spawn(DJANGO ?? '', ['-c', script, sandbox.key], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  python.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const [code] = (await once(python, 'exit')) as [number];
  expect([code, errors]).toEqual([0, '']);
  const { subject, html, code: secret } = await sandbox.control.mail.to('ann@example.org').last();
  expect([subject, html?.trim(), secret]).toEqual(['Your code', '<p>It is <b>481516</b>.</p>', '481516']);
  const { attachments } = await sandbox.control.mail.to('cem@example.org').last();
  expect([attachments[0].name, attachments[0].text().trim()]).toEqual(['bill.csv', 'a;b']);
});

test('a pack without `smtp` takes no mail', async () => {
  const other = { engine: { pack: { smtp: () => null, model: sandbox.engine.model } } };
  await expect(openSmtp(other as never, { port: 0, host: '127.0.0.1', onDefect: () => undefined })).rejects.toThrow(
    'mail takes no mail: its pack.yaml has no `smtp`',
  );
});
