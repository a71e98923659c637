import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ADMIN, CONTROL, controlOf, get, post } from '../api.js';
import { ParamForm, Search } from '../form.js';
import { live } from '../live.js';
import { Copied, CopyButton, Empty, Id, Problem, Section, Tag, Time } from '../parts.js';
import { past } from '../past.js';
import { go, to } from '../router.js';
import { type Asked, useAsked, useStore } from '../store.js';
import { plural } from '../text.js';
import type { Instant, JsonObject, Mail, MailList, Pack } from '../types.js';
import { VirtualList } from '../virtual.js';
import { useWorld } from '../world.js';

/** Maximum number of messages that the screen requests. */
const MOST = 200;
/** Milliseconds between checks of the company's other packs, which have no common stream. */
const LOOK_MS = 1_000;

/** Shows messages of the pack, or of all packs in a company, and a form for replies to the application. */
export function MailboxScreen({ shown }: { shown: string | undefined }): JSX.Element {
  useStore(live);
  const { vendors } = useWorld();
  const [text, setText] = useState('');
  const news = useNews(vendors.length > 1);
  const { value, error } = useAsked(() => get<MailList>('/mailbox', { limit: MOST }, ADMIN), [live.changes, news]);
  const words = text.toLowerCase();
  const rows = (value?.data ?? []).filter((mail) =>
    `${mail.from ?? ''} ${mail.to.join(' ')} ${mail.subject ?? ''} ${mail.text ?? ''} ${mail.html ?? ''}`
      .toLowerCase()
      .includes(words),
  );
  const heightOf = useMemo(() => () => 34, []);
  const chosen = value?.data.find(({ id }) => id === shown);
  return (
    <div class={shown === undefined ? 'split' : 'split opened'}>
      <section class="pane list" aria-label="Messages">
        {value && value.writes.length > 0 && past.at === null && (
          <div class="above">
            {value.writes.map((cause) => (
              <details class="add" key={cause}>
                <summary>
                  Write to the application <span class="muted">({cause})</span>
                </summary>
                <EventForm cause={cause} params={{}} button="Send" />
              </details>
            ))}
          </div>
        )}
        <div class="bar">
          <h2>Mailbox</h2>
          <Search label="Filter" placeholder="Filter by address, subject, or text" value={text} onInput={setText} />
        </div>
        <Problem error={error} />
        {value && rows.length === 0 && <Empty>{value.data.length === 0 ? 'No message was sent.' : 'No match.'}</Empty>}
        {rows.length > 0 && (
          <VirtualList
            items={rows}
            keyOf={({ id }) => id}
            heightOf={heightOf}
            label="Messages"
            selected={shown ?? null}
            onSelect={({ id }) => go('mailbox', id)}
            draw={(mail) => <Line mail={mail} />}
          />
        )}
        <p class="foot" aria-live="polite">
          {plural(rows.length, 'message')}
          {value && value.total > value.data.length ? ', the newest' : ''}
        </p>
      </section>
      <section class="pane details" aria-label="Details">
        {shown !== undefined && (
          <button type="button" class="quiet back" onClick={() => go('mailbox')}>
            Back to the list
          </button>
        )}
        {chosen ? (
          <MailView key={chosen.id} mail={chosen} />
        ) : (
          <Empty>
            {shown === undefined ? 'Select a message to read it.' : 'This message is not there at this moment.'}
          </Empty>
        )}
      </section>
    </div>
  );
}

/** Returns a value that changes when a pack of the company has sent a message. */
function useNews(isCompany: boolean): string {
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    if (!isCompany) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) setLooks((before) => before + 1);
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [isCompany]);
  const { value } = useAsked(
    () => (isCompany ? get<MailList>('/mailbox', { limit: 1 }, ADMIN) : Promise.resolve(undefined)),
    [isCompany, looks],
  );
  return value ? `${value.total} ${value.data.at(0)?.id ?? ''}` : '';
}

function Line({ mail: { way, from, to: recipients, subject, text, at } }: { mail: Mail }): JSX.Element {
  return (
    <div class="line first">
      <Tag>{way}</Tag>
      <strong>{subject ?? text ?? 'No subject'}</strong>
      <span class="path muted">
        {from === null ? '' : `${from} → `}
        {recipients.join(', ')}
      </span>
      <span class="end muted">
        <Time at={at as Instant} />
      </span>
    </div>
  );
}

