import { mintKey } from '../hosting/index.js';
import { otherKey, ownKeysOf } from '../http/index.js';
import type { CompanyPart } from './parts.js';

/** Prefix of a company's key, and the number of characters after it. */
const COMPANY_KEY = 'company_';
const COMPANY_KEY_LENGTH = 24;

export function newCompanyKey(): string {
  return mintKey(COMPANY_KEY, COMPANY_KEY_LENGTH);
}

type Keyed = Pick<CompanyPart, 'program'>;

/** The key of a pack, derived from the company's key: with the pack's prefix, and the pack's index at the end. */
export function keyOfMember(companyKey: string, { program }: Keyed, at: number): string {
  return otherKey(companyKey, COMPANY_KEY, program.model.settings.auth.keyPrefix) + tagOf(at);
}

/** Returns the company keys from which a pack's key may be derived; empty if the key has another form. */
export function madeOf(given: string, { program }: Keyed, at: number): string[] {
  const { keyPrefix } = program.model.settings.auth;
  if (!given.startsWith(keyPrefix) || !given.endsWith(tagOf(at))) return [];
  const rest = given.slice(keyPrefix.length, -tagOf(at).length);
  return [COMPANY_KEY + rest, rest];
}

/** Returns the possible company keys for a sent key: the key itself, and those from which it may be derived. */
export function companyKeysOf(given: string, parts: readonly Keyed[]): string[] {
  const own = parts.flatMap((part, at) =>
    ownKeysOf(given, part.program.model.settings.auth).flatMap((form) => [form.own, ...madeOf(form.own, part, at)]),
  );
  return [given, ...own];
}

function tagOf(at: number): string {
  return `-${at}`;
}
