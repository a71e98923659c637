import { otherKey, ownKeysOf } from '../http/index.js';
import type { CompanyPart } from './parts.js';

/** What the key of a company begins with, and how many characters follow. */
export const COMPANY_KEY = 'company_';
export const COMPANY_KEY_LENGTH = 24;

type Keyed = Pick<CompanyPart, 'program'>;

/** The key of a pack, where one key opens a company: the same with the pack's prefix, and the pack's place at the end. */
export function keyOfMember(companyKey: string, { program }: Keyed, at: number): string {
  return otherKey(companyKey, COMPANY_KEY, program.model.settings.auth.keyPrefix) + tagOf(at);
}

/** What the company's key would be if this were the key of a pack; as many as there are. */
export function madeOf(given: string, { program }: Keyed, at: number): string[] {
  const { keyPrefix } = program.model.settings.auth;
  if (!given.startsWith(keyPrefix) || !given.endsWith(tagOf(at))) return [];
  const rest = given.slice(keyPrefix.length, -tagOf(at).length);
  return [COMPANY_KEY + rest, rest];
}

/** What the company's key would be if this were one of its keys or of one of its packs. */
export function companyKeysOf(given: string, parts: readonly Keyed[]): string[] {
  const own = parts.flatMap((part, at) =>
    ownKeysOf(given, part.program.model.settings.auth).flatMap((form) => [form.own, ...madeOf(form.own, part, at)]),
  );
  return [given, ...own];
}

function tagOf(at: number): string {
  return `-${at}`;
}
