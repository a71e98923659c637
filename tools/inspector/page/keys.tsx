import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { past } from './past.js';
import { go } from './router.js';

/** A screen with its shortcut. */
interface KeyedScreen {
  readonly name: string;
  readonly title: string;
  readonly key: string;
}

const SHORTCUTS: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['j', 'k'], does: 'Next, previous row (arrows too)' },
  { keys: ['Enter'], does: 'Open selected row' },
  { keys: ['/'], does: 'Go to filter' },
  { keys: ['Ctrl K'], does: 'Find anything' },
  { keys: ['←', '→'], does: 'On the history: next moment; with Shift, next failure' },
  { keys: ['Esc'], does: 'Back to now' },
];

/** Handles keyboard shortcuts: `g` and a letter opens a screen, `/` the filter, `?` lists them. */
export function Keys({ screens }: { screens: readonly KeyedScreen[] }): JSX.Element {
  const shortcuts = [...SHORTCUTS, ...screens.map(({ key, title }) => ({ keys: ['g', key], does: title }))];
  const [isOpen, setOpen] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    let before = '';
    const press = (event: KeyboardEvent): void => {
      const { target, key } = event;
      const writes = target instanceof HTMLElement && target.matches('input, textarea, select');
      if (event.ctrlKey || event.metaKey || event.altKey || writes) return;
      if (key === 'Escape' && past.at !== null && !document.querySelector('dialog[open]')) {
        past.look(null);
        return;
      }
      const screen = before === 'g' ? screens.find((each) => each.key === key) : undefined;
      before = key;
      if (screen) go(screen.name);
      else if (key === '/') {
        const filter = document.querySelector<HTMLInputElement>('input[type=search]');
        if (!filter) return;
        filter.focus();
        filter.select();
      } else if (key === '?') setOpen(true);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  return (
    <div class="keys">
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        Keyboard shortcuts <kbd>?</kbd>
      </button>
      {isOpen && (
        <dialog ref={dialog} onClose={() => setOpen(false)} aria-labelledby="keys-title">
          <h2 id="keys-title">Keyboard shortcuts</h2>
          <dl>
            {shortcuts.map(({ keys, does }) => (
              <div key={does}>
                <dt>
                  {keys.flatMap((key, at) =>
                    at === 0 ? [<kbd key={key}>{key}</kbd>] : [' ', <kbd key={key}>{key}</kbd>],
                  )}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <form method="dialog">
            <button type="submit">Close</button>
          </form>
        </dialog>
      )}
    </div>
  );
}
