import { bufferOf, bytesOfText, isObject, type Json, type JsonObject } from '../../values/index.js';
import { withOrigin } from '../../expression/index.js';
import type { MessagePlan, OverObject, ResourceProgram } from '../../program/index.js';
import { type Engine, Runtime, type WorldReader } from '../../runtime/index.js';
import type { Row } from '../../world/index.js';
import { asked, viewAt } from '../ledger-position.js';
import { packInstant, type SeenWorld } from '../lookup.js';
import { unknown } from '../rejection.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { count, oneOf, optional, text } from '../shape.js';

const MailAttachmentSchema = s.named(
  'MailAttachment',
  s.object({
    name: s.string,
    type: s.string,
    size: s.integer.about('size in bytes'),
    content_id: s.string
      .about("Content-ID by which the message's HTML refers to it, in URLs that begin with `cid:`")
      .optional(),
    content: s.string
      .about('contents in base64; only returned with `contents=true` or for a single message')
      .optional(),
  }),
);

const MailSchema = s.named(
  'Mail',
  s.object({
    id: s.string,
    collection: s.string,
    way: s.string.about('channel: `mail`, `text`, ...'),
    from: s.string.orNull(),
    to: s.list(s.string),
    subject: s.string.orNull(),
    text: s.string.orNull(),
    html: s.string.orNull(),
    at: s.any.about("when it was sent, in the pack's time format"),
    links: s.list(s.string).about('URLs in the message, in order'),
    codes: s.list(s.string).about('one-time codes in the message'),
    attachments: s.list(MailAttachmentSchema),
    source: s.string.about('the raw message with its headers; only returned for a single message').optional(),
    reply: s
      .object({ cause: s.string, params: s.map })
      .orNull()
      .about(
        "the external event that replies to the message, with the parameters that follow from it; null if people can't reply",
      ),
  }),
);

type Mail = s.Shown<typeof MailSchema>;

/** Maximum number of messages in one response. */
const MOST = 200;

const AT = optional(asked, 'the messages as of this moment (default: now)');

/** Routes of messages that the world's packs sent to people. */
export const MAILBOX_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /mailbox',
    {
      id: 'mailbox',
      tag: 'world',
      about: 'Messages that packs sent to people (mail, codes, receipts, texts), newest first',
      query: {
        to: optional(text, 'return only messages to this address'),
        subject: optional(text, 'return only messages whose subject contains this text'),
        text: optional(text, 'return only messages whose subject or text contains this text'),
        way: optional(text, 'return only messages of this channel, such as `mail`'),
        limit: optional(count(1, MOST), 'maximum number of messages (default: 50)'),
        contents: optional(oneOf('true'), 'include the contents of attachments'),
        at: AT,
      },
      response: s.object({
        data: s.list(MailSchema),
        total: s.integer,
        writes: s.list(s.string).about('external events with which people write to the application'),
      }),
      errors: [404, 422, 507],
    },
    ({ engine }, { query: { to, subject, text: has, way, limit = 50, contents, at } }) => {
      const sent = new Sent(engine, viewAt(engine, at));
      const wanted = sent
        .all()
        .map((message, n) => ({ message, n }))
        .filter(({ message }) => to === undefined || message.to.some((each) => addressOf(each) === addressOf(to)))
        .filter(({ message }) => way === undefined || message.way === way)
        .filter(({ message }) => contains(subject, message.subject))
        .filter(({ message }) => contains(has, message.subject, message.text, message.html))
        .sort((a, b) => b.message.atMs - a.message.atMs || b.n - a.n);
      const data = wanted.slice(0, limit).map(({ message }) => mailOf(engine, message, contents === 'true'));
      return { body: { data, total: wanted.length, writes: sent.writes() } };
    },
  ),
  route(
    'GET /mailbox/:id',
    {
      id: 'mail',
      tag: 'world',
      about: 'One message with its raw source and the contents of its attachments',
      names: 'id of the message',
      query: { at: AT },
      response: MailSchema,
      errors: [404, 422, 507],
    },
    ({ engine }, { id, query: { at } }) => {
      const message = new Sent(engine, viewAt(engine, at)).find(id);
      if (message === undefined) throw unknown('object', id);
      return { body: { ...mailOf(engine, message, true), source: message.source ?? sourceOf(message) } };
    },
  ),
];

/** A message with the parts that a search looks through. */
interface Message extends Pick<Mail, 'id' | 'collection' | 'way' | 'from' | 'to' | 'subject' | 'text' | 'html'> {
  readonly atMs: number;
  readonly code: string | null;
  readonly link: string | null;
  readonly source: string | null;
  readonly attachments: Json;
  readonly reply: Mail['reply'];
}

/** Reads the messages of a world, in its present state or an earlier one. */
class Sent {
  readonly #reader: WorldReader;

  constructor(
    private readonly engine: Engine,
    private readonly view: SeenWorld,
  ) {
    const { runtime } = engine;
    this.#reader =
      view.world === engine.world ? runtime.reader : new Runtime(runtime.pack, view.world, runtime.surroundings).reader;
  }

