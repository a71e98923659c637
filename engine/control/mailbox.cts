import type { components } from './client-types.cjs';

type Mail = components['schemas']['Mail'];

/** What is asked of the mailbox. */
interface MailQuery {
  readonly to?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly way?: string;
}

/** Asks the control API for messages that fit a query, newest first. */
type AskMailbox = (query: MailQuery) => Promise<readonly Mail[]>;

/** A file that came with a message. */
class MailFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** Its bytes. */
  readonly content: Buffer;

  constructor({ name, type, size, content = '' }: Mail['attachments'][number]) {
    this.name = name;
    this.type = type;
    this.size = size;
    this.content = Buffer.from(content, 'base64');
  }

  /** Its bytes as text. */
  text(): string {
    return this.content.toString('utf8');
  }
}

/** A message as a person would read it. */
interface ReadMail extends Omit<Mail, 'attachments'> {
  /** The first link; undefined without one. */
  readonly link: string | undefined;
  /** The first one-time code; undefined without one. */
  readonly code: string | undefined;
  readonly attachments: readonly MailFile[];
}

/** No message fits. */
class NoMail extends Error {
  override readonly name = 'NoMail';
}

/** Messages that the world's packs sent to people, such as mail, codes and receipts: `mail.to('ann@example.org').last()`. */
export class Mailbox {
  constructor(
    private readonly ask: AskMailbox,
    private readonly query: MailQuery = {},
  ) {}

  /** Only those to an address. */
  to(address: string): Mailbox {
    return new Mailbox(this.ask, { ...this.query, to: address });
  }

  /** Only those whose subject has a text. */
  subject(text: string): Mailbox {
    return new Mailbox(this.ask, { ...this.query, subject: text });
  }

  /** Only those whose subject or text has a text. */
  with(text: string): Mailbox {
    return new Mailbox(this.ask, { ...this.query, text });
  }

  /** Only those that were sent so: `mail`, `text`, or another word of a pack. */
  by(way: string): Mailbox {
    return new Mailbox(this.ask, { ...this.query, way });
  }

  /** All that fit, newest first. */
  async all(): Promise<readonly ReadMail[]> {
    return (await this.ask(this.query)).map((mail) => ({
      ...mail,
      link: mail.links[0],
      code: mail.codes[0],
      attachments: mail.attachments.map((file) => new MailFile(file)),
    }));
  }

  /** The newest that fits. @throws NoMail, which names those that are there */
  async last(): Promise<ReadMail> {
    const [mail] = await this.all();
    if (mail !== undefined) return mail;
    const others = (await this.ask({})).map(({ to, subject }) => `${to.join(', ')}: ${subject ?? 'no subject'}`);
    const wanted = Object.entries(this.query).map(([key, value]) => `${key} ${String(value)}`);
    const there = others.length === 0 ? 'no message was sent' : `there is: ${others.slice(0, 5).join('; ')}`;
    throw new NoMail(`no message ${wanted.join(', ')}: ${there}`);
  }
}
