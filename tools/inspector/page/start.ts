import { headers, ORIGIN, theKey } from './api.js';
import type { JsonObject, Pack } from './types.js';

type Start = NonNullable<Pack['start']>;
type Try = Start['tries'][number];

/** Returns code for a first call, from the pack or as a curl command, and the collections with states. */
export function startOf(pack: Pack): Start {
  if (pack.start) return pack.start;
  const reads = pack.resources
    .flatMap(({ operations }) => operations)
    .find(({ method, path }) => method === 'GET' && !path.includes('{'));
  return {
    languages: [{ name: 'curl', install: null, code: `curl {url}${reads?.path ?? '/'} \\\n  ${keyOption(pack)}` }],
    collections: pack.resources
      .filter(({ machine }) => machine)
      .map(({ collection }) => collection)
      .slice(0, 4),
    tries: [],
  };
}

function keyOption({ key_scheme }: Pack): string {
  return key_scheme === 'basic' ? '-u {key}:' : '-H "Authorization: Bearer {key}"';
}

/** Fills in this sandbox's address in code. @param key the shown key */
export function filledIn(code: string, key: string): string {
  const { hostname, port, protocol } = new URL(ORIGIN);
  const values: Readonly<Record<string, string>> = {
    url: ORIGIN,
    host: hostname,
    port: port || (protocol === 'https:' ? '443' : '80'),
    protocol: protocol.slice(0, -1),
    key,
  };
  return code.replace(/\{(url|host|port|protocol|key)\}/g, (_, name: string) => values[name]);
}

/** Whether the page may call the vendor API: its policy allows only its own server. */
export function mayCall(): boolean {
  return new URL(ORIGIN).origin === location.origin;
}

/** Makes a vendor API call as an application does. @returns the id of its trace */
export async function tryCall({ method, path, params }: Try, { requests, key_scheme }: Pack): Promise<string | null> {
  const isForm = requests.includes('form');
  const authorization = key_scheme === 'basic' ? `Basic ${btoa(`${theKey()}:`)}` : `Bearer ${theKey()}`;
  const response = await fetch(ORIGIN + path, {
    method,
    headers: {
      ...headers(),
      Authorization: authorization,
      'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
    },
    body: method === 'GET' ? undefined : isForm ? formOf(params) : JSON.stringify(params),
  });
  return response.headers.get('X-Mock-Resolution-Trace');
}

function formOf(params: JsonObject): URLSearchParams {
  return new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]));
}