  /** Every message of the world, in the order of its resources, oldest first. */
  all(): readonly Message[] {
    return this.#plans().flatMap(([{ def, index }, plan]) =>
      this.view.world.tenants
        .rows(index)
        .filter((row) => this.#isSent(plan, row))
        .map((row) => this.#messageOf(def.collection, plan, row)),
    );
  }

  /** Returns the names of external events that are replies of people to messages. */
  writes(): string[] {
    return [...new Set(this.#plans().flatMap(([, { reply }]) => (reply === null ? [] : [reply.cause])))];
  }

  /** The message with an id; undefined: there is none. */
  find(id: string): Message | undefined {
    for (const [{ def, index }, plan] of this.#plans()) {
      const row = this.view.world.tenants.find(index, id);
      if (row !== undefined && this.#isSent(plan, row)) return this.#messageOf(def.collection, plan, row);
    }
    return undefined;
  }

  #isSent(plan: MessagePlan, row: Row): boolean {
    return this.#inTenant(row, () => plan.when(this.#reader, row, null) === true);
  }

  #plans(): readonly (readonly [ResourceProgram, MessagePlan])[] {
    return this.engine.pack.resources.flatMap((resource) =>
      resource.message === null ? [] : [[resource, resource.message()] as const],
    );
  }

  #messageOf(collection: string, plan: MessagePlan, row: Row): Message {
    const parts = (of: OverObject): JsonObject => {
      const made = this.#inTenant(row, () => of(this.#reader, row, null));
      return isObject(made) ? made : {};
    };
    const given = parts(plan.parts);
    const { baseUrl } = this.#reader;
    const shown = (key: string): string | null => {
      const value = given[key];
      return typeof value === 'string' ? withOrigin(value, baseUrl) : null;
    };
    const [subject, text, html, code, link, source] = PARTS.map(shown);
    const { to, attachments = [] } = given;
    return {
      id: row.id,
      collection,
      way: shown('way') ?? 'mail',
      from: shown('from'),
      to: (Array.isArray(to) ? to : [to]).flatMap((each) => (typeof each === 'string' ? [each] : [])),
      subject,
      text,
      html,
      atMs: this.engine.model.env.toMs(given['at']),
      code,
      link,
      source,
      attachments,
      reply: plan.reply && { cause: plan.reply.cause, params: withoutNull(parts(plan.reply.params)) },
    };
  }

  #inTenant<T>(row: Row, run: () => T): T {
    return this.#reader.within(this.#reader.tenantOf(row), run);
  }
}

/** Texts of a message, apart from its sender and recipients. */
const PARTS = ['subject', 'text', 'html', 'code', 'link', 'source'] as const;

function withoutNull(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** A message in a response. */
function mailOf(engine: Engine, message: Message, contents: boolean): Mail {
  const { atMs, code, link, attachments, source: _, ...shown } = message;
  const { subject, text, html } = shown;
  return {
    ...shown,
    at: packInstant(engine, atMs),
    links: link === null ? linksOf(text, html) : [link],
    codes: code === null ? codesOf([subject, text, html === null ? null : textOf(html)]) : [code],
    attachments: (Array.isArray(attachments) ? attachments : []).filter(isObject).map((file) => {
      const bytes = bufferOf(bytesOfText(String(file['content'] ?? '')));
      return {
        name: String(file['name'] ?? ''),
        type: String(file['type'] ?? 'application/octet-stream'),
        size: bytes.length,
        ...(typeof file['content_id'] === 'string' ? { content_id: file['content_id'] } : {}),
        ...(contents ? { content: bytes.toString('base64') } : {}),
      };
    }),
  };
}

/** Writes the source of a message (headers and text) if the pack doesn't provide one. */
function sourceOf({ from, to, subject, text, html, atMs }: Message): string {
  const lines = [
    from === null ? null : `From: ${from}`,
    `To: ${to.join(', ')}`,
    subject === null ? null : `Subject: ${subject}`,
    Number.isFinite(atMs) ? `Date: ${new Date(atMs).toUTCString()}` : null,
  ];
  return `${lines.filter((line) => line !== null).join('\n')}\n\n${html ?? text ?? ''}`;
}

/** The address in `Ann <ann@example.org>`, in lower case. */
function addressOf(text: string): string {
  return (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim().toLowerCase();
}

function contains(wanted: string | undefined, ...texts: readonly (string | null)[]): boolean {
  return wanted === undefined || texts.some((each) => each?.toLowerCase().includes(wanted.toLowerCase()) === true);
}

/** URLs in the links of HTML, then those in the text. */
function linksOf(text: string | null, html: string | null): string[] {
  const hrefs = [...(html ?? '').matchAll(/\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map(([, double, single]) =>
    unescaped(double ?? single ?? ''),
  );
  const written = [...(text ?? '').matchAll(/\bhttps?:\/\/[^\s<>"')\]]+/g)].map(([url]) =>
    url.replace(/[.,;:!?]+$/, ''),
  );
  return [...new Set([...hrefs.filter((url) => /^https?:/i.test(url)), ...written])];
}

/** Numbers of 4 to 8 digits that are whole words. */
function codesOf(texts: readonly (string | null)[]): string[] {
  const digits = texts.flatMap((each) => [...(each ?? '').matchAll(/(?<![\w.,/#&=-])\d{4,8}(?![\w/-]|[.,]\d)/g)]);
  return [...new Set(digits.map(([code]) => code))];
}

/** The visible text of HTML. */
function textOf(html: string): string {
  return unescaped(html.replace(/<(style|script|head)\b[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' '));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|(\w{1,8}));/g, (all, number: string | undefined, name: string | undefined) =>
    number === undefined ? (ENTITIES[name ?? ''] ?? all) : String.fromCodePoint(Math.min(Number(number), 0x10ffff)),
  );
}
