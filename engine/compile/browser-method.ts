import type { Json, JsonObject } from '../values/index.js';
import type { BrowserMethodFile } from '../model/index.js';

export function methodView({
  takes,
  id,
  sends = {},
  gives,
  next = [],
  again,
  fails_at,
  stays = {},
  leaves,
}: BrowserMethodFile): JsonObject {
  return {
    takes,
    id: oneOrMore(id),
    sends: Object.entries(sends).map(([to, sent]) => ({ to, ...sentOf(sent) })),
    gives: gives ?? null,
    next,
    again: again ?? null,
    failsAt: fails_at ?? null,
    stays,
    leaves: leaves ? { to: leaves.to, unless: leaves.unless ?? {}, adds: leaves.adds ?? {} } : null,
  };
}

export function postedOf(posted: { readonly call: string; readonly with?: readonly Json[] } | null): JsonObject | null {
  return posted && { call: posted.call, with: posted.with ?? [] };
}

type Sent = NonNullable<BrowserMethodFile['sends']>[string];

export function sentOf(sent: Sent) {
  const {
    from,
    is = null,
    when = null,
    with: also = null,
    always = false,
  } = typeof sent === 'string' || isList(sent) ? { from: sent } : sent;
  return { from: oneOrMore(from), is, when, with: also, always };
}

function isList(value: Sent): value is readonly string[] {
  return Array.isArray(value);
}

export function oneOrMore(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}
