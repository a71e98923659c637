import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from './api.js';
import { Icon } from './icons.js';
import { to } from './router.js';
import { ticks, useStore } from './store.js';
import { agoText, isSuccess, shortText, timeText, triggerText } from './text.js';
import type { Instant, Json, Transition } from './types.js';

/** Shows a state as a colored label, always with its name. */
export function Tag({
  tone = 'plain',
  children,
  title,
}: {
  tone?: Tone;
  children: ComponentChildren;
  title?: string;
}): JSX.Element {
  return (
    <span class={`tag ${tone}`} title={title}>
      {children}
    </span>
  );
}

type Tone = 'plain' | 'good' | 'bad' | 'warn' | 'accent';

const GOOD =
  /^(?:succeeded|active|paid|complete|completed|delivered|available|enabled|succeed|open|won|accepted|processed)$/;
const BAD =
  /^(?:failed|canceled|cancelled|unpaid|uncollectible|expired|incomplete_expired|lost|void|destroyed|error|exhausted)$/;
const WAITS =
  /^(?:requires_.*|past_due|pending|processing|incomplete|trialing|paused|queued|running|recorded|draft|action_required)$/;

/** Chooses the color of a status: most vendors' names mean success, failure or waiting. */
export function toneOf(status: Json): Tone {
  if (typeof status !== 'string') return 'plain';
  return GOOD.test(status) ? 'good' : BAD.test(status) ? 'bad' : WAITS.test(status) ? 'warn' : 'plain';
}

export function Status({ status }: { status: Json }): JSX.Element | null {
  return status === null ? null : <Tag tone={toneOf(status)}>{String(status)}</Tag>;
}

export function HttpStatus({ status }: { status: number }): JSX.Element {
  return (
    <span class={`http ${status === 0 ? 'bad' : isSuccess(status) ? 'good' : status >= 500 ? 'bad' : 'warn'}`}>
      {status === 0 ? 'connection closed' : status}
    </span>
  );
}

/** Shows an id as a link to its object. */
export function Id({ id, plain = false }: { id: string; plain?: boolean }): JSX.Element {
  return plain ? (
    <code class="id">{id}</code>
  ) : (
    <a class="id" href={to('object', id)} title={id}>
      {id}
    </a>
  );
}

export function Time({ at }: { at: Instant | null }): JSX.Element {
  return <time class="time">{timeText(at)}</time>;
}

/** Shows how much real time has passed since an instant, beside the simulated time. */
export function Ago({ at }: { at: string | undefined }): JSX.Element | null {
  useStore(ticks);
  return at === undefined ? null : (
    <time class="ago" dateTime={at} title={`${new Date(at).toLocaleString('en')}, real time`}>
      {agoText(at)}
    </time>
  );
}

/** Shows a change of state as the old state, an arrow and the new state. */
export function Move({
  transition: { id, from, to: target, trigger },
  withId = true,
}: {
  transition: Transition;
  withId?: boolean;
}): JSX.Element {
  return (
    <span class="move">
      {withId && <Id id={id} />} <span class="from">{from}</span>
      <span class="to"> → </span>
      <Status status={target} />
      {trigger !== null && <span class="muted"> {triggerText(trigger)}</span>}
    </span>
  );
}

/** Shows an error, and announces it to screen readers. */
export function Problem({ error }: { error: Error | undefined }): JSX.Element | null {
  return error ? (
    <p class="problem" role="alert">
      {error.message}
    </p>
  ) : null;
}

/** Shows a section of a screen with its heading. */
export function Section({
  title,
  aside,
  children,
  level = 2,
}: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
  level?: 2 | 3;
}): JSX.Element {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <section class="section">
      <div class="section-head">
        <Heading>{title}</Heading>
        {aside !== undefined && <div class="aside">{aside}</div>}
      </div>
      {children}
    </section>
  );
}

export function Empty({ children }: { children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>;
}

/** Shows a button that runs an action and reports its failure; a lost connection is reported below the header. */
export function Action({
  run,
  children,
  tone = 'plain',
  disabled = false,
  title,
}: {
  run: () => Promise<unknown>;
  children: ComponentChildren;
  tone?: 'plain' | 'primary' | 'danger' | 'quiet';
  disabled?: boolean;
  title?: string;
}): JSX.Element {
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const press = (): void => {
    setBusy(true);
    setError(undefined);
    run()
      .catch((reason: unknown) => setError(reason instanceof Error ? reason : new Error(String(reason))))
      .finally(() => setBusy(false));
  };
  return (
    <>
      <button type="button" class={tone} disabled={disabled || isBusy} aria-busy={isBusy} onClick={press} title={title}>
        {children}
      </button>
      {!(error instanceof ApiError && error.status === 0) && <Problem error={error} />}
    </>
  );
}

/** Shows a button that copies a text. @param isWord shows a word instead of an icon */
export function CopyButton({
  text,
  label,
  isWord = false,
}: {
  text: string;
  label: string;
  isWord?: boolean;
}): JSX.Element {
  const [isDone, setDone] = useState(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      setDone(true);
      setTimeout(() => setDone(false), 1500);
    });
  };
  return (
    <button type="button" class={isDone ? 'copy-button done' : 'copy-button'} title={label} onClick={copy}>
      <Icon name={isDone ? 'check' : 'copy'} />
      <span class={isWord ? '' : 'hidden'}> {isDone ? 'Copied' : label}</span>
    </button>
  );
}

/** Shows a text with a copy button. */
export function Copied({ text, label }: { text: string; label: string }): JSX.Element {
  return (
    <div class="copied">
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} label="Copy" isWord />
    </div>
  );
}

/** Shows a JSON value; nested values can be expanded. */
export function Value({ value }: { value: Json }): JSX.Element {
  if (value === null) return <span class="null">null</span>;
  if (typeof value === 'boolean' || typeof value === 'number') return <span class="number">{String(value)}</span>;
  if (typeof value === 'string')
    return value === '' ? <span class="null">&quot;&quot;</span> : <span class="text">{value}</span>;
  const isEmpty = Object.keys(value).length === 0;
  if (isEmpty) return <span class="null">{Array.isArray(value) ? '[ ]' : '{ }'}</span>;
  const text = JSON.stringify(value);
  if (text.length <= 60) return <code class="json">{text}</code>;
  return (
    <details class="value">
      <summary>
        <code class="json">{shortText(value, 64)}</code>
      </summary>
      <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
    </details>
  );
}
