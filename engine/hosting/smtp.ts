import type { AddressInfo } from 'node:net';
import type { Address, Email } from 'postal-mime';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { decodeJsonValue, jmespath } from '../codecs/index.js';
import { keyHeaders } from '../http/index.js';
import { LIMITS } from '../limits.js';
import { NotSendable, requestOf } from '../mcp/index.js';
import type { SmtpPlan } from '../program/index.js';
import type { Json, JsonObject } from '../values/index.js';
import type { Served } from './served.js';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../store/thread-file.js';

/** The world that receives mail, or whose address several worlds share. */
export type MailTarget = Pick<Served, 'engine' | 'url'> & Partial<Pick<Served, 'fetch'>>;

interface SmtpOptions {
  /** The port for mail; 0: any free one. */
  readonly port: number;
  /** The address to listen on. */
  readonly host: string;
  readonly onDefect: (error: unknown, what: string) => void;
}

/** A listening SMTP server. */
export interface SmtpDoor {
  readonly port: number;
  /** Stops listening and waits for open connections. */
  close(): Promise<void>;
}

/** Headers that aren't passed on as such: a member of the mail contains them, or they only describe its transport. */
const OWN =
  /^(?:from|to|cc|bcc|reply-to|subject|date|message-id|in-reply-to|mime-version|content-.*|received|return-path|dkim-signature)$/;

/** Thrown to reject a mail, with the text for its sender. */
class Rejected extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message.replaceAll(/\s+/g, ' ').slice(0, 400));
  }
}

/**
 * Receives mail by SMTP: each one is a call of the pack's operation, with the password of the login as its key.
 * @throws if the pack has no such operation, or the port is taken
 */
export async function openSmtp(target: MailTarget, { port, host, onDefect }: SmtpOptions): Promise<SmtpDoor> {
  planOf(target);
  const { SMTPServer } = await import('smtp-server');
  const keys = new WeakMap<SMTPServerSession, string>();
  const failed = (error: unknown): Error => {
    if (error instanceof Rejected) return error;
    onDefect(error, 'a mail by SMTP');
    return new Rejected(451, '4.3.0 the sandbox failed; its log has the reason');
  };
  const server = new SMTPServer({
    banner: 'sandbox',
    // Offers no encryption, since clients connect from the loopback address.
    hideSTARTTLS: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: LIMITS.smtpMail.value,
    maxClients: LIMITS.smtpClients.value,
    closeTimeout: 1_000,
    logger: false,
    onAuth: ({ password }, session, done) => {
      const key = password ?? '';
      isKey(target, key).then(
        (is) => {
          if (!is) return done(new Rejected(535, '5.7.8 the password is a key of the sandbox'));
          keys.set(session, key);
          done(null, { user: 'sandbox' });
        },
        (error: unknown) => done(failed(error)),
      );
    },
    onRcptTo: (_address, session, done) => {
      const most = LIMITS.smtpRecipients.value;
      if (session.envelope.rcptTo.length >= most) done(new Rejected(452, `4.5.3 at most ${most} recipients`));
      else done();
    },
    onData: (stream, session, done) => {
      take(stream, session).then(
        (text) => done(null, text),
        (error: unknown) => done(failed(error)),
      );
    },
  });
  async function take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of stream) {
        // Data above the size limit is read and discarded.
        if (!stream.sizeExceeded) chunks.push(chunk as Buffer);
      }
    } catch {
      throw new Rejected(451, '4.4.2 the connection ended within the mail');
    }
    if (stream.sizeExceeded) throw new Rejected(552, `5.3.4 a mail has at most ${LIMITS.smtpMail.value} bytes`);
    const email = await readMail(Buffer.concat(chunks)).catch(() => {
      throw new Rejected(554, '5.6.0 the mail cannot be read');
    });
    return send(target, mailOf(email, session), keys.get(session) ?? '');
  }
  server.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Returns the pack's plan for mail. @throws if the pack has no operation for mail */
function planOf({ engine: { pack } }: MailTarget): SmtpPlan {
  const plan = pack.smtp();
  if (plan === null) throw new Error(`${pack.model.settings.name} takes no mail: its pack.yaml has no \`smtp\``);
  return plan;
}

