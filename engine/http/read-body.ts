import type { IncomingMessage } from 'node:http';

/** What applications leave of a body that they have read: its bytes or text, or the values in it. */
type ReadMessage = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown };

/**
 * The body of a call that the application has read before, such as by `express.json()`: as it was sent if that was kept, else
 * written again from its values.
 * @throws TypeError if neither was kept
 */
export function bodyAgain({ headers, body, rawBody }: ReadMessage): string | Uint8Array {
  for (const given of [rawBody, body]) if (typeof given === 'string' || given instanceof Uint8Array) return given;
  const type = headers['content-type'] ?? '';
  if (body !== undefined && /[/+]json\b/i.test(type)) return JSON.stringify(body);
  if (body !== undefined && /^application\/x-www-form-urlencoded\b/i.test(type))
    return new URLSearchParams(formPairs(body, '')).toString();
  throw new TypeError(
    'the application has read the body of this call already: put the sandbox before what reads bodies (express.json(), multer)',
  );
}

/** Names and values of a form: those in a map or a list have their keys in brackets. */
function formPairs(value: unknown, name: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, String(value ?? '')]];
  // A list of several plain values can be one of a repeated name, which some vendors take only so.
  if (Array.isArray(value) && value.length > 1 && value.every((each) => typeof each !== 'object'))
    return value.map((each) => [name, String(each)]);
  return Object.entries(value).flatMap(([key, each]) => formPairs(each, name === '' ? key : `${name}[${key}]`));
}
