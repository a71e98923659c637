import { sendCall } from '../../engine/control/send.cjs';
import { quoted } from '../command/curl.js';
import { Exit, type ExitCode, Failure } from '../command/output.js';
import type { Given } from './command.js';
import type { ControlOperation } from './contract.js';

/** Options for a server's address and key. */
interface ServerOptions {
  readonly url: string;
  readonly key?: string;
}

/** Statuses of responses that mean a usage error. 409 isn't one: the call isn't possible in the current state. */
const CALLER_ERRORS: readonly number[] = [400, 404, 422];
/** Error codes that are no usage errors in spite of these statuses, since they depend on the world's state. */
const BY_THE_WORLD: readonly string[] = ['event_did_not_come', 'too_much_due', 'too_many_moments'];

/** Advice by error code of the control API. */
const ADVICE: Readonly<Record<string, string>> = {
  unknown_cause: "Run 'sandbox next' to list the external events that are possible now.",
  precondition_failed: "Run 'sandbox next' to list the external events that are possible now.",
  unknown_resource: "Run 'sandbox about' to list the collections.",
  unknown_operation: "Run 'sandbox explain PACK OPERATION' for details.",
  unknown_trace: "It may have expired. Run 'sandbox trace' to list recent calls.",
  unknown_exchange: "It may have expired. Run 'sandbox trace' to list recent calls.",
  unknown_entry: "Run 'sandbox ledger' to list them.",
  unknown_object: "Run 'sandbox objects COLLECTION' to list objects.",
  unknown_event: "Run 'sandbox docs PACK' to list the events of a pack.",
  unknown_duration: "Run 'sandbox durations' to list them.",
  first_world: "Run 'sandbox reset' to empty it.",
  name_taken: 'Choose a different name.',
  unknown_delivery: "Run 'sandbox deliveries' to list them.",
  unknown_endpoint: "Run 'sandbox endpoints' to list them.",
  unknown_fault: "Run 'sandbox faults' to list them.",
  unknown_pin: "Run 'sandbox pins' to list them.",
  unknown_moment: "Use a saved name ('sandbox moments'), an entry number ('sandbox ledger'), a time, or now.",
  unknown_world: "Run 'sandbox world' to list them.",
  event_did_not_come: "The clock has advanced that far. Raise --at-most, or run 'sandbox ledger' to see what happened.",
};

/**
 * Makes one control API call and returns its response.
 * @param mistaken exit code if the call contains an unknown name or an invalid value
 * @throws Failure with advice: the server isn't running, the key is wrong, the call is rejected
 */
export async function callServer(
  operation: ControlOperation,
  values: Given,
  { url, key }: ServerOptions,
  mistaken: ExitCode = Exit.cannotRun,
): Promise<Given> {
  if (key === undefined)
    throw new Failure(
      Exit.cannotRun,
      'key_missing',
      'no API key',
      "Pass --key, or set SANDBOX_API_KEY to the key that 'sandbox serve' printed.",
    );
  const { address, body } = requestOf(operation, values, url);
  const response = await sendCall(address, {
    method: operation.method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body,
  }).catch((error: NodeJS.ErrnoException) => {
    throw unreachable(url, error);
  });
  const text = await response.text();
  const given = parsed(text);
  if (given === undefined)
    throw new Failure(
      Exit.cannotRun,
      'no_sandbox',
      `the server at ${url} is not a sandbox`,
      'Pass its address with --url.',
    );
  if (response.ok) return given;
  throw rejected(response.status, given, url, mistaken);
}

/** Formats a shell command that makes the call with curl, with the key from its environment. */
export function curlLine(operation: ControlOperation, values: Given, url: string): string {
  const { address, body } = requestOf(operation, values, url);
  const usual = body === undefined ? 'GET' : 'POST';
  return [
    'curl -s -u $SANDBOX_API_KEY:',
    ...(operation.method === usual ? [] : [`-X ${operation.method}`]),
    quoted(address),
    ...(body === undefined ? [] : ['--json', quoted(body)]),
  ].join(' ');
}

