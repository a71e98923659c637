import { hashOfKey, isHashOfKey } from '../codecs/index.js';
import { type Guard, AnyGuard, HashedGuard, hostMatcher, KeyGuard, otherKey } from '../http/index.js';
import type { Settings } from '../model/index.js';

/** All host names of a vendor, without duplicates: its own, those of parts that aren't emulated, and that of its MCP server. */
export function withOthers(hosts: readonly string[], more: Iterable<string>): readonly string[] {
  const isNamed = hostMatcher(hosts);
  return [...hosts, ...[...more].filter((host) => !isNamed(host.toLowerCase()))];
}

export const ANY_PAGE = { expose: [], credentials: false };

interface Guards {
  readonly guard: Guard;
  readonly own: Guard;
  readonly keys: readonly string[];
  /** Key that encrypts secrets in exports. */
  readonly seals: string;
}

/** Makes the checks of keys for a world with several keys. */
export function guardsOfAll(
  worldKeys: readonly string[],
  auth: Settings['auth'],
  madeOf?: (own: string) => readonly string[],
): Guards {
  const [first, ...others] = worldKeys.map((key) => guardsOf(key, auth, madeOf));
  if (others.length === 0) return first;
  return {
    guard: new AnyGuard([first.guard, ...others.map(({ guard }) => guard)]),
    own: new AnyGuard([first.own, ...others.map(({ own }) => own)]),
    keys: [first, ...others].flatMap(({ keys }) => keys),
    seals: first.seals,
  };
}

/** Makes the checks of keys: as pack.yaml declares for the vendor API, always as a bearer token for the control API. */
function guardsOf(key: string, auth: Settings['auth'], madeOf?: (own: string) => readonly string[]): Guards {
  const places = { schemes: auth.schemes, basic: auth.basic, headers: auth.keyHeaders };
  const ownPlaces = { ...places, schemes: ['bearer', ...auth.schemes] };
  if (isHashOfKey(key)) {
    const bare = { keyPrefix: auth.keyPrefix, others: new Map<string, string>(), wholeKeys: new Map<string, string>() };
    return {
      guard: new HashedGuard(key, places, auth, madeOf),
      own: new HashedGuard(key, ownPlaces, bare, madeOf),
      keys: [],
      seals: key,
    };
  }
  const formed = (prefixes: ReadonlyMap<string, string>): Map<string, string> =>
    new Map([...prefixes].map(([name, prefix]) => [name, otherKey(key, auth.keyPrefix, prefix)] as const));
  const others = formed(auth.others);
  const whole = formed(auth.wholeKeys);
  return {
    guard: new KeyGuard(key, places, others, whole),
    own: new KeyGuard(key, ownPlaces),
    keys: [key, ...whole.values(), ...others.values()],
    seals: hashOfKey(key),
  };
}
