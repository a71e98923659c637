import type { CallResponse } from '../kit/calls.js';

/** A call that creates an object with a unique name. */
export interface LoadCall {
  readonly load: Load;
  readonly name: string;
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
}

/** An object that a list returns. */
export interface Listed {
  readonly id: string;
  /** Name of the call that created the object; undefined if no call of this load did. */
  readonly name: string | undefined;
}

/** Calls that create objects of a pack, and lists to read them. */
export interface Load {
  readonly pack: string;
  /** Content type of request bodies. */
  readonly type: 'form' | 'json';
  /** Whether the vendor supports idempotency keys. */
  readonly isRepeatable: boolean;
  /** Whether the vendor's lists are sorted newest first. */
  readonly isNewestFirst: boolean;
  call(name: string, turn: number): Pick<LoadCall, 'path' | 'form'>;
  /** Returns the created object; undefined if the call was rejected. */
  made(body: Body): { readonly id: string | number } | undefined;
  readonly lists: readonly List[];
  items(body: Body): readonly Listed[];
}

type Body = CallResponse['body'];

/**
 * Returns the path of a page with at most `PAGE` objects; null after the last one.
 * @param page counts from 1
 * @param last the last id of the previous page
 * @param before body of the previous page
 */
export type List = (page: number, last: string, before: Body) => string | null;

/** Page size of lists. */
export const PAGE = 100;

interface Customer {
  readonly id: string;
  readonly metadata: { readonly n?: string };
}

interface Named {
  readonly id: string | number;
  readonly name: string;
}

const PAYMENTS: Load = {
  pack: 'payments',
  type: 'form',
  isRepeatable: true,
  isNewestFirst: true,
  call(name, turn) {
    const mark = { 'metadata[n]': name };
    if (turn % 3 > 0) return { path: '/v1/customers', form: { ...mark, email: `${name}@example.com` } };
    const form = { ...mark, amount: '2000', currency: 'usd', confirm: 'true', payment_method: 'pm_card_visa' };
    return { path: '/v1/payment_intents', form };
  },
  made: (body) => ('error' in body ? undefined : (body as unknown as Customer)),
  lists: ['/v1/customers', '/v1/payment_intents'].map(
    (path) => (_page, last) => `${path}?limit=${PAGE}${last && `&starting_after=${last}`}`,
  ),
  items: ({ data }) => (data as readonly Customer[]).map(({ id, metadata }) => ({ id, name: metadata.n })),
};

const CODE_HOSTING: Load = {
  pack: 'code-hosting',
  type: 'json',
  isRepeatable: false,
  isNewestFirst: true,
  call: (name) => ({ path: '/user/repos', form: { name } }),
  made: (body) => ('id' in body ? (body as unknown as Named) : undefined),
  lists: [(page) => `/user/repos?sort=created&direction=desc&per_page=${PAGE}&page=${page}`],
  items: (body) => (body as unknown as readonly Named[]).map(listed),
};

const TEAM_CHAT: Load = {
  pack: 'team-chat',
  type: 'form',
  isRepeatable: false,
  isNewestFirst: false,
  call: (name) => ({ path: '/api/conversations.create', form: { name } }),
  made: ({ channel }) => channel as Named | undefined,
  lists: [
    (page, _last, { response_metadata: more }) => {
      const cursor = (more as { readonly next_cursor: string } | undefined)?.next_cursor ?? '';
      const path = `/api/conversations.list?limit=${PAGE}`;
      if (page === 1) return path;
      return cursor === '' ? null : `${path}&cursor=${encodeURIComponent(cursor)}`;
    },
  ],
  items: ({ channels }) => (channels as readonly Named[]).map(listed),
};

/** Converts a listed object. Initial objects of a company, which no call created, have no call name. */
function listed({ id, name }: Named): Listed {
  return { id: String(id), name: name.startsWith('call_') ? name : undefined };
}

/** Packs that are called while their process is killed. */
export const LOADS: readonly Load[] = [PAYMENTS, CODE_HOSTING, TEAM_CHAT];
