import qs from 'qs';
import { isObject, type Json, type JsonObject } from '../../engine/expression/index.js';
import { escaped } from '../openapi/fields.js';
import { packYaml } from '../openapi/yaml.js';
import { ID } from './compare.js';
import type { Recorded } from './read.js';

/** Names of what nobody should keep in a file. */
const SECRET = /secret|token|passw|api_?key|authorization|cvc|cvv|^number$/i;
const HIDDEN = '***';
/** Whole numbers from here on are times. */
const FIRST_INSTANT = 1_000_000_000;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/**
 * Recorded calls as an example of a pack: what was sent, without secrets, and what was answered, without ids, times and addresses, which
 * differ every time. Ids that later calls name are saved under a name.
 */
export function exampleOf(title: string, calls: readonly Recorded[]): string {
  const names = new Map<string, string>();
  const made = calls.map((call, at) => {
    const later = calls.slice(at + 1).map(({ url, body }) => `${url.href} ${body}`);
    const used = (id: string): boolean => later.some((text) => text.includes(id));
    const path = named(decodeURI(call.url.pathname), names);
    const query =
      call.url.search === '' ? undefined : sent(qs.parse(call.url.search.slice(1)) as unknown as Json, names);
    const body = bodyOf(call, names);
    const answer = parsed(call.text);
    const save: Record<string, string> = {};
    if (answer !== undefined)
      for (const [id, where] of idsIn(answer))
        if (!names.has(id) && used(id)) {
          const name = `id_${names.size + 1}`;
          names.set(id, name);
          save[name] = where;
        }
    const expected = answer === undefined ? undefined : answered(answer);
    return {
      call: `${call.method} ${path}`,
      query,
      ...body,
      expect: { status: call.status, body: expected },
      ...(Object.keys(save).length > 0 ? { save } : {}),
    };
  });
  return packYaml({ example: title, calls: made });
}

function bodyOf({ body, headers }: Recorded, names: ReadonlyMap<string, string>): { json?: Json; form?: Json } {
  if (body === '') return {};
  const json = parsed(body);
  if (json !== undefined && !/form/.test(headers['content-type'] ?? '')) return { json: sent(json, names) };
  return { form: sent(qs.parse(body) as unknown as Json, names) };
}

/** What was sent: ids by their names, no secrets. */
function sent(value: Json, names: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return named(value, names);
  if (Array.isArray(value)) return value.map((each: Json) => sent(each, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, SECRET.test(key) && !isObject(each) ? HIDDEN : sent(each, names)]),
  );
}

function named(text: string, names: ReadonlyMap<string, string>): string {
  let made = String(escaped(text));
  for (const [id, name] of names) made = made.replaceAll(id, () => `\${${name}}`);
  return made;
}

/** What a response has to say again. */
function answered(value: Json): Json | undefined {
  if (typeof value === 'string')
    return ID.test(value) || UUID.test(value) || TIME.test(value) || /^https?:/.test(value)
      ? undefined
      : escaped(value);
  if (typeof value === 'number') return value >= FIRST_INSTANT ? undefined : value;
  if (Array.isArray(value)) return value.map((each: Json) => answered(each) ?? '${it == it}');
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([key, each]) => {
    const said = SECRET.test(key) || /^id$|_id$|Id$|sid$/i.test(key) ? undefined : answered(each);
    return said === undefined ? [] : [[key, said] as const];
  });
  return Object.fromEntries(kept);
}

/** Texts and numbers that are probably ids, and where they stand. */
function* idsIn(value: Json, path = '', key = ''): Iterable<readonly [string, string]> {
  if (
    typeof value === 'string' &&
    value !== '' &&
    (ID.test(value) || UUID.test(value) || /^(?:id|sid|key|.*_id|.*Id|.*Sid)$/.test(key))
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
