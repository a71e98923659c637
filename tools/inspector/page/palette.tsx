import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { get, post } from './api.js';
import { labels } from './labels.js';
import { Status } from './parts.js';
import { past } from './past.js';
import { go } from './router.js';
import { useAsked, useSettled, useStore } from './store.js';
import { causeTitle, objectTitle, sentence } from './titles.js';
import type { Found } from './types.js';
import { useWorld } from './world.js';

interface Item {
  readonly key: string;
  readonly title: ComponentChildren;
  readonly beside?: ComponentChildren;
  readonly run: () => unknown;
}

interface Group {
  readonly title: string;
  readonly total: number;
  readonly items: readonly Item[];
}

const ACTIONS: readonly (readonly [title: string, run: () => unknown])[] = [
  ['Advance 1 day', () => post('/clock/advance', { duration: '1d' })],
  ['Advance 1 month', () => post('/clock/advance', { duration: '31d' })],
  ['Create a fork', () => go('worlds')],
  ['Add a fault', () => go('controls')],
  ['Add a webhook endpoint', () => go('webhooks')],
  ['Back to now', () => past.look(null)],
];

/** Maximum number of results per group that is searched in the page. */
const MOST = 6;

/** Shows the search of objects, calls and events on the server, and of screens, actions and external events in the page. */
export function Palette({
  screens,
  onClose,
}: {
  screens: readonly { name: string; title: string }[];
  onClose: () => void;
}): JSX.Element {
  useStore(labels);
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const wanted = useSettled(text.trim(), 90);
  const { value: found } = useAsked(
    () => (wanted.length < 2 ? Promise.resolve(null) : get<Found>('/search', { text: wanted, limit: MOST })),
    [wanted],
  );
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => setAt(0), [wanted]);
  const groups = useGroups(text.trim().toLowerCase(), found ?? null, screens);
  const all = groups.flatMap(({ items }) => items);
  const current = Math.min(at, all.length - 1);
  const run = (item: Item | undefined): void => {
    if (!item) return;
    dialog.current?.close();
    void item.run();
  };
  const move = (step: number): void => {
    setAt((current + step + all.length) % Math.max(1, all.length));
    requestAnimationFrame(() =>
      list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    );
  };
  return (
    <dialog ref={dialog} class="palette" onClose={onClose} aria-label="Find">
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={all.length > 0 ? `found-${current}` : undefined}
        aria-label="Find an ID, call, event or action"
        placeholder="Find an ID, call, event or action"
        value={text}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') move(1);
          else if (event.key === 'ArrowUp') move(-1);
          else if (event.key === 'Enter') run(all[current]);
          else return;
          event.preventDefault();
        }}
      />
      <div class="found" id="found" role="listbox" aria-label="Results" ref={list} tabIndex={-1}>
        {groups.map(({ title, total, items }) => (
          <div key={title} role="group" aria-label={title}>
            <p class="found-title" aria-hidden="true">
              {title} {total > items.length ? `${items.length} of ${total.toLocaleString('en')}` : ''}
            </p>
            {items.map((item) => {
              const index = all.indexOf(item);
              return (
                <div
                  key={item.key}
                  id={`found-${index}`}
                  role="option"
                  aria-selected={index === current}
                  class="found-item"
                  onPointerMove={() => setAt(index)}
                  onClick={() => run(item)}
                >
                  <span class="found-name">{item.title}</span>
                  <span class="found-beside muted">{item.beside}</span>
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <p class="palette-foot muted" role="status">
        {found
          ? `${all.length === 0 ? 'No match. ' : ''}${found.searched.toLocaleString('en')} objects and calls searched`
          : all.length === 0 && 'No match.'}
      </p>
    </dialog>
  );
}

function useGroups(low: string, found: Found | null, screens: readonly { name: string; title: string }[]): Group[] {
  const { pack } = useWorld();
  const fits = (...texts: string[]): boolean =>
    low.split(/\s+/).every((word) => texts.some((each) => each.toLowerCase().includes(word)));
  const actions: Item[] = [
    ...ACTIONS.map(([title, run]) => ({ key: title, title, run, words: title })),
    ...screens.map(({ name, title }) => ({
      key: name,
      title: `Go to ${title}`,
      run: () => go(name),
      words: `go ${title}`,
    })),
  ].filter(({ words }) => fits(words));
  const causes: Item[] =
    low === ''
      ? []
      : pack.causes
          .filter(({ cause }) => fits(cause, causeTitle(pack, cause)))
          .map(({ cause }) => ({
            key: cause,
            title: causeTitle(pack, cause),
            beside: cause,
            run: () => go('controls'),
          }));
  const groups: Group[] = [
    {
      title: 'Objects',
      total: found?.objects_total ?? 0,
      items: (found?.objects ?? []).map(({ id, collection }) => ({
        key: id,
        title: labels.of(id)?.name ?? id,
        beside: (
          <>
            {sentence(objectTitle(pack, collection))} <Status status={labels.of(id)?.status ?? null} />{' '}
            <code class="id">{id}</code>
          </>
        ),
        run: () => go('object', id),
      })),
    },
    {
      title: 'Calls',
      total: found?.calls_total ?? 0,
      items: (found?.calls ?? []).map(({ trace, method, path, status }) => ({
        key: trace,
        title: `${method} ${path}`,
        beside: status,
        run: () => go('timeline', trace),
      })),
    },
    {
      title: 'Events',
      total: found?.events_total ?? 0,
      items: (found?.events ?? []).map(({ id, type }) => ({
        key: id,
        title: type ?? id,
        beside: <code class="id">{id}</code>,
        run: () => go('object', id),
      })),
    },
    { title: 'Actions', total: actions.length, items: actions.slice(0, MOST) },
    { title: 'External events', total: causes.length, items: causes.slice(0, MOST) },
  ];
  return groups.filter(({ items }) => items.length > 0);
}