/** Whether a text is a key of the world; finds out by a call without effects. */
async function isKey(target: MailTarget, key: string): Promise<boolean> {
  // A header, and so a key, can't contain other characters.
  if (!/^[\x21-\x7e]+$/.test(key)) return false;
  const headers = { 'content-type': 'application/json', ...keyHeaders(target.engine.model.settings.auth, key) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  return (await call(target, '/mcp', { method: 'POST', headers, body })).status < 400;
}

/** Calls the pack's operation for mail. @returns the reply text of a success @throws Rejected */
async function send(target: MailTarget, mail: JsonObject, key: string): Promise<string> {
  const { engine } = target;
  const { operation, with: texts, error } = planOf(target);
  const given = Object.entries(texts).map(([name, text]): [string, Json] => [name, jmespath(text, mail)]);
  const params = Object.fromEntries(given.filter(([, value]) => value !== null));
  let made;
  try {
    made = requestOf(engine.model, operation, operation.routes[0], params, keyHeaders(engine.model.settings.auth, key));
  } catch (thrown) {
    if (thrown instanceof NotSendable) throw new Rejected(554, `5.6.0 ${thrown.message}`);
    throw thrown;
  }
  const { method, url, headers } = made;
  const body = made.body === null ? null : new Uint8Array(made.body);
  const response = await call(target, url, { method, headers, body });
  const text = await response.text();
  if (response.status < 400) return 'taken';
  const decoded = decodeJsonValue(Buffer.from(text));
  const said = error === null || !decoded.ok ? null : jmespath(error, decoded.value);
  throw new Rejected(
    response.status === 429 || response.status >= 500 ? 451 : 550,
    typeof said === 'string' ? said : text,
  );
}

function call({ url, fetch: within }: MailTarget, path: string, init: RequestInit): Promise<Response> {
  return within === undefined ? fetch(url + path, init) : within(path, init);
}

/** Returns a mail as the pack's JMESPath expressions see it. Recipients of the envelope that no header names are Bcc. */
function mailOf(email: Email, { envelope }: SMTPServerSession): JsonObject {
  const [to, cc, replyTo] = [email.to, email.cc, email.replyTo].map((list) => (list ?? []).flatMap(shown));
  const named = new Set([email.to, email.cc].flatMap((list) => (list ?? []).flatMap(addresses)));
  const bcc = envelope.rcptTo.map(({ address }) => address).filter((each) => !named.has(each.toLowerCase()));
  const sender = envelope.mailFrom === false ? null : envelope.mailFrom.address;
  const headers = email.headers.filter(({ key }) => !OWN.test(key));
  return {
    from: (email.from ? shown(email.from).at(0) : undefined) ?? sender,
    to,
    cc,
    bcc,
    reply_to: replyTo,
    subject: email.subject ?? '',
    text: email.text ?? null,
    html: email.html ?? null,
    headers: Object.fromEntries(headers.map(({ originalKey, value }) => [originalKey, value])),
    message_id: email.messageId ?? null,
    in_reply_to: email.inReplyTo ?? null,
    date: email.date ?? null,
    attachments: email.attachments.map(({ filename, mimeType, disposition, contentId, content }) => ({
      // Attachments without a name, such as invitations, get one by their type.
      filename: filename ?? `attachment.${mimeType.split('/').pop() ?? 'bin'}`,
      content_type: mimeType,
      content: typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString('base64'),
      ...(contentId === undefined ? {} : { content_id: contentId.replace(/^<|>$/g, '') }),
      ...(disposition === null ? {} : { disposition }),
    })),
  };
}

/** Formats an address as `Ann <ann@example.org>`; a group gives the addresses of its members. */
function shown(given: Address): string[] {
  if (given.group !== undefined) return given.group.flatMap(shown);
  const { name, address } = given;
  return [name === '' ? address : `${/["(),:;<>@[\\\]]/.test(name) ? JSON.stringify(name) : name} <${address}>`];
}

function addresses(given: Address): string[] {
  return given.group === undefined ? [given.address.toLowerCase()] : given.group.flatMap(addresses);
}

/** Size in bytes from which a mail is parsed in a thread. */
const THREAD_BYTES = 16 * 1024;
/** Time limit for parsing a mail, in milliseconds. Thousands of parts take longer than megabytes of files. */
const READING_MS = 30_000;
/** Memory limit for the objects of a mail while it is parsed, in MB. */
const HEAP_MB = 512;

let last: Promise<unknown> = Promise.resolve();

/**
 * Parses an email (RFC 5322, MIME). The time depends on its structure more than on its length, so all but short emails are
 * parsed in a thread, one at a time, beside other calls.
 * @throws Error if it can't be parsed, or not within half a minute
 */
async function readMail(mail: Buffer): Promise<Email> {
  if (mail.length < THREAD_BYTES) {
    const { default: PostalMime } = await import('postal-mime');
    return new PostalMime({ attachmentEncoding: 'base64' }).parse(mail);
  }
  const reading = last.then(() => readInThread(mail));
  last = reading.catch(() => undefined);
  return reading;
}

function readInThread(mail: Buffer): Promise<Email> {
  const thread = new Worker(threadFile('./mail-thread.js', import.meta.url), {
    workerData: mail,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  return new Promise<Email>((resolve, reject) => {
    const late = setTimeout(() => void thread.terminate(), READING_MS).unref();
    thread.once('message', resolve).once('error', reject);
    thread.once('exit', () => {
      clearTimeout(late);
      reject(new Error('the mail takes too long to read'));
    });
  });
}
