import type { Json, JsonObject } from '../values/index.js';
import type { ListsFile } from './files.js';

/** How a list continues: after an object, by numbers of pages, by a count of items, or by what the page before said. */
export type Paging =
  | { readonly kind: 'cursor' }
  | { readonly kind: 'page'; readonly param: string; readonly first: number }
  | { readonly kind: 'offset'; readonly param: string }
  | { readonly kind: 'token'; readonly param: string };

/** What a size of a page out of bounds is. */
type ListBeyond = 'clamp' | 'reject' | 'reject_below' | 'ignore';

/** How lists are requested and returned. */
export interface ListSettings {
  readonly envelope: Json;
  readonly param: string;
  readonly size: number;
  readonly min: number;
  readonly max: number;
  /** A size out of bounds: the nearest is taken, it is an error (or only one below), or (below, or unreadable) it is as if it were not sent. */
  readonly beyond: ListBeyond;
  /** The parameters that say how a list is sorted; null: there is none. */
  readonly order: NonNullable<ListsFile['order']> | null;
  readonly sort: NonNullable<ListsFile['sort']> | null;
  readonly paging: Paging;
  /** Names of which the first that is sent counts. */
  readonly after: readonly string[];
  readonly before: string | null;
  readonly lenient: boolean;
  readonly headers: JsonObject;
}

/** What lists say in one place; only pack.yaml has to say what their envelope is. */
type ListsPart = Partial<ListsFile>;

const ENVELOPE: Json = { data: '${data}', has_more: '${has_more}', next_cursor: '${next_cursor}' };

/**
 * Fills in what lists leave out.
 * @param parts what pack.yaml, a resource and an operation say, in this order: the later one counts
 * @param fill replaces `${vars.x}`
 */
export function readLists(parts: readonly ListsPart[], fill: (text: string) => string): ListSettings {
  const size = Object.assign({}, ...parts.map((part) => part.size ?? {})) as NonNullable<ListsPart['size']>;
  const going = parts.findLast(({ cursors, pages, offset, token }) => cursors ?? pages ?? offset ?? token) ?? {};
  const paging = pagingOf(going);
  const cursors = going.cursors ?? {};
  const after = cursors.after ?? (paging.kind === 'cursor' ? 'cursor' : []);
  const last = <K extends keyof ListsPart>(key: K): ListsPart[K] =>
    parts.findLast((part) => part[key] !== undefined)?.[key];
  return {
    envelope: last('envelope') ?? ENVELOPE,
    param: size.param ?? 'limit',
    size: size.default ?? 10,
    min: size.min ?? 1,
    max: size.max ?? 100,
    beyond: fill(size.beyond ?? 'clamp') as ListBeyond,
    order: last('order') ?? null,
    sort: last('sort') ?? null,
    paging,
    after: typeof after === 'string' ? [after] : after,
    before: cursors.before ?? null,
    lenient: last('lenient') ?? false,
    headers: Object.assign({}, ...parts.map((part) => part.headers ?? {})) as JsonObject,
  };
}

function pagingOf({ pages, offset, token }: ListsPart): Paging {
  if (pages) return { kind: 'page', param: pages.param ?? 'page', first: pages.first ?? 1 };
  if (offset !== undefined) return { kind: 'offset', param: offset };
  if (token !== undefined) return { kind: 'token', param: token };
  return { kind: 'cursor' };
}
