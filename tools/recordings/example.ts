import qs from 'qs';
import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import { escapedTemplate } from '../openapi/fields.js';
import { packYaml } from '../openapi/yaml.js';
import { ID, UUID } from './ids.js';
import { eventsIn, isStream, partsOf, textIn } from './bodies.js';
import type { Recorded } from './read.js';
import { isSecretName, type PrivateKind, withoutSecrets } from './secrets.js';

const HIDDEN = '***';
/** Ids with fewer characters are only replaced as whole words. */
const SHORT = 8;
/** Smallest integer that counts as a time. */
const FIRST_INSTANT = 1_000_000_000;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/**
 * Converts recorded calls to an example of a pack: requests without secrets, and responses without ids, times and addresses, which differ in every
 * run. Values that a response returns and later requests contain, such as ids and tokens, are saved under a name.
 * @param hide kinds of personal data to replace
 */
export function exampleOf(title: string, calls: readonly Recorded[], hide: readonly PrivateKind[] = []): string {
  const names = new Map<string, string>();
  const clean = (text: string): string => withoutSecrets(text, hide);
  const made = calls.map((call, at) => {
    const later = calls
      .slice(at + 1)
      .map(({ url, body, headers }) => `${url.href} ${body} ${headers['authorization'] ?? ''}`);
    const used = (id: string): boolean => later.some((text) => holds(text, id));
    const path = named(decodeURI(call.url.pathname), names, clean);
    const query =
      call.url.search === '' ? undefined : sent(qs.parse(call.url.search.slice(1)) as unknown as Json, names, clean);
    const body = bodyOf(call, names, clean);
    const { response, expected } = shownOf(call, names, clean);
    const save: Record<string, string> = {};
    if (response !== undefined)
      for (const [id, where] of idsIn(response))
        if (!names.has(id) && used(id)) {
          const name = `id_${names.size + 1}`;
          names.set(id, name);
          save[name] = where;
        }
    return {
      call: `${call.method} ${path}`,
      query,
      ...body,
      expect: { status: call.status, ...expected },
      ...(Object.keys(save).length > 0 ? { save } : {}),
    };
  });
  return packYaml({ example: title, calls: made });
}

/** Whether a text contains an id; short ids only as whole words. */
function holds(text: string, id: string): boolean {
  return text.includes(id) && (id.length >= SHORT || text.split(/[^0-9A-Za-z_-]+/).includes(id));
}

/** Removes secrets from a text. */
type Clean = (text: string) => string;

function bodyOf(
  { body, bodyBytes, headers }: Recorded,
  names: ReadonlyMap<string, string>,
  clean: Clean,
): { json?: Json; form?: Json; parts?: Json; raw?: Json } {
  const type = headers['content-type'] ?? '';
  const bytes = bodyBytes ?? Buffer.from(body);
  if (bytes.length === 0) return {};
  const parts = partsOf(bytes, type);
  if (parts !== undefined)
    return {
      parts: parts.map((part) => ({
        name: part.name,
        ...(part.file === undefined ? {} : { file: part.file }),
        ...(part.type === undefined ? {} : { type: part.type }),
        ...(isSecretName(part.name) && part.file === undefined ? { text: HIDDEN } : written(part.bytes, names, clean)),
      })),
    };
  const json = parsed(body);
  if (json !== undefined && !/form/.test(type)) return { json: sent(json, names, clean) };
  if (type === '' || /form/.test(type)) return { form: sent(qs.parse(body) as unknown as Json, names, clean) };
  return { raw: { type, ...written(bytes, names, clean) } };
}

/** Writes bytes in an example, as text if possible. */
function written(
  bytes: Buffer,
  names: ReadonlyMap<string, string>,
  clean: Clean,
): { text: string } | { base64: string } {
  const text = textIn(bytes);
  return text === undefined ? { base64: bytes.toString('base64') } : { text: named(text, names, clean) };
}

