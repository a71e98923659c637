import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { worldOfKey } from '../expression/index.js';
import { givenKeys, type KeyHeader, pathOf, queryOf } from '../http/index.js';
import type { Program } from '../program/index.js';

/** Selects a world: by id or name, or by key. */
export interface WorldAsked {
  readonly by: 'name' | 'key';
  readonly text: string;
}

/** Functions that look up worlds in memory and in the store. */
export interface WorldLookup<W> {
  /** Worlds that are in memory. */
  readonly known: (asked: WorldAsked) => W | undefined;
  /** Looks in the store for a world that isn't running; undefined: there is none. */
  readonly find: (asked: WorldAsked) => Promise<W | undefined>;
}

/**
 * Finds the world of a call: the one in its path (`/w/<world>/...`, the form of links to pages, since browsers send no key),
 * else the one with its key, or that issued the key. Undefined: the call selects no existing world. The world itself checks the
 * key.
 */
export function matchWorld<W>(
  req: IncomingMessage,
  places: SharedPlaces,
  lookup: WorldLookup<W>,
): W | undefined | Promise<W | undefined> {
  const named = worldNamed(req.url ?? '/');
  if (named !== undefined) return lookedUp({ by: 'name', text: decoded(named) }, lookup);
  const keys = keysOfCall(req, places);
  for (const text of keys) {
    const world = lookup.known({ by: 'key', text });
    if (world !== undefined) return world;
  }
  return keys.length === 0 ? undefined : ofKeys(keys, lookup);
}

/** Finds the first world that has one of the keys, or issued it. */
async function ofKeys<W>(keys: readonly string[], lookup: WorldLookup<W>): Promise<W | undefined> {
  for (const text of keys) {
    const maker = worldOfKey(text);
    const made = maker === undefined ? undefined : await lookedUp({ by: 'name', text: decoded(maker) }, lookup);
    const found = made ?? (await lookup.find({ by: 'key', text }));
    if (found !== undefined) return found;
  }
  return undefined;
}

function lookedUp<W>(asked: WorldAsked, { known, find }: WorldLookup<W>): W | Promise<W | undefined> {
  return known(asked) ?? find(asked);
}

/** Places of keys besides the Authorization header. */
export interface SharedPlaces {
  /** Query parameters by name, each with how to extract a key; null: the whole value. */
  readonly parameters: ReadonlyMap<string, ((text: string) => string | undefined) | null>;
  readonly headers: readonly KeyHeader[];
}

/** Returns the places in which calls of several packs may have a key. */
export function sharedPlaces(packs: readonly Program[]): SharedPlaces {
  const auths = packs.map(({ model }) => model.settings.auth);
  return {
    parameters: new Map(
      auths.flatMap(({ keyParameters, keyPlaces }) => [
        ...[...keyParameters.keys()].map((name) => [name, null] as const),
        ...keyPlaces.map(({ name, keyIn }) => [name, keyIn] as const),
      ]),
    ),
    headers: auths.flatMap(({ keyHeaders }) => keyHeaders),
  };
}

const BELOW = /^\/w\/([^/?]+)(?=[/?]|$)/;

/** The world named in a URL (`/w/<world>/...`), still encoded; undefined: none. */
function worldNamed(url: string): string | undefined {
  return BELOW.exec(url)?.[1];
}

/** Removes `/w/<world>` from the URL of a call; `originalUrl` keeps it, for the forms of pages. */
export function withoutWorld(req: IncomingMessage): void {
  const url = req.url ?? '/';
  const below = BELOW.exec(url);
  if (below === null) return;
  const rest = url.slice(below[0].length);
  Object.assign(req, { originalUrl: url, url: rest.startsWith('/') ? rest : `/${rest}` });
}

/** The possible keys of a call: those in its headers, else the one in its query. */
export function keysOfCall(
  { headers, url = '/' }: { readonly headers: IncomingHttpHeaders; readonly url?: string },
  places: SharedPlaces,
): readonly string[] {
  const given = givenKeys(headers, places.headers);
  if (given.length > 0) return given;
  if (places.parameters.size === 0 || pathOf(url) === url) return [];
  const query = new URLSearchParams(queryOf(url));
  for (const [name, keyIn] of places.parameters) {
    const value = query.get(name);
    const key = value && keyIn !== null ? keyIn(value) : value;
    if (key) return [key];
  }
  return [];
}

/** Decodes a segment of a path; a malformed one stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
