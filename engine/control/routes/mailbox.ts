import { bufferOf, bytesOfText, isObject, type Json, type JsonObject } from '../../values/index.js';
import { withOrigin } from '../../expression/index.js';
import type { MessagePlan } from '../../program/index.js';
import type { Engine } from '../../runtime/index.js';
import type { Row } from '../../world/index.js';
import { packInstant } from '../lookup.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { count, oneOf, optional, text } from '../shape.js';

const MailAttachmentSchema = s.named(
  'MailAttachment',
  s.object({
    name: s.string,
    type: s.string,
    size: s.integer.about('bytes'),
    content: s.string.about('the file in base64; only with `contents`').optional(),
  }),
);

const MailSchema = s.named(
  'Mail',
  s.object({
    id: s.string,
    collection: s.string,
    way: s.string.about('how it was sent: `mail`, `text`, ...'),
    from: s.string.orNull(),
    to: s.list(s.string),
    subject: s.string.orNull(),
    text: s.string.orNull(),
    html: s.string.orNull(),
    at: s.any.about('when it was sent, as the pack writes times'),
    links: s.list(s.string).about('addresses in its texts, in order'),
    codes: s.list(s.string).about('one-time codes in its texts'),
    attachments: s.list(MailAttachmentSchema),
  }),
);

type Mail = s.Shown<typeof MailSchema>;

/** Messages of one call at most. */
const MOST = 200;

/** What people would read: messages that the world's packs sent them. */
export const MAILBOX_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /mailbox',
    {
      id: 'mailbox',
      tag: 'world',
      about: 'Messages that were sent to people (mail, codes, receipts, texts), newest first',
      query: {
        to: optional(text, 'only those to this address'),
        subject: optional(text, 'only those whose subject has this text'),
        text: optional(text, 'only those whose subject or text has this text'),
        way: optional(text, 'only those that were sent so, such as `mail`'),
        limit: optional(count(1, MOST), 'how many (default: 50)'),
        contents: optional(oneOf('true'), 'attachments with their contents'),
      },
      response: s.object({ data: s.list(MailSchema), total: s.integer }),
    },
    ({ engine }, { query: { to, subject, text: has, way, limit = 50, contents } }) => {
      const wanted = engine.pack.resources
        .flatMap(({ def, index, message }) => {
          const plan = message?.();
          if (plan === undefined) return [];
          return engine.world.tenants
            .rows(index)
            .filter((row) => inTenant(engine, row, () => plan.when(engine.runtime.reader, row, null) === true))
            .map((row) => messageOf(engine, def.collection, plan, row));
        })
        .map((message, n) => ({ message, n }))
        .filter(({ message }) => to === undefined || message.to.some((each) => addressOf(each) === addressOf(to)))
        .filter(({ message }) => way === undefined || message.way === way)
        .filter(({ message }) => contains(subject, message.subject))
        .filter(({ message }) => contains(has, message.subject, message.text, message.html))
        .sort((a, b) => b.message.atMs - a.message.atMs || b.n - a.n);
      const data = wanted.slice(0, limit).map(({ message }) => mailOf(engine, message, contents === 'true'));
      return { body: { data, total: wanted.length } };
    },
  ),
];

/** A message as far as it is looked for. */
interface Message extends Pick<Mail, 'id' | 'collection' | 'way' | 'from' | 'to' | 'subject' | 'text' | 'html'> {
  readonly atMs: number;
  readonly code: string | null;
  readonly link: string | null;
  readonly attachments: Json;
}

function messageOf(engine: Engine, collection: string, plan: MessagePlan, row: Row): Message {
  const { reader } = engine.runtime;
  const given = inTenant(engine, row, () => plan.parts(reader, row, null)) as JsonObject;
  const shown = (key: string): string | null => {
    const value = given[key];
    return typeof value === 'string' ? withOrigin(value, reader.baseUrl) : null;
  };
  const [subject, text, html, code, link] = ['subject', 'text', 'html', 'code', 'link'].map(shown);
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
    atMs: engine.model.env.toMs(given['at']),
    code,
    link,
    attachments,
  };
}

/** A message as it is shown. */
function mailOf(engine: Engine, { atMs, code, link, attachments, ...shown }: Message, contents: boolean): Mail {
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
        ...(contents ? { content: bytes.toString('base64') } : {}),
      };
    }),
  };
}

function inTenant<T>(engine: Engine, row: Row, run: () => T): T {
  const { reader } = engine.runtime;
  return reader.within(reader.tenantOf(row), run);
}

/** The address of `Ann <ann@example.org>`, without regard to case. */
function addressOf(text: string): string {
  return (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim().toLowerCase();
}

function contains(wanted: string | undefined, ...texts: readonly (string | null)[]): boolean {
  return wanted === undefined || texts.some((each) => each?.toLowerCase().includes(wanted.toLowerCase()) === true);
}

/** Addresses that links of HTML lead to, then those in the text. */
function linksOf(text: string | null, html: string | null): string[] {
  const hrefs = [...(html ?? '').matchAll(/\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map(([, double, single]) =>
    unescaped(double ?? single ?? ''),
  );
  const written = [...(text ?? '').matchAll(/\bhttps?:\/\/[^\s<>"')\]]+/g)].map(([url]) =>
    url.replace(/[.,;:!?]+$/, ''),
  );
  return [...new Set([...hrefs.filter((url) => /^https?:/i.test(url)), ...written])];
}

/** Numbers of 4 to 8 digits that are words of their own. */
function codesOf(texts: readonly (string | null)[]): string[] {
  const digits = texts.flatMap((each) => [...(each ?? '').matchAll(/(?<![\w.,/#&=-])\d{4,8}(?![\w/-]|[.,]\d)/g)]);
  return [...new Set(digits.map(([code]) => code))];
}

/** What of HTML is read. */
function textOf(html: string): string {
  return unescaped(html.replace(/<(style|script|head)\b[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' '));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|(\w{1,8}));/g, (all, number: string | undefined, name: string | undefined) =>
    number === undefined ? (ENTITIES[name ?? ''] ?? all) : String.fromCodePoint(Math.min(Number(number), 0x10ffff)),
  );
}