/** Selects the first operation that accepts the given values. @throws Failure if they don't fit together */
export function chosen(calls: readonly ControlOperation[], values: Given): ControlOperation {
  const names = Object.keys(values);
  const fits = ({ values: known, open }: ControlOperation): boolean =>
    names.every((name) => open || known.has(name)) &&
    [...known].every(([name, { shape }]) => !shape.required || names.includes(name));
  const found = calls.find(fits);
  if (found) return found;
  if (calls.length === 1) return calls[0];
  throw new Failure(Exit.cannotRun, 'contradiction', `${names.join(' and ')} do not go together`);
}

/** Builds the URL and the body of a call. */
function requestOf(
  operation: ControlOperation,
  values: Given,
  url: string,
): { readonly address: string; readonly body?: string } {
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  let { path } = operation;
  for (const [name, value] of Object.entries(values)) {
    const where = operation.values.get(name)?.where ?? 'body';
    if (where === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (where === 'query') query.set(name, String(value));
    else body[name] = value;
  }
  const address = `${url.replace(/\/+$/, '')}/__admin__${path}${query.size === 0 ? '' : `?${String(query)}`}`;
  return operation.hasBody ? { address, body: JSON.stringify(body) } : { address };
}

/** Whether a call failed because the server's certificate isn't trusted. */
export function isUntrusted({ code = '' }: NodeJS.ErrnoException): boolean {
  return /CERT|SIGNATURE/.test(code);
}

/** Whether a call with TLS failed because the server doesn't speak it. */
function isPlain({ code = '' }: NodeJS.ErrnoException): boolean {
  return /EPROTO|WRONG_VERSION|PACKET_LENGTH/.test(code);
}

/** Advice if the server's certificate isn't trusted. */
export const TRUST = "Set NODE_EXTRA_CA_CERTS to its file, which 'sandbox serve --tls' prints.";

function unreachable(url: string, error: NodeJS.ErrnoException): Failure {
  if (isUntrusted(error))
    return new Failure(
      Exit.cannotRun,
      'server_failed',
      `the certificate of ${url} isn't trusted: ${error.message}`,
      TRUST,
    );
  if (isPlain(error))
    return new Failure(
      Exit.cannotRun,
      'server_failed',
      `the server at ${url} speaks plain HTTP`,
      `Begin its address with http://: --url ${url.replace(/^https/, 'http')}`,
    );
  if (error.code === 'ECONNRESET' && url.startsWith('http:'))
    return new Failure(
      Exit.cannotRun,
      'server_failed',
      `the server at ${url} closed the connection`,
      'If it serves with --tls, its address begins with https://.',
    );
  return new Failure(
    Exit.cannotRun,
    'server_failed',
    `no sandbox is running at ${url}`,
    "Start one with 'sandbox serve', or pass its address with --url or SANDBOX_URL.",
  );
}

function parsed(text: string): Given | undefined {
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function rejected(status: number, response: Given, url: string, mistaken: ExitCode): Failure {
  const { error } = response;
  const { code, message, ...data }: Given = typeof error === 'object' && error !== null ? { ...error } : {};
  if (status === 401)
    return new Failure(
      Exit.cannotRun,
      'key_wrong',
      `wrong API key for ${url}`,
      "Use the key that 'sandbox serve' printed: --key, or SANDBOX_API_KEY.",
    );
  const { origin, pathname } = new URL(url);
  // Checks for an error of the vendor API, whose errors have no text as code; errors of the control API have one.
  if (status === 404 && pathname !== '/' && typeof code !== 'string')
    return new Failure(
      Exit.cannotRun,
      'no_sandbox',
      `there is no control API at ${url}`,
      `It is at the address without the vendor's path: --url ${origin}`,
    );
  const name = typeof code === 'string' ? code : 'refused';
  const known = Object.entries(data)
    .filter((entry): entry is [string, readonly unknown[]] => Array.isArray(entry[1]))
    .map(
      ([what, each]) =>
        `${what}: ${each.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(', ')}`,
    );
  const text = typeof message === 'string' ? message : `${url} returned ${status}`;
  const { path } = data;
  const place = typeof path === 'string' && !text.includes(path) ? [`at: ${path}`] : [];
  const lines = [...place, ...known, ...(ADVICE[name] === undefined ? [] : [ADVICE[name]])];
  const exit = CALLER_ERRORS.includes(status) && !BY_THE_WORLD.includes(name) ? mistaken : Exit.wrongInput;
  return new Failure(exit, name, text, lines.join('\n'), data);
}
