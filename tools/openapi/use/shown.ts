import { isObject, type Json } from '../../../engine/values/index.js';
import type { Contract, DocumentedCall } from '../contract.js';
import { documentBody, listOr, objectOr, successOf, textOr } from '../document.js';
import { examplesOf } from '../examples.js';
import { snake } from '../names.js';
import { plain } from '../types.js';
import { holdersOf } from './demands.js';

/** Members that a response may omit although the document shows them. */
const OPTIONAL = /error|warning|deprecat|next|prev|cursor|token$|link|message|meta|include|total/i;
/** A small object: it has at most this many members, none of which is required. Responses must contain all of them. */
const FEW = 6;
const MOST_LEVELS = 1;
const CREATED =
  /^(?:created|created_?at|create_?time|created_?(?:date|time|on|utc)|date_?created|creation_?(?:date|time))$/i;
const DAY_MS = 86_400_000;

/** Members that calls may send: a response may omit them if they weren't sent. */
function settable(contract: Contract, call: DocumentedCall): ReadonlySet<string> {
  const { document } = contract;
  const siblings = contract.calls.filter(
    ({ path, method }) => method !== 'get' && (path === call.path || path === call.path.replace(/\/\{[^{}]+\}$/, '')),
  );
  const bodies = siblings.map(({ operation }) => documentBody(document, operation['requestBody'])?.schema);
  return new Set(
    bodies.flatMap((schema) =>
      holdersOf(document, schema).flatMap(({ properties }) => Object.keys(properties).map(snake)),
    ),
  );
}

/** The reason why a successful response differs from the document: a missing member, or a creation time before simulated time. Null if it matches. */
export function unlikeShown(
  contract: Contract,
  call: DocumentedCall,
  body: Json | undefined,
  nowMs: number,
): string | null {
  const shown = successOf(contract.document, call.operation)?.body;
  if (shown === undefined || body === undefined) return null;
  const example = examplesOf(contract.document, call).find(
    ({ response }) => contract.errors(shown.schema, response).length === 0,
  );
  const seen: Shown = { contract, settable: settable(contract, call) };
  return absent(seen, shown.schema, body, example?.response, '', 0) ?? stale(body, nowMs, '', 0);
}

interface Shown {
  readonly contract: Contract;
  readonly settable: ReadonlySet<string>;
}

function absent(
  seen: Shown,
  given: unknown,
  body: Json | undefined,
  example: Json | undefined,
  path: string,
  depth: number,
): string | null {
  const { document } = seen.contract;
  const { schema } = plain(document, given);
  if (depth > MOST_LEVELS || !isObject(body ?? null) || 'oneOf' in schema || 'anyOf' in schema) return null;
  const got = body as Readonly<Record<string, Json>>;
  const properties = Object.entries(objectOr(schema['properties']));
  const isSmall = listOr(schema['required']).length === 0 && properties.length <= FEW && example === undefined;
  for (const [name, property] of properties) {
    const own = document.at(property);
    const isShown =
      example === undefined
        ? isSmall || 'example' in own || listOr(own['examples']).length > 0
        : name in objectOr(example);
    const isHidden =
      own['writeOnly'] === true ||
      own['deprecated'] === true ||
      (OPTIONAL.test(name) && !(isSmall && name === 'token')) ||
      seen.settable.has(snake(name));
    if (isShown && !isHidden && got[name] === undefined) return `${path}${name} is missing`;
    if (isHidden) continue;
    const inner = absent(
      seen,
      property,
      got[name],
      objectOr(example)[name] as Json | undefined,
      `${path}${name}.`,
      depth + 1,
    );
    if (inner !== null) return inner;
  }
  return null;
}

/** Finds a creation time that isn't the simulated one, in the object itself. */
function stale(value: Json, nowMs: number, path: string, depth: number): string | null {
  if (!isObject(value) || depth > 1) return null;
  for (const [name, each] of Object.entries(value)) {
    const time = CREATED.test(name) ? timeOf(each) : undefined;
    if (time !== undefined && Math.abs(time - nowMs) > DAY_MS)
      return `${path}${name} is ${textOr(each) || String(each)}, not simulated time`;
  }
  if (Object.keys(value).some((name) => CREATED.test(name) || snake(name) === 'id')) return null;
  const inner = Object.entries(value).map(([name, each]) => stale(each, nowMs, `${path}${name}.`, depth + 1));
  return inner.find((each) => each !== null) ?? null;
}

/** Milliseconds of a value that looks like a time. */
function timeOf(value: Json): number | undefined {
  if (typeof value === 'number') return value > 1e12 ? value : value > 1e9 ? value * 1000 : undefined;
  if (typeof value !== 'string') return undefined;
  const [, milliseconds] = /^\/Date\((\d+)/.exec(value) ?? [];
  if (milliseconds !== undefined) return Number(milliseconds);
  const time = /^\d{4}-\d\d-\d\d/.test(value)
    ? Date.parse(value.replace(/^(\S+) (\d)/, '$1T$2').replace(/([+-]\d\d)$/, '$1:00'))
    : Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}
