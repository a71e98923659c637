import qs from 'qs';
import { isObject, type JsonObject, keysOfBrackets, lazy } from '../values/index.js';
import { ORIGIN } from '../expression/index.js';
import type { ListPlan, ListPages } from '../program/index.js';

/** The position of a page in a list, in items. */
interface PagePosition {
  /** Number of items before the page. */
  readonly offset: number;
  readonly size: number;
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
  readonly totalCount: () => number;
}

/** Returns the number of items before the requested page; 0 for lists with cursors. */
export function pageOffset({ paging }: ListPlan, params: JsonObject, size: number): number {
  if (paging.kind === 'cursor') return 0;
  const given = params[paging.param];
  if (paging.kind === 'token') return typeof given === 'string' ? (fromToken(given) ?? 0) : 0;
  if (typeof given !== 'number') return 0;
  return Math.max(0, paging.kind === 'page' ? (given - paging.first) * size : given);
}

/** Removes a parameter from those of a call; `page[cursor]` is the member of a map. */
function withoutParam(given: JsonObject, param: string): JsonObject {
  const [first, member = ''] = keysOfBrackets(param);
  const { [first]: holder, ...rest } = given;
  if (first === param || !isObject(holder)) return rest;
  const { [member]: _, ...others } = holder;
  return Object.keys(others).length === 0 ? rest : { ...rest, [first]: others };
}

/** Encodes an offset as an opaque token. */
function tokenOf(offset: number): string {
  return Buffer.from(`o:${offset}`).toString('base64url');
}

/** Decodes a token; undefined if it is invalid. */
export function fromToken(token: string): number | undefined {
  const match = /^o:(\d{1,15})$/.exec(Buffer.from(token, 'base64url').toString());
  return match ? Number(match[1]) : undefined;
}

/**
 * Computes what an envelope may contain about neighbouring pages: numbers, links and tokens.
 * @param url path of the list
 * @param given the parameters of the call, which links repeat
 */
export function pagesOf(
  { paging, names }: Pick<ListPlan, 'paging' | 'names'>,
  place: PagePosition,
  url: string,
  given: JsonObject,
): ListPages {
  const { offset, size, hasMore, nextCursor } = place;
  const lastOffset = (): number => Math.max(0, Math.ceil(place.totalCount() / size) - 1) * size;
  const link = (value: number | string | null): string | null => {
    const param = paging.kind === 'cursor' ? names.after[0] : paging.param;
    const rest = withoutParam(given, param);
    const query = qs.stringify(value === null ? rest : { ...rest, [param]: value }, { arrayFormat: 'brackets' });
    return `${ORIGIN}${url}${query === '' ? '' : `?${query}`}`;
  };
  const at = (start: number): string | null => {
    if (paging.kind === 'cursor') return null;
    if (paging.kind === 'page') return link(paging.first + Math.floor(start / size));
    return link(paging.kind === 'token' ? tokenOf(start) : start);
  };
  const first = (): string | null => (paging.kind === 'cursor' || paging.kind === 'token' ? link(null) : at(0));
  const next = (): string | null => {
    if (!hasMore) return null;
    return paging.kind === 'cursor' ? link(nextCursor) : at(offset + size);
  };
  const isBeyond = lazy(() => paging.kind === 'page' && !hasMore && offset > lastOffset());
  const prev = (): string | null => {
    if (offset === 0) return null;
    return at(isBeyond() ? lastOffset() : Math.max(0, offset - size));
  };
  const last = (): string | null => at(lastOffset());
  return {
    page: (paging.kind === 'page' ? paging.first : 1) + Math.floor(offset / size),
    pages: () => Math.ceil(place.totalCount() / size),
    size,
    given,
    offset,
    nextToken: hasMore ? tokenOf(offset + size) : null,
    next,
    prev,
    first,
    last,
    link: () => {
      const all = [
        ['prev', prev()],
        ['next', next()],
        ['last', hasMore || isBeyond() ? last() : null],
        ['first', offset > 0 ? first() : null],
      ];
      const links = all.flatMap(([rel, to]) => (to === null ? [] : [`<${to}>; rel="${rel}"`]));
      return links.length === 0 ? null : links.join(', ');
    },
  };
}
