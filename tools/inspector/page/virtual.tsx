import type { ComponentChildren, JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

interface VirtualProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** Returns the height of an item in pixels, which must be constant. */
  readonly heightOf: (item: T) => number;
  readonly draw: (item: T) => ComponentChildren;
  readonly label: string;
  readonly selected: string | null;
  readonly onSelect: (item: T) => void;
  /** Whether the list scrolls to its end as it grows, while the end is visible. */
  readonly followsEnd?: boolean;
  /** Called when the beginning of the list becomes visible. */
  readonly onBegin?: () => void;
  /** Called when the user scrolls near the end of the list. */
  readonly onEnd?: () => void;
}

/** Pixels rendered above and below the visible part. */
const MARGIN = 400;

/**
 * Shows a list of any length of which only the visible part is in the document. Tab focuses one item; arrows, j and k, Home and End move; Enter opens
 * it.
 */
export function VirtualList<T>(props: VirtualProps<T>): JSX.Element {
  const { items, keyOf, heightOf, draw, label, selected, onSelect, followsEnd = false, onBegin, onEnd } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const [at, setAt] = useState<string | null>(null);
  const wasAtEnd = useRef(true);
  const takesFocus = useRef(false);
  const tops = useMemo(() => {
    const sums = new Float64Array(items.length + 1);
    for (let index = 0; index < items.length; index++) sums[index + 1] = sums[index] + heightOf(items[index]);
    return sums;
  }, [items, items.length, items.at(-1), heightOf]);
  const total = tops[items.length];

  useLayoutEffect(() => {
    const box = frame.current;
    if (!box) return undefined;
    const look = (): void => setView({ top: box.scrollTop, height: box.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(box);
    look();
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const box = frame.current;
    if (followsEnd && wasAtEnd.current && box) box.scrollTop = box.scrollHeight;
  }, [total, followsEnd]);
  // Items added above move the visible ones down: this keeps the scroll position.
  const firstKey = useRef<string | null>(null);
  useLayoutEffect(() => {
    const box = frame.current;
    const before = firstKey.current;
    firstKey.current = items.length === 0 ? null : keyOf(items[0]);
    if (!box || before === null || before === firstKey.current) return;
    const moved = items.findIndex((item) => keyOf(item) === before);
    if (moved > 0) box.scrollTop += tops[moved];
  }, [items, tops]);
  useEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    frame.current?.querySelector<HTMLElement>('[data-current="true"]')?.focus({ preventScroll: true });
  });

  const first = Math.max(0, search(tops, view.top - MARGIN));
  const last = Math.min(items.length, search(tops, view.top + view.height + MARGIN) + 1);
  const place = at ?? selected;
  const known = place === null ? -1 : items.findLastIndex((item) => keyOf(item) === place);
  const current = known >= 0 ? known : followsEnd ? items.length - 1 : 0;
  // The focused index is stored in a ref, because keys can be pressed faster than the list renders.
  const reached = useRef(current);
  reached.current = current;

  const move = (index: number): void => {
    const box = frame.current;
    const bounded = Math.max(0, Math.min(items.length - 1, index));
    const item = items[bounded];
    if (!box || item === undefined) return;
    reached.current = bounded;
    setAt(keyOf(item));
    takesFocus.current = true;
    const [top, bottom] = [tops[bounded], tops[bounded + 1]];
    if (top < box.scrollTop) box.scrollTop = top;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
  };
  const press = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = 12;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
    };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      move(reached.current + step);
    } else if (event.key === 'Enter' && event.target instanceof Element && event.target.matches('[role=listitem]')) {
      event.preventDefault();
      const item = items[reached.current];
      if (item !== undefined) onSelect(item);
    }
  };

  return (
    <div
      class="virtual"
      ref={frame}
      onScroll={({ currentTarget: box }) => {
        const below = box.scrollHeight - box.scrollTop - box.clientHeight;
        wasAtEnd.current = below < 24;
        setView({ top: box.scrollTop, height: box.clientHeight });
        if (box.scrollTop === 0) onBegin?.();
        if (below < 4 * box.clientHeight) onEnd?.();
      }}
      onKeyDown={press}
    >
      <div class="virtual-space" style={{ height: `${total}px` }} role="list" aria-label={label}>
        {items.slice(first, last).map((item, offset) => {
          const index = first + offset;
          const key = keyOf(item);
          return (
            <div
              key={key}
              role="listitem"
              aria-setsize={items.length}
              aria-posinset={index + 1}
              aria-current={key === selected ? 'true' : undefined}
              class={key === selected ? 'item selected' : 'item'}
              style={{ top: `${tops[index]}px`, height: `${tops[index + 1] - tops[index]}px` }}
              tabIndex={index === current ? 0 : -1}
              data-current={index === current}
              onClick={(event) => {
                if (event.target instanceof Element && event.target.closest('a, button')) return;
                setAt(key);
                onSelect(item);
              }}
            >
              {draw(item)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Finds the last index whose top is at or above a position. */
function search(tops: Float64Array, position: number): number {
  let [low, high] = [0, tops.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tops[middle] <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
