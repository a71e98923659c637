import type { IncomingMessage } from 'node:http';

/** A request whose body an application has already read: as bytes, text, or parsed values. */
type ReadMessage = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown };

/**
 * The body of a call that the application has already parsed, such as by `express.json()`: the original bytes if they were
 * kept, else encoded again from its values.
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
  // A list of several plain values can be a repeated name, the only form that some vendors accept.
  if (Array.isArray(value) && value.length > 1 && value.every((each) => typeof each !== 'object'))
    return value.map((each) => [name, String(each)]);
  return Object.entries(value).flatMap(([key, each]) => formPairs(each, name === '' ? key : `${name}[${key}]`));
}
