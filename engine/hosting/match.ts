import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { worldOfKey } from '../expression/index.js';
import { givenKeys, type KeyHeader, pathOf, queryOf } from '../http/index.js';
import type { Program } from '../program/index.js';

/** What selects a world: its id or name, or a key. */
export interface WorldAsked {
  readonly by: 'name' | 'key';
  readonly text: string;
}

/** Where worlds are looked up. */
export interface WorldLookup<W> {
  /** What is in memory. */
  readonly known: (asked: WorldAsked) => W | undefined;
  /** What a store says of one that is not; undefined: there is none. */
  readonly find: (asked: WorldAsked) => Promise<W | undefined>;
}

/**
 * Finds the world of a call: the one that its path names (`/w/<world>/...`), which is where links to pages lead, since a browser
 * brings no key; else the one of its key, or of the world that made the key. Undefined: the call selects none, or one that
 * does not exist. The world itself checks the key.
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

/** The world of the first of these keys that any is of. */
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

/** Where keys may be beside the Authorization header. */
export interface SharedPlaces {
  /** Parameters of the query by name, with how a key is found in one; null: it is the key. */
  readonly parameters: ReadonlyMap<string, ((text: string) => string | undefined) | null>;
  readonly headers: readonly KeyHeader[];
}

/** Where the keys of these packs may be. */
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

/** The world that an address names, as it is written there (`/w/<world>/...`); undefined: it names none. */
function worldNamed(url: string): string | undefined {
  return BELOW.exec(url)?.[1];
}

/** Takes the world's name out of the address of a call. Forms of pages lead back to where they came from. */
export function withoutWorld(req: IncomingMessage): void {
  const url = req.url ?? '/';
  const below = BELOW.exec(url);
  if (below === null) return;
  const rest = url.slice(below[0].length);
  Object.assign(req, { originalUrl: url, url: rest.startsWith('/') ? rest : `/${rest}` });
}

/** The texts of a call that may be its key: those of its headers, else the one in its query. */
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

/** A part of an address as it was meant; one that cannot be read stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
