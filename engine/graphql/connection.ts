import type { Json, JsonObject } from '../values/index.js';

/** A page of items as a Relay connection. A cursor is the index of the item. */
export function connectionOf(items: readonly Json[], { first, last, after, before }: JsonObject): JsonObject {
  let from = numberOf(after) ?? 0;
  let to = Math.min((numberOf(before) ?? items.length + 1) - 1, items.length);
  if (typeof first === 'number') to = Math.min(to, from + first);
  if (typeof last === 'number') from = Math.max(from, to - last);
  const edges = items.slice(from, Math.max(from, to)).map((node, at) => ({ cursor: cursorOf(from + at + 1), node }));
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    totalCount: items.length,
    pageInfo: {
      hasNextPage: to < items.length,
      hasPreviousPage: from > 0 && edges.length > 0,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

function cursorOf(number: number): string {
  return Buffer.from(`cursor:${number}`).toString('base64');
}

/** Decodes a cursor; null: invalid. */
function numberOf(cursor: Json | undefined): number | null {
  const [, number] = /^cursor:(\d+)$/.exec(Buffer.from(String(cursor), 'base64').toString('latin1')) ?? [];
  return number === undefined ? null : Number(number);
}
