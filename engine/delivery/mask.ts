import { type Json, type JsonObject, define, isList, isObject } from '../values/index.js';
import type { Headers } from './message.js';

/** Placeholder for secrets in records of deliveries. */
const MASK = '***';

/** Minimum length of a text that is masked: shorter ones occur in many texts, and reveal nothing. */
const SHORTEST = 3;

/** Texts that readers of deliveries must not see. */
interface Secrets {
  /** Secrets that sign messages. */
  readonly keys: readonly string[];
  /** Texts in hidden fields of the endpoint. */
  readonly hidden: readonly string[];
  /** Signatures: derived from secrets, but public. */
  readonly signatures: readonly string[];
}

/** Headers for people: a value that contains a secret, or is part of a hidden field, is masked as a whole. */
export function maskHeaders(headers: Headers, secrets: Secrets): Headers {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) define(shown, name, reveals(value, secrets) ? MASK : value);
  return shown;
}

/** A URL without credentials. */
export function maskUrl(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${MASK}@`);
}

/** Returns all texts in some fields of an object. */
export function textsOf(value: JsonObject, fields: readonly string[]): string[] {
  const found: string[] = [];
  for (const field of fields) collect(value[field] ?? null, found);
  return found;
}

function collect(value: Json, into: string[]): void {
  if (typeof value === 'string') into.push(value);
  else if (isList(value)) for (const item of value) collect(item, into);
  else if (isObject(value)) for (const item of Object.values(value)) collect(item, into);
}

function reveals(value: string, { keys, hidden, signatures }: Secrets): boolean {
  const rest = signatures.reduce((text, signature) => text.replaceAll(signature, ''), value);
  const quoted = JSON.stringify(rest).slice(1, -1);
  return (
    keys.some((key) => key !== '' && rest.includes(key)) ||
    hidden.some(
      (text) =>
        (text.length >= SHORTEST && rest.includes(text)) ||
        // A hidden field may contain headers as JSON, which includes this value.
        (rest.length >= SHORTEST && (text.includes(rest) || text.includes(quoted))),
    )
  );
}
