import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, chooseVendor, get, post, showVendor } from './api.js';
import { Icon } from './icons.js';
import { labels } from './labels.js';
import { live } from './live.js';
import { Palette } from './palette.js';
import { Action, Empty, Problem } from './parts.js';
import { past } from './past.js';
import { router, to } from './router.js';
import { ClockScreen } from './screens/clock.js';
import { ControlsScreen } from './screens/controls.js';
import { HomeScreen } from './screens/home.js';
import { MailboxScreen } from './screens/mailbox.js';
import { ObjectScreen } from './screens/object.js';
import { ObjectsScreen } from './screens/objects.js';
import { PackScreen } from './screens/pack.js';
import { type Run, RunScreen } from './screens/run.js';
import { Scrubber } from './scrubber.js';
import { TimelineScreen } from './screens/timeline.js';
import { WebhooksScreen } from './screens/webhooks.js';
import { WorldsScreen } from './screens/worlds.js';
import { useAsked, useStore } from './store.js';
import { durationOf, spanText, timeText } from './text.js';
import type { About, DueTimer, Pack } from './types.js';
import { useWorld, World, type WorldContext } from './world.js';
import { Keys } from './keys.js';

const SCREENS = [
  { name: 'home', title: 'Home', key: 'h' },
  { name: 'timeline', title: 'Timeline', key: 't' },
  { name: 'objects', title: 'Objects', key: 'o' },
  { name: 'clock', title: 'Clock', key: 'c' },
  { name: 'controls', title: 'Controls', key: 'l' },
  { name: 'mailbox', title: 'Mailbox', key: 'm' },
  { name: 'webhooks', title: 'Webhooks', key: 'w' },
  { name: 'worlds', title: 'Worlds', key: 'f' },
  { name: 'pack', title: 'Pack', key: 'p' },
  { name: 'run', title: 'Run', key: 'r' },
] as const;

/** A company, as the control API describes it. */
interface Company {
  readonly vendors: Readonly<Record<string, { readonly url: string }>>;
}

/** Shows the whole page: header with the clock, navigation, and one screen. */
export function App(): JSX.Element {
  useStore(router);
  const { value, error } = useAsked(async () => {
    const whole = await get<About | Company>('/');
    const vendors = 'vendors' in whole ? Object.keys(whole.vendors) : [];
    const vendor = 'vendors' in whole ? showVendor(whole.vendors) : '';
    live.begin();
    const [about, pack, mayFork, { run }] = await Promise.all([
      'vendors' in whole ? get<About>('/') : whole,
      get<Pack>('/pack'),
      get('/worlds').then(
        () => true,
        () => false,
      ),
      get<{ run: Run | null }>('/run'),
    ]);
    labels.begin(pack);
    return {
      about,
      pack,
      mayFork,
      run,
      vendors: vendors.toSorted((a, b) => Number(b === vendor) - Number(a === vendor)),
    };
  }, []);
  useEffect(() => {
    if (error instanceof ApiError && error.status === 401) dispatchEvent(new Event('sandbox-key-refused'));
  }, [error]);
  useEffect(() => {
    if (value) document.title = `${value.about.pack.title} – Sandbox`;
  }, [value]);
  if (error)
    return (
      <main class="lonely">
        <Problem error={error} />
      </main>
    );
  if (!value) return <main class="lonely" aria-busy="true" />;
  const { screen, parts } = router.route;
  return (
    <World.Provider value={value}>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to content
      </a>
      <Header about={value.about} />
      <LostNotice />
      <nav class="ways" aria-label="Screens">
        <ul>
          {SCREENS.filter(({ name }) => hasScreen(name, value)).map(({ name, title, key }) => (
            <li key={name}>
              <a href={to(name)} aria-current={isAt(name, screen) ? 'page' : undefined} title={`g ${key}`}>
                <Icon name={name} />
                <span>{title}</span>
              </a>
            </li>
          ))}
        </ul>
        <Keys screens={SCREENS} />
      </nav>
      <main id="main" tabIndex={-1} class={`screen ${screen}`}>
        {screen === 'run' && value.run ? <RunScreen run={value.run} /> : <Screen name={screen} parts={parts} />}
      </main>
    </World.Provider>
  );
}

/** Reports a lost connection below the header, without moving buttons. */
function LostNotice(): JSX.Element | null {
  useStore(live);
  useStore(past);
  const isPresentOnly = past.at !== null && PRESENT_ONLY.has(router.route.screen);
  if (live.state !== 'lost' && !isPresentOnly) return null;
  return (
    <p class={live.state === 'lost' ? 'notice bad' : 'notice'} role="alert">
      {live.state === 'lost'
        ? 'Connection lost. Retrying… Is `sandbox serve` still running?'
        : 'This screen shows the present. Home, Timeline, Objects and Mailbox show an earlier moment.'}
    </p>
  );
}

/** Whether a screen applies to the world. */
function hasScreen(
  name: string,
  { run, vendors, pack }: Pick<WorldContext, 'pack' | 'vendors'> & { run: Run | null },
): boolean {
  if (name === 'run') return run !== null;
  return name !== 'mailbox' || vendors.length > 1 || pack.resources.some(({ message }) => message);
}

