import type { components } from './client-types.cjs';

type Mail = components['schemas']['Mail'];

/** The filters of a query for messages. */
interface MailQuery {
  readonly to?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly way?: string;
}

/** Queries the control API for messages, newest first. */
type AskMailbox = (query: MailQuery) => Promise<readonly Mail[]>;

/** An attachment of a message. */
class MailFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** The content of the attachment. */
  readonly content: Buffer;

  constructor({ name, type, size, content = '' }: Mail['attachments'][number]) {
    this.name = name;
    this.type = type;
    this.size = size;
    this.content = Buffer.from(content, 'base64');
  }

  /** Decodes the content as text. */
  text(): string {
    return this.content.toString('utf8');
  }
}

/** A message with its first link and code. */
interface ReadMail extends Omit<Mail, 'attachments'> {
  /** The first link; undefined without one. */
  readonly link: string | undefined;
  /** The first one-time code; undefined without one. */
  readonly code: string | undefined;
  readonly attachments: readonly MailFile[];
}

/** Thrown if no message matches. */
class NoMail extends Error {
  override readonly name = 'NoMail';
}

/** Messages that the world's packs sent to people, such as mail, codes and receipts: `mail.to('ann@example.org').last()`. */
export class Mailbox {
  constructor(
    private readonly ask: AskMailbox,
    private readonly query: MailQuery = {},
  ) {}

  /** Returns a mailbox with only the messages to an address. */
  to(address: string): Mailbox {
    return new Mailbox(this.ask, { ...this.query, to: address });
  }

  /** Returns a mailbox with only the messages whose subject contains a text. */
  subject(text: string): Mailbox {
    return new Mailbox(this.ask, { ...this.query, subject: text });
  }

  /** Returns a mailbox with only the messages whose subject or text contains a text. */
  with(text: string): Mailbox {
    return new Mailbox(this.ask, { ...this.query, text });
  }

  /** Returns a mailbox with only the messages sent by a channel: `mail`, `text`, or another one of a pack. */
  by(way: string): Mailbox {
    return new Mailbox(this.ask, { ...this.query, way });
  }

  /** Returns all matching messages, newest first. */
  async all(): Promise<readonly ReadMail[]> {
    return (await this.ask(this.query)).map((mail) => ({
      ...mail,
      link: mail.links[0],
      code: mail.codes[0],
      attachments: mail.attachments.map((file) => new MailFile(file)),
    }));
  }

  /** Returns the newest matching message. @throws NoMail, which lists the messages that exist */
  async last(): Promise<ReadMail> {
    const [mail] = await this.all();
    if (mail !== undefined) return mail;
    const others = (await this.ask({})).map(({ to, subject }) => `${to.join(', ')}: ${subject ?? 'no subject'}`);
    const wanted = Object.entries(this.query).map(([key, value]) => `${key} ${String(value)}`);
    const there = others.length === 0 ? 'no message was sent' : `there is: ${others.slice(0, 5).join('; ')}`;
    throw new NoMail(`no message ${wanted.join(', ')}: ${there}`);
  }
}