/** Returns a recorded response, and the expectation for the example. */
function shownOf(
  { text, bytes, status, responseHeaders, cut }: Recorded,
  names: ReadonlyMap<string, string>,
  clean: Clean,
): { readonly response: Json | undefined; readonly expected: JsonObject } {
  const type = responseHeaders['content-type'];
  if (isStream(type) && status < 400) {
    const events = eventsIn(text) as unknown as Json;
    const kept = expectedOf(events, clean);
    return {
      response: { events },
      expected: kept === undefined ? {} : { events: kept, ...(cut === true ? { more: true } : {}) },
    };
  }
  const json = parsed(text);
  if (json !== undefined) {
    const kept = expectedOf(json, clean);
    return { response: json, expected: kept === undefined ? {} : { body: kept } };
  }
  const said = bytes ?? Buffer.from(text);
  if (said.length === 0) return { response: undefined, expected: {} };
  const shown = written(said, names, (each) => each);
  const expected: Record<string, Json> = type === undefined ? {} : { headers: { 'Content-Type': type } };
  // Expects a text body only if it contains no secrets, because removing them would change its length.
  if ('base64' in shown) expected['base64'] = shown.base64;
  else if (clean(shown.text) === shown.text) expected['body'] = shown.text;
  return { response: undefined, expected };
}

/** Writes a request value with saved names in place of values from earlier responses, and without secrets. */
function sent(value: Json, names: ReadonlyMap<string, string>, clean: Clean): Json {
  if (typeof value === 'string') return named(value, names, clean);
  if (typeof value === 'number') return names.has(String(value)) ? `\${${names.get(String(value)) ?? ''}}` : value;
  if (Array.isArray(value)) return value.map((each: Json) => sent(each, names, clean));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const isKnown = typeof each === 'string' && names.has(each);
      return [key, isSecretName(key) && !isObject(each) && !isKnown ? HIDDEN : sent(each, names, clean)];
    }),
  );
}

function named(text: string, names: ReadonlyMap<string, string>, clean: Clean): string {
  let made = String(escapedTemplate(text));
  // Short ids are replaced only as a whole, or as a segment of a path.
  for (const [id, name] of names)
    made =
      id.length < SHORT
        ? made
            .split('/')
            .map((part) => (part === id ? `\${${name}}` : part))
            .join('/')
        : made.replaceAll(id, () => `\${${name}}`);
  return clean(made);
}

/** Selects the part of a response that the example expects. */
function expectedOf(value: Json, clean: Clean): Json | undefined {
  if (typeof value === 'string')
    return ID.test(value) || UUID.test(value) || TIME.test(value) || /^https?:/.test(value)
      ? undefined
      : escapedTemplate(clean(value));
  if (typeof value === 'number') return value >= FIRST_INSTANT ? undefined : value;
  if (Array.isArray(value)) return value.map((each: Json) => expectedOf(each, clean) ?? '${it == it}');
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([key, each]) => {
    const said = isSecretName(key) || /^id$|_id$|Id$|sid$/i.test(key) ? undefined : expectedOf(each, clean);
    return said === undefined ? [] : [[key, said] as const];
  });
  return Object.fromEntries(kept);
}

/** Yields texts and numbers that are probably ids, with their paths. */
function* idsIn(value: Json, path = '', key = ''): Iterable<readonly [string, string]> {
  if (
    typeof value === 'string' &&
    value !== '' &&
    (ID.test(value) ||
      UUID.test(value) ||
      isSecretName(key) ||
      /^(?:id|sid|key|cursor|.*_id|.*_cursor|.*Id|.*Sid)$/.test(key))
  )
    yield [value, path];
  if (typeof value === 'number' && /^id$|_id$|^number$/.test(key)) yield [String(value), path];
  const members: JsonObject = isObject(value)
    ? value
    : Array.isArray(value)
      ? Object.fromEntries(value.map((each: Json, at) => [String(at), each]))
      : {};
  for (const [name, each] of Object.entries(members)) yield* idsIn(each, path === '' ? name : `${path}.${name}`, name);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
