import type { Sandbox } from '../../engine/index.js';
import { isList, isObject, type Json } from '../../engine/values/index.js';
import type { DocumentedCall, Contract, Received } from './contract.js';
import { type Example, examplesOf } from './examples.js';
import { isCursor } from './paging.js';
import { depth, Session } from './session.js';

/** Properties of a response that are compared with the example. An aspect without data in the example doesn't count. */
export const ASPECTS = ['status', 'keys', 'lists', 'echo', 'prefix', 'state'] as const;
export type Aspect = (typeof ASPECTS)[number];

/** The result of one example. */
interface ExampleReport {
  /** Method, path and name, such as `POST /pets (Tom)`. */
  readonly example: string;
  /** Whether the operation keeps state; false for stubs. */
  readonly stateful: boolean;
  /** The reason of a failure by aspect; null if it matched. */
  readonly aspects: Readonly<Partial<Record<Aspect, string | null>>>;
}

export interface Score {
  readonly examples: readonly ExampleReport[];
  /** Number of operations without an example that can be sent. */
  readonly unshown: number;
}

/** Depth to which keys are compared. */
const DEPTH = 3;

/** Sends a document's examples to a served pack: create calls first, deletes last, children before their parents. */
export async function scoreOf(sandbox: Sandbox, contract: Contract): Promise<Score> {
  const session = new Session(sandbox, contract, 1);
  const rank = ({ method }: DocumentedCall): number => (method === 'post' ? 0 : method === 'delete' ? 2 : 1);
  const calls = [...contract.calls].sort(
    (a, b) => rank(a) - rank(b) || (rank(a) === 2 ? depth(b) - depth(a) : depth(a) - depth(b)),
  );
  const found = calls.map((call) => examplesOf(contract.document, call));
  const examples: ExampleReport[] = [];
  for (const example of found.flat()) examples.push(await play(session, example));
  return { examples, unshown: found.filter((each) => each.length === 0).length };
}

/** Whether a response matched its example in all aspects. */
export function isUsable({ aspects }: ExampleReport): boolean {
  return Object.values(aspects).every((each) => each === null);
}

async function play(session: Session, example: Example): Promise<ExampleReport> {
  const { call } = example;
  await session.provideFor(call);
  const found = session.served.get(call);
  // Cursors come from the pack's responses, not from examples.
  const query = Object.fromEntries(Object.entries(example.query).filter(([name]) => !isCursor(name)));
  const sends = { ...example, query };
  const request = session.maker.make(call, found?.operation, found?.route.path ?? call.path, true, sends);
  const received = await session.send(request);
  const sent = typeof request.body === 'string' ? parsed(request.body) : example.sent;
  return {
    example: `${request.method} ${call.path} (${example.name})`,
    stateful: found !== undefined && !found.operation.resource.name.endsWith('_calls'),
    aspects: compared(example, sent, received),
  };
}

function parsed(body: string): Json | undefined {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return undefined;
  }
}

function compared(
  { call, status, response: wanted, sent: shown }: Example,
  sent: Json | undefined,
  { status: got, text }: Received,
): ExampleReport['aspects'] {
  const body = parsed(text);
  if (got !== status || body === undefined) return { status: `${got} ${text.slice(0, 160)}, not ${status}` };
  const missing = missingKey(wanted, body, '', DEPTH);
  const aspects: Partial<Record<Aspect, string | null>> = { status: null, keys: missing ?? null };
  const lists = objectsOf(wanted).flatMap(([path, each]) =>
    Object.entries(each).flatMap(([key, value]) => (Array.isArray(value) && value.length > 0 ? [[...path, key]] : [])),
  );
  if (Array.isArray(wanted) && wanted.length > 0) lists.push([]);
  if (lists.length > 0)
    aspects.lists =
      lists.flatMap((path) => (isFilled(at(body, path)) ? [] : `${path.join('.') || 'the list'} is empty`))[0] ?? null;
  const [path, main] = objectsOf(wanted).at(-1) ?? [[], {}];
  const own = at(body, path);
  if (isObject(own)) {
    const echoed = Object.entries(isObject(shown ?? null) ? (shown as object) : {}).filter(
      ([key, value]) => key in main && same(main[key], value as Json),
    );
    if (echoed.length > 0)
      aspects.echo =
        echoed.flatMap(([key]) =>
          same(own[key], isObject(sent ?? null) ? (sent as Record<string, Json>)[key] : main[key])
            ? []
            : `${key} is ${short(own[key])}, not what was sent`,
        )[0] ?? null;
    const prefix = /^([A-Za-z]+[-_])[0-9A-Za-z]/.exec(typeof main['id'] === 'string' ? main['id'] : '')?.[1];
    if (prefix !== undefined)
      aspects.prefix = String(own['id']).startsWith(prefix) ? null : `id is ${short(own['id'])}, not ${prefix}...`;
    if (typeof main['status'] === 'string' && call.method === 'post')
      aspects.state =
        own['status'] === main['status'] ? null : `status is ${short(own['status'])}, not ${main['status']}`;
  }
  return aspects;
}

/** The object of a response, and the one that it wraps, as in `{"data": {...}}` or `{"ok": true, "channel": {...}}`. */
function objectsOf(value: Json): (readonly [string[], Readonly<Record<string, Json>>])[] {
  if (!isObject(value)) return [];
  const inner = Object.entries(value).filter(([, each]) => isObject(each));
  const wraps = inner.length === 1 && !('id' in value) && Object.keys(value).length <= 3;
  const [name, within] = inner[0] ?? [];
  return [[[], value], ...(wraps && isObject(within) ? [[[name], within] as [string[], Record<string, Json>]] : [])];
}

/** Path of the first key that the response lacks or has with another type; null matches any type. */
function missingKey(wanted: Json, got: Json | undefined, path: string, levels: number): string | undefined {
  if (wanted === null) return undefined;
  if (got === undefined) return `${path || 'the body'} is missing`;
  if (got === null && path !== '') return undefined;
  if (kind(wanted) !== kind(got)) return `${path || 'the body'} is ${kind(got)}, not ${kind(wanted)}`;
  if (levels === 0) return undefined;
  // An empty list is reported itself, instead of its missing items.
  if (isList(wanted) && isList(got))
    return wanted.length === 0 || got.length === 0
      ? undefined
      : missingKey(wanted[0], got[0], `${path}[0]`, levels - 1);
  if (!isObject(wanted) || !isObject(got)) return undefined;
  for (const [key, value] of Object.entries(wanted)) {
    const missing = missingKey(value, got[key], path === '' ? key : `${path}.${key}`, levels - 1);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

const kind = (value: Json): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);
const same = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);
const short = (value: Json | undefined): string => JSON.stringify(value ?? null).slice(0, 60);
const isFilled = (value: Json | undefined): boolean => Array.isArray(value) && value.length > 0;

function at(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (held, key) => (isObject(held ?? null) ? (held as Record<string, Json>)[key] : undefined),
    value,
  );
}
