import { useEffect, useState } from 'preact/hooks';
import { get } from './api.js';
import { live } from './live.js';
import { past } from './past.js';
import { useAsked } from './store.js';
import { type Row, Timeline } from './timeline.js';
import type { TimelinePage } from './types.js';

/** Number of steps that one request loads. */
const PAGE = 200;

/** The rows of the whole history, and the number of those that aren't loaded. */
interface History {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly of: number;
  readonly earlier: number;
  readonly error: Error | undefined;
  readonly isAsking: boolean;
  readonly loadEarlier: () => Promise<void>;
}

const NONE: readonly Row[] = [];

/** Returns the history as it happens, or the server's results of a search. Earlier pages are added at the top. */
export function useHistory(search: string, kind: string, newest: readonly Row[]): History {
  const isLive = search === '' && kind === '' && past.at === null;
  const what = JSON.stringify([search, kind, past.at]);
  const [above, setAbove] = useState<{
    readonly of: string;
    readonly rows: readonly Row[];
    readonly earlier: number;
  }>();
  const found = useAsked(async () => {
    const first = newest.at(0);
    const query = isLive ? { before: first && keyOf(first), limit: 1 } : { search, kind, limit: PAGE };
    const page = await get<TimelinePage>('/timeline', query);
    return { of: what, page, rows: isLive ? NONE : rowsOf(page) };
  }, [what, isLive ? newest.at(0)?.key : live.changes]);
  useEffect(() => setAbove(undefined), [what]);
  const page = found.value?.of === what ? found.value.page : undefined;
  const own = isLive ? newest : (found.value?.rows ?? NONE);
  const more = above?.of === what ? above : undefined;
  const rows = more ? [...more.rows, ...own] : own;
  const before = page ? page.earlier + (isLive && newest.length > 0 ? page.data.length : 0) : 0;
  return {
    rows,
    total: page?.total ?? rows.length,
    of: page?.of ?? rows.length,
    earlier: more?.earlier ?? before,
    error: found.error,
    isAsking: page === undefined,
    loadEarlier: async () => {
      const first = rows.at(0);
      if (!first) return;
      const next = await get<TimelinePage>('/timeline', { search, kind, before: keyOf(first), limit: PAGE });
      setAbove({ of: what, rows: [...rowsOf(next), ...(more?.rows ?? [])], earlier: next.earlier });
    },
  };
}

/** Returns the key by which the server identifies a row. */
function keyOf({ call, first }: Row): string {
  return call?.trace ?? String(first);
}

function rowsOf({ data }: TimelinePage): readonly Row[] {
  const timeline = new Timeline();
  for (const step of data) timeline.step(step);
  return timeline.rows;
}