function MailView({ mail }: { mail: Mail }): JSX.Element {
  const { id, collection, subject, from, to: recipients, text, html, links, codes, reply, at } = mail;
  const { value: whole } = useAsked(
    () => get<Mail>(`/mailbox/${encodeURIComponent(id)}`, {}, baseOf(collection)),
    [id, past.at],
  );
  const files = whole?.attachments ?? [];
  return (
    <article class="explain mail" aria-label="Message">
      <header>
        <h2>{subject ?? 'No subject'}</h2>
        <p>
          {from === null ? '' : `${from} → `}
          {recipients.join(', ')}
        </p>
        <p class="muted">
          <Time at={at as Instant} /> · {collection} <Id id={id} plain={isOfOther(collection)} />
        </p>
      </header>
      {html !== null && whole !== undefined && (
        <iframe
          title="The message"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerpolicy="no-referrer"
          srcdoc={`<base target="_blank">${withFiles(html, whole)}`}
        />
      )}
      {text !== null && (
        <Section title="Text" level={3}>
          <pre tabIndex={0} aria-label="Text">
            {text}
          </pre>
        </Section>
      )}
      <Found title="Links" texts={links} />
      <Found title="Codes" texts={codes} />
      {files.length > 0 && (
        <Section title={`Attachments (${files.length})`} level={3}>
          <ul class="plain">
            {files.map((file) => (
              <li key={file.name}>
                <a href={addressOf(file)} download={file.name}>
                  {file.name}
                </a>{' '}
                <span class="muted">
                  {file.type}, {plural(file.size, 'byte')}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {whole?.source !== undefined && (
        <details>
          <summary>Source</summary>
          <Copied text={whole.source} label="Source" />
        </details>
      )}
      {reply && past.at === null && (
        <Section title="Reply" level={3}>
          <EventForm cause={reply.cause} params={reply.params} button="Reply" />
        </Section>
      )}
    </article>
  );
}

/** Shows links or codes that a message contains, with copy buttons. */
function Found({ title, texts }: { title: string; texts: readonly string[] }): JSX.Element | null {
  if (texts.length === 0) return null;
  return (
    <Section title={title} level={3}>
      <ul class="plain">
        {texts.map((text) => (
          <li key={text}>
            {title === 'Links' ? (
              <a href={text} target="_blank" rel="noreferrer">
                {text}
              </a>
            ) : (
              <code>{text}</code>
            )}{' '}
            <CopyButton text={text} label={`Copy ${text}`} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Shows a form for an external event with some preset parameters, and the result. */
function EventForm({ cause, params, button }: { cause: string; params: JsonObject; button: string }): JSX.Element {
  const { value: pack, error } = usePackOf(cause);
  const [caused, setCaused] = useState<readonly string[]>();
  const [, name] = partsOf(cause);
  const variants = pack?.causes.find((each) => each.cause === name)?.variants ?? [];
  const asked = Object.entries(variants.find(({ subject }) => subject === null)?.params ?? {});
  const fields = Object.fromEntries(asked.filter(([each]) => !Object.hasOwn(params, each)));
  const send = async (more: JsonObject): Promise<void> => {
    const { events } = await post<{ events: { type?: string }[] }>(
      '/world/events',
      { cause, params: { ...params, ...more } },
      ADMIN,
    );
    setCaused(events.map(({ type }) => type ?? name));
  };
  if (error) return <Problem error={error} />;
  return (
    <>
      <ParamForm fields={fields} button={button} send={send} />
      {caused && (
        <p role="status">
          Came in as {caused.length === 0 ? name : caused.join(', ')}. <a href={to('webhooks')}>Webhooks</a>
        </p>
      )}
    </>
  );
}

/** Loads the pack that declares an external event; in a company, the event's name starts with its vendor. */
function usePackOf(cause: string): Asked<Pack> {
  const { pack } = useWorld();
  const base = baseOf(cause);
  return useAsked(() => (base === CONTROL ? Promise.resolve(pack) : get<Pack>('/pack', {}, base)), [base]);
}

/** Splits a name into vendor and name; the vendor is empty if there is only one. */
function partsOf(name: string): readonly [vendor: string, name: string] {
  const at = name.indexOf('/');
  return at < 0 ? ['', name] : [name.slice(0, at), name.slice(at + 1)];
}

function baseOf(name: string): string {
  const [vendor] = partsOf(name);
  return vendor === '' ? CONTROL : controlOf(vendor);
}

/** Whether an object belongs to another vendor than the shown one. */
function isOfOther(collection: string): boolean {
  return baseOf(collection) !== CONTROL;
}

type File = Mail['attachments'][number];

function addressOf({ type, content = '' }: File): string {
  return `data:${type};base64,${content}`;
}

/** Inlines attached images in the HTML of a message. */
function withFiles(html: string, { attachments }: Mail): string {
  return html.replace(/cid:([^"'<>\s)]+)/g, (whole, id: string) => {
    const file = attachments.find(({ content_id }) => content_id === id);
    return file ? addressOf(file) : whole;
  });
}