/** Screens that always show the present. */
const PRESENT_ONLY = new Set(['clock', 'controls', 'webhooks', 'worlds']);

function isAt(name: string, screen: string): boolean {
  return name === screen || (name === 'objects' && screen === 'object') || (name === 'timeline' && screen === 'call');
}

function Screen({ name, parts }: { name: string; parts: readonly string[] }): JSX.Element {
  switch (name) {
    case 'home':
      return <HomeScreen />;
    case 'objects':
      return <ObjectsScreen collection={parts[0]} />;
    case 'object':
      return <ObjectScreen id={parts[0] ?? ''} whose={parts[1]} />;
    case 'clock':
      return <ClockScreen />;
    case 'controls':
      return <ControlsScreen />;
    case 'mailbox':
      return <MailboxScreen shown={parts[0]} />;
    case 'webhooks':
      return <WebhooksScreen shown={parts[0]} />;
    case 'worlds':
      return <WorldsScreen parts={parts} />;
    case 'pack':
      return <PackScreen shown={parts[0]} />;
    case 'timeline':
      return <TimelineScreen shown={parts[0]} />;
    default:
      return (
        <div class="page">
          <h2>Unknown address</h2>
          <Empty>
            There is no screen “{name}”. Go to the <a href={to('timeline')}>timeline</a>.
          </Empty>
        </div>
      );
  }
}

const STEPS = [
  ['+1 hour', '1h', '1 hour'],
  ['+1 day', '1d', '1 day'],
  ['+1 week', '7d', '1 week'],
] as const;

/** Shows the world's name and time, and the most used actions. */
function Header({ about }: { about: About }): JSX.Element {
  useStore(live);
  const { vendors } = useWorld();
  const now = live.now ?? about.world.now;
  const { value: due } = useAsked(
    () => get<{ data: DueTimer[]; total: number }>('/clock/timers', { limit: 1 }),
    [live.changes, live.now],
  );
  const next = due?.data.at(0);
  const advance = (duration: string) => (): Promise<unknown> => post('/clock/advance', { duration });
  return (
    <header class="top">
      <div class="world">
        <h1>{about.pack.title}</h1>
        <span class="muted">{about.pack.version}</span>
        {vendors.length > 1 && (
          <select aria-label="Vendor" onInput={({ currentTarget }) => chooseVendor(currentTarget.value)}>
            {vendors.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </div>
      <div class="now" role="group" aria-label="Clock">
        <time class="big">{timeText(now)}</time>
        <ClockMode state={live.advancing ? 'advancing' : about.world.clock} />
        {STEPS.map(([label, duration, words]) => (
          <Action key={label} run={advance(duration)} title={`Advance the clock by ${words}`}>
            {label}
          </Action>
        ))}
        {next && (
          <Action run={advance(durationOf(next.in_ms))} title={`${next.timer} of ${next.id}`}>
            Advance to next timer{' '}
            <span class="muted">
              ({next.in_ms <= 0 ? '' : 'in '}
              {spanText(next.in_ms)})
            </span>
          </Action>
        )}
      </div>
      <FindButton />
      <LiveSign />
      <Scrubber />
    </header>
  );
}

/** Shows a button that opens the search, like Ctrl-K. */
function FindButton(): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button type="button" class="find" onClick={() => setOpen(true)}>
        Find <kbd>Ctrl K</kbd>
      </button>
      {isOpen && <Palette screens={SCREENS} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Shows whether the clock follows real time. */
function ClockMode({ state }: { state: string }): JSX.Element {
  if (state === 'advancing') return <span class="muted">Advancing…</span>;
  if (state !== 'frozen') return <span class="muted">Real time</span>;
  return (
    <span class="muted" title="Simulated time is frozen until you advance it">
      Frozen
    </span>
  );
}

function LiveSign(): JSX.Element {
  const words = { live: 'Live', connecting: 'Connecting…', paused: 'Paused', lost: 'Disconnected. Retrying…' };
  return (
    <div class={`live-sign ${live.state}`} role="status">
      <span class="dot" aria-hidden="true" />
      {words[live.state]}
    </div>
  );
}

/** Asks for the key of the world, which the link printed by the server contains. */
export function KeyQuestion({
  wasWrong = false,
  onKey,
}: {
  wasWrong?: boolean;
  onKey: (key: string) => void;
}): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const [key, setKey] = useState('');
  return (
    <main class="lonely">
      <h1>Vendor Sandbox</h1>
      <p>
        Enter the API key that <code>sandbox serve</code> printed, or open its link.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (key !== '') onKey(key);
        }}
      >
        <div class="field">
          <label for="key">API key</label>
          <input
            id="key"
            ref={field}
            type="password"
            autocomplete="off"
            aria-invalid={wasWrong}
            aria-describedby={wasWrong ? 'key-problem' : undefined}
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </div>
        {wasWrong && (
          <p class="problem" role="alert" id="key-problem">
            This key doesn't open this server. Copy the key that <code>sandbox serve</code> printed.
          </p>
        )}
        <button type="submit" class="primary">
          Sign in
        </button>
      </form>
    </main>
  );
}
