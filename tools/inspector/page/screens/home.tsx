import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { get, ORIGIN, post, theKey } from '../api.js';
import { Icon, type IconName } from '../icons.js';
import { live } from '../live.js';
import { Action, CopyButton, HttpStatus } from '../parts.js';
import { past } from '../past.js';
import { go, to } from '../router.js';
import { Say } from '../say.js';
import { filledIn, mayCall, startOf, tryCall } from '../start.js';
import { useAsked, useStore } from '../store.js';
import { plural } from '../text.js';
import type { Row } from '../timeline.js';
import { sentence, wordsOf } from '../titles.js';
import type { About, UnsupportedList } from '../types.js';
import { useWorld } from '../world.js';
import { KINDS } from '../labels.js';

/** Maximum number of rows in the list of unsupported requests. */
const MOST_UNSUPPORTED = 20;
/** Number of rows that the feed of events shows. */
const NEWEST = 7;
/** Number of visible characters of a masked key. */
const SHOWN = 8;

/** Shows the sandbox's address, code for a first call, and its result. */
export function HomeScreen(): JSX.Element {
  useStore(live);
  useStore(live.timeline);
  useStore(past);
  const { pack, about } = useWorld();
  const { value } = useAsked(() => get<About>('/'), [live.changes]);
  const { at } = past;
  const recent = live.timeline.rows
    .filter(({ kind, last, call }) => kind !== 'seed' && (at === null || (call?.entry ?? last) <= at))
    .slice(-NEWEST)
    .reverse();
  const isNew = recent.length === 0 && at === null;
  const masked = `${theKey().slice(0, SHOWN)}••••`;
  return (
    <div class="home-page">
      <header>
        <p class="muted">{pack.faithful_to}</p>
        <h2>
          {pack.title} is running.{isNew && ' Make your first call.'}
        </h2>
        <div class="connect">
          <CopyField label="Base URL" text={ORIGIN} />
          <CopyField label="API key" text={theKey()} masked={masked} />
        </div>
      </header>
      <div class="home-grid">
        <Snippets masked={masked} />
        <section class="card feed" aria-labelledby="feed-title">
          <div class="section-head">
            <h3 id="feed-title">{isNew ? 'Your first call' : 'Latest'}</h3>
            {!isNew && <a href={to('timeline')}>Open timeline</a>}
          </div>
          {isNew ? <Waiting /> : <Feed rows={recent} />}
        </section>
      </div>
      <Tiles counts={(value ?? about).world.objects} />
      <Unsupported asked={(value ?? about).unsupported} />
      <TryNext />
      <p class="muted">
        Time is frozen until you advance it.{' '}
        <a href={to('pack')}>
          {plural(pack.resources.length, 'resource')},{' '}
          {plural(pack.resources.flatMap(({ operations }) => operations).length, 'operation')},{' '}
          {plural(pack.causes.length, 'external event')}
        </a>
      </p>
    </div>
  );
}

function Waiting(): JSX.Element {
  return (
    <div class="waiting" role="status">
      <div class="pulse" aria-hidden="true">
        <span />
        <span />
        <Icon name="live" size={28} />
      </div>
      <p class="strong">Waiting for your first call…</p>
      <p class="muted">Run the code. The call appears here as soon as it arrives.</p>
    </div>
  );
}

function Feed({ rows }: { rows: readonly Row[] }): JSX.Element {
  return (
    <ol class="feed-list">
      {rows.map((row) => (
        <li key={row.key}>
          <a href={to('timeline', row.key)}>
            {row.call ? (
              <HttpStatus status={row.call.status} />
            ) : (
              <span class={`kind ${row.kind}`}>{KINDS[row.kind]}</span>
            )}
            <Say row={row} links={false} />
          </a>
        </li>
      ))}
    </ol>
  );
}

