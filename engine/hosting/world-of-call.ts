import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { givenKeys, type KeyHeader, pathOf, queryOf } from '../http/index.js';
import type { Program } from '../program/index.js';

/** Where keys may stand beside the Authorization header. */
export interface SharedPlaces {
  /** Names of parameters of the query. */
  readonly parameters: ReadonlySet<string>;
  readonly headers: readonly KeyHeader[];
}

/** Where the keys of these packs may stand. */
export function sharedPlaces(packs: readonly Program[]): SharedPlaces {
  const auths = packs.map(({ model }) => model.settings.auth);
  return {
    parameters: new Set(
      auths.flatMap(({ keyParameters, keyPlaces }) => [...keyParameters.keys(), ...keyPlaces.map(({ name }) => name)]),
    ),
    headers: auths.flatMap(({ keyHeaders }) => keyHeaders),
  };
}

const BELOW = /^\/w\/([^/?]+)(?=[/?]|$)/;

/** The world that an address names, as it is written there (`/w/<world>/...`); undefined: it names none. */
export function worldNamed(url: string): string | undefined {
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
  for (const name of places.parameters) {
    const value = query.get(name);
    if (value) return [value];
  }
  return [];
}

/** A part of an address as it was meant; one that cannot be read stands for itself. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
