import type { Json, JsonObject } from '../values/index.js';
import type { ListsFile } from './files.js';

/** How a list is divided into pages: by the last object, by page number, by offset, or by a token of the previous page. */
export type Paging =
  | { readonly kind: 'cursor' }
  | { readonly kind: 'page'; readonly param: string; readonly first: number }
  | { readonly kind: 'offset'; readonly param: string }
  | { readonly kind: 'token'; readonly param: string };

/** What happens to a page size outside of the bounds. */
type ListBeyond = 'clamp' | 'reject' | 'reject_below' | 'ignore';

/** How a list is requested and returned: its parameters, page sizes and envelope. */
export interface ListSettings {
  readonly envelope: Json;
  readonly param: string;
  readonly size: number;
  readonly min: number;
  readonly max: number;
  /**
   * A size outside of the bounds becomes the nearest bound, is an error (or only below the minimum), or is ignored (below the
   * minimum, or invalid).
   */
  readonly beyond: ListBeyond;
  /** The parameters that select the order of a list; null: callers can't select it. */
  readonly order: NonNullable<ListsFile['order']> | null;
  readonly sort: NonNullable<ListsFile['sort']> | null;
  readonly paging: Paging;
  /** Names of the parameter for the cursor after which a page begins; the first one that a call sends counts. */
  readonly after: readonly string[];
  readonly before: string | null;
  readonly lenient: boolean;
  readonly headers: JsonObject;
}

/** List settings of pack.yaml, a resource or an operation; only those of pack.yaml must declare an envelope. */
type ListsPart = Partial<ListsFile>;

const ENVELOPE: Json = { data: '${data}', has_more: '${has_more}', next_cursor: '${next_cursor}' };

/**
 * Combines list settings and adds defaults.
 * @param parts those of pack.yaml, a resource and an operation, later ones override earlier ones
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