/** Lists requests for features that the vendor has and the pack doesn't emulate. */
function Unsupported({ asked }: { asked: About['unsupported'] }): JSX.Element | null {
  const total = Object.values(asked).reduce((sum, each) => sum + each, 0);
  const { value } = useAsked(() => get<UnsupportedList>('/unsupported'), [total]);
  if (total === 0 || !value) return null;
  return (
    <section aria-labelledby="unsupported-title">
      <h3 id="unsupported-title">Asked for, not emulated</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Operation</th>
            <th scope="col">Calls</th>
          </tr>
        </thead>
        <tbody>
          {value.data.slice(0, MOST_UNSUPPORTED).map(({ kind, name, operation, count }) => (
            <tr key={`${kind} ${name} ${operation}`}>
              <td>
                {kind.replace('_', ' ')} <code>{name}</code>
              </td>
              <td>{operation ?? ''}</td>
              <td>{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Shows a text with a copy button. @param masked shown until the user reveals the whole text */
function CopyField({ label, text, masked }: { label: string; text: string; masked?: string }): JSX.Element {
  const [isShown, setShown] = useState(masked === undefined);
  return (
    <div class="copy-field">
      <span class="muted">{label}</span>
      <code>{isShown ? text : masked}</code>
      {masked !== undefined && (
        <button type="button" class="quiet" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
        </button>
      )}
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
  );
}

const LANGUAGE = 'sandbox language';

/** Shows code for a first call, in the language last selected in this browser. */
function Snippets({ masked }: { masked: string }): JSX.Element {
  const { pack } = useWorld();
  const { languages } = startOf(pack);
  const [name, setName] = useState(localStorage.getItem(LANGUAGE));
  const chosen = languages.find((each) => each.name === name) ?? languages[0];
  const choose = (next: string): void => {
    setName(next);
    localStorage.setItem(LANGUAGE, next);
  };
  const step = (by: number): void => {
    const next = languages[(languages.indexOf(chosen) + by + languages.length) % languages.length].name;
    choose(next);
    requestAnimationFrame(() => document.getElementById(`tab-${next}`)?.focus());
  };
  return (
    <section class="card code-card" aria-label="Code for a first call">
      <div class="code-tabs">
        <div
          role="tablist"
          aria-label="Language"
          onKeyDown={({ key }) => {
            if (key === 'ArrowRight') step(1);
            else if (key === 'ArrowLeft') step(-1);
          }}
        >
          {languages.map((each) => (
            <button
              key={each.name}
              id={`tab-${each.name}`}
              type="button"
              role="tab"
              aria-selected={each === chosen}
              aria-controls="snippet"
              tabIndex={each === chosen ? 0 : -1}
              onClick={() => choose(each.name)}
            >
              {each.name}
            </button>
          ))}
        </div>
        <CopyButton text={filledIn(chosen.code, theKey())} label="Copy" isWord />
      </div>
      <div id="snippet" role="tabpanel" aria-labelledby={`tab-${chosen.name}`}>
        {chosen.install !== null && <p class="install">$ {chosen.install}</p>}
        <pre tabIndex={0}>{filledIn(chosen.code, masked)}</pre>
      </div>
    </section>
  );
}

/** Links the most relevant collections, with their numbers of objects. */
function Tiles({ counts }: { counts: Readonly<Record<string, number>> }): JSX.Element {
  const { pack } = useWorld();
  const all = Object.values(counts).reduce((sum, each) => sum + each, 0);
  const tiles: [title: string, count: number, address: string][] = [
    ...startOf(pack).collections.map((each): [string, number, string] => [
      sentence(wordsOf(each)),
      counts[each] ?? 0,
      to('objects', each),
    ]),
    ['All objects', all, to('objects')],
  ];
  return (
    <section aria-labelledby="tiles-title">
      <h3 id="tiles-title">In this world</h3>
      <ul class="tiles">
        {tiles.map(([title, count, address]) => (
          <li key={title}>
            <a class="card" href={address}>
              <span class="count">{count.toLocaleString('en')}</span>
              <span class="muted">{title}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows buttons that demonstrate the sandbox's features with one click. */
function TryNext(): JSX.Element {
  const { pack } = useWorld();
  const tries = mayCall() ? startOf(pack).tries : [];
  return (
    <section aria-labelledby="tries-title">
      <h3 id="tries-title">Try next</h3>
      <ul class="tries">
        {tries.map((each) => (
          <Step key={each.title} icon="play" title={each.title} text={each.text}>
            <Action
              run={async () => {
                const trace = await tryCall(each, pack);
                if (trace !== null) go('timeline', trace);
              }}
            >
              {each.title}
            </Action>
          </Step>
        ))}
        <Step icon="clock" title="Advance one month" text="Everything that is due by then happens now, in order.">
          <Action run={() => post('/clock/advance', { duration: '31d' }).then(() => go('timeline'))}>
            Advance one month
          </Action>
        </Step>
        <Step icon="webhooks" title="Receive webhooks" text="Signed and retried as the vendor does it.">
          <a class="button" href={to('webhooks')}>
            Add an endpoint
          </a>
        </Step>
      </ul>
    </section>
  );
}

function Step({
  icon,
  title,
  text,
  children,
}: {
  icon: IconName;
  title: string;
  text: string;
  children: JSX.Element;
}): JSX.Element {
  return (
    <li class="card">
      <h4>
        <Icon name={icon} /> {title}
      </h4>
      <p class="muted">{text}</p>
      {children}
    </li>
  );
}
