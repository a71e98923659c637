import { Exit, type ExitCode, Failure } from '../command/output.js';
import type { Given } from './command.js';
import type { ControlOperation } from './contract.js';

/** Where a server runs. */
interface ServerOptions {
  readonly url: string;
  readonly key?: string;
}

/** Statuses of calls that would be wrong at any time. 409 tells what the world does not allow now. */
const MISTAKES: readonly number[] = [400, 404, 422];
/** Not those of them, which depend on the world as well. */
const BY_THE_WORLD: readonly string[] = ['event_did_not_come', 'too_much_due', 'too_many_moments'];

/** What helps after an error of the control API, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  unknown_cause: "'sandbox next' lists what can happen now.",
  precondition_failed: "'sandbox next' lists what can happen now.",
  unknown_resource: "'sandbox about' lists the collections.",
  unknown_operation: "'sandbox explain PACK OPERATION' tells of one.",
  unknown_trace: "'sandbox trace' lists the newest.",
  unknown_exchange: "'sandbox trace' lists the newest calls.",
  unknown_entry: "'sandbox ledger' lists them.",
  unknown_object: "'sandbox state' lists objects.",
  unknown_event: "'sandbox docs PACK' lists the events of a pack.",
  unknown_duration: "'sandbox durations' lists them.",
  first_world: "'sandbox reset' empties it.",
  name_taken: 'Give another name.',
  unknown_delivery: "'sandbox deliveries' lists them.",
  unknown_endpoint: "'sandbox endpoints' lists them.",
  unknown_fault: "'sandbox faults' lists them.",
  unknown_pin: "'sandbox pins' lists them.",
  unknown_moment: "'sandbox moments' lists those with a name, 'sandbox ledger' all.",
  unknown_world: "'sandbox world' lists them.",
  event_did_not_come: "The clock has moved there. 'sandbox next' lists what can happen, 'sandbox ledger' what did.",
};

/**
 * Makes one call of a server's control API and gives its response.
 * @param mistaken exit code when the call names something that is not there, or has a value that cannot be
 * @throws Failure that says what to do: the server does not run, the key is wrong, the call is rejected
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
      'the server needs its key',
      "Give --key, or set SANDBOX_API_KEY: 'sandbox serve' prints it.",
    );
  const { path, query, body } = placed(operation, values);
  const address = `${url.replace(/\/+$/, '')}/__admin__${path}${query.size === 0 ? '' : `?${String(query)}`}`;
  const response = await fetch(address, {
    method: operation.method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(operation.hasBody ? { 'Content-Type': 'application/json' } : {}),
    },
    body: operation.hasBody ? JSON.stringify(body) : undefined,
  }).catch(() => {
    throw new Failure(
      Exit.cannotRun,
      'server_failed',
      `nothing responds at ${url}`,
      "Start one with 'sandbox serve', or give its address: --url, or SANDBOX_URL.",
    );
  });
  const text = await response.text();
  const given = parsed(text);
  if (given === undefined)
    throw new Failure(
      Exit.cannotRun,
      'no_sandbox',
      `the server at ${url} is not a sandbox`,
      'Give its address: --url.',
    );
  if (response.ok) return given;
  throw rejected(response.status, given, url, mistaken);
}

/** The first operation that takes what was given. @throws Failure when the values do not go together */
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

function placed(
  operation: ControlOperation,
  values: Given,
): { readonly path: string; readonly query: URLSearchParams; readonly body: Given } {
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  let { path } = operation;
  for (const [name, value] of Object.entries(values)) {
    const where = operation.values.get(name)?.where ?? 'body';
    if (where === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (where === 'query') query.set(name, String(value));
    else body[name] = value;
  }
  return { path, query, body };
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
      `${url} has another key`,
      "Give --key, or set SANDBOX_API_KEY: 'sandbox serve' prints it.",
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
  const exit = MISTAKES.includes(status) && !BY_THE_WORLD.includes(name) ? mistaken : Exit.wrongInput;
  return new Failure(exit, name, text, lines.join('\n'), data);
}
