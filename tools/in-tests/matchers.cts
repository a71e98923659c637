import { type ControlClient, ControlError } from '../../engine/control/client.cjs';
import type { components } from '../../engine/control/client-types.cjs';
import type { CollectionName, Words } from '../../engine/control/words.cjs';
import { sandboxes, type SandboxOfTest, type TestVendor } from './in-tests.cjs';

/** Names of the events that the packs of the expected object emit. */
export type EventOf<T> = NamesOf<T>['events'];

type Check = components['schemas']['Check'];

/** Changed objects of one collection: a filter (values or predicates by path), a count, and new values of changed fields. */
type ObjectsChanged<W extends Words> =
  string extends CollectionName<W>
    ? Fields
    : { readonly [C in CollectionName<W>]?: Fields } & {
        readonly count?: number | { readonly min?: number; readonly max?: number };
        readonly to?: Fields;
      };

type NamesOf<T> = T extends { readonly control: ControlClient<infer W extends Words> } ? W : Words;

type OneOrMore<T> = T | readonly T[];

/** The checks of `toHaveChanged`, as in tasks, each once or as a list. @typeParam T the expected object */
export interface ChangesOf<T> {
  readonly added?: OneOrMore<ObjectsChanged<NamesOf<T>>>;
  readonly changed?: OneOrMore<ObjectsChanged<NamesOf<T>>>;
  readonly removed?: OneOrMore<ObjectsChanged<NamesOf<T>>>;
  /** Expects that nothing else changed, except in the `allow`ed collections. */
  readonly unchanged?: true | { readonly allow: readonly CollectionName<NamesOf<T>>[] };
  readonly final?: OneOrMore<string>;
  readonly calls?: OneOrMore<NonNullable<Check['calls']>>;
  readonly delivered?: OneOrMore<NonNullable<Check['delivered']>>;
  /** The moment from which changes count; the start of the world by default. */
  readonly since?: components['schemas']['Moment'];
}

type Diff = Awaited<ReturnType<ControlClient['diff']>>;

/** Maximum number of objects that a message lists. */
const MOST_SHOWN = 20;

const MOST_ASKED = 1000;
/** Maximum number of characters of call data in a message. */
const MOST_CHARACTERS = 300;

/** The result of a matcher, for every runner. */
export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

type Fields = Readonly<Record<string, unknown>>;

interface Delivery {
  readonly event: { readonly type?: string } | string;
  readonly status: string;
  readonly attempts: readonly {
    readonly request?: { readonly body?: string };
    readonly status?: number | null;
    readonly error?: string | null;
    readonly response?: { readonly body?: string } | null;
  }[];
  readonly message?: unknown;
}

/** Describes the result of a delivery that wasn't the expected one, with the receiver's last response. */
function outcomeOf({ status, attempts }: Delivery): string {
  if (status === 'delivered') return 'delivered, with other fields';
  const last = attempts.at(-1);
  if (last === undefined) return status;
  const { body = '' } = last.response ?? {};
  const returned = `${last.status ?? ''} ${body.length > MOST_CHARACTERS ? `${body.slice(0, MOST_CHARACTERS)}...` : body}`;
  return `${status}: the receiver returned ${last.status == null ? (last.error ?? 'nothing') : returned.trim()}`;
}

/** The sandbox's matchers, for a runner's `expect.extend`. */
export const matchers = {
  /**
   * `await expect(sandbox).toHaveDelivered('invoice.paid', { customer })`: checks that a webhook arrived, with these fields at some depth. If packs
   * share a world, `payments/invoice.paid` is an event of one of them.
   */
  async toHaveDelivered(
    sandbox: SandboxOfTest | TestVendor,
    event: string,
    fields: object = {},
  ): Promise<MatcherResult> {
    const packs = isOfAll(sandbox) ? sandbox.packs : new Map([['', sandbox]]);
    const [, prefix, type] = /^([^/]+)\/(.+)$/.exec(event) ?? [];
    const vendor = prefix === undefined ? undefined : packs.get(prefix);
    const wantedType = vendor ? type : event;
    const sent: Delivery[] = [];
    let endpoints = 0;
    for (const { control } of vendor ? [vendor] : packs.values()) {
      await control.flush();
      const { data } = (await control.call('GET', '/webhooks/deliveries?limit=1000')) as { data: readonly Delivery[] };
      sent.push(...data);
      const registered = await control.call('GET', '/webhooks/endpoints');
      endpoints += Array.isArray(registered['data']) ? registered['data'].length : 1;
    }
    const ofEvent = sent.filter((delivery) => eventType(delivery) === wantedType);
    const pass = ofEvent.some((each) => each.status === 'delivered' && holds(contentOf(each), fields));
    const seen = [...new Set(sent.map((delivery) => `${eventType(delivery)} (${delivery.status})`))];
    const none =
      endpoints === 0
        ? 'no endpoint is registered: await sandbox.control.endpoint({ url }) before the calls'
        : `deliveries: ${seen.length === 0 ? 'none' : seen.join(', ')}`;
    const wanted = `${event}${Object.keys(fields).length === 0 ? '' : ` with ${JSON.stringify(fields)}`}`;
    const near = ofEvent.length === 0 ? [] : [`of ${event}: ${[...new Set(ofEvent.map(outcomeOf))].join(', ')}`];
    return verdict(pass, `expected ${pass ? 'no ' : ''}delivery of ${wanted}`, [
      none,
      ...near,
      await sandbox.explanation(),
    ]);
  },

  /** `await expect(invoice).toBeInState('paid')`: checks the current state of an object (or its id) in the world of the test. */
  async toBeInState(object: string | { readonly id?: unknown }, state: string): Promise<MatcherResult> {
    const id = typeof object === 'string' ? object : String(object.id);
    for (const vendor of [...sandboxes()].flatMap(({ packs }) => [...packs.values()])) {
      const found = await objectIn(vendor, id);
      if (found === undefined) continue;
      const is = String(found['status'] ?? found['state']);
      const explanation = await vendor.explanation();
      return verdict(is === state, `expected ${id} ${is === state ? 'not ' : ''}to be ${state}, it is ${is}`, [
        explanation,
      ]);
    }
    return verdict(false, `expected ${id} to be ${state}, but no world of this test has it`, []);
  },

  /**
   * `await expect(models).toHaveBeenAsked('Where is order 17?')`, `.toHaveBeenAsked({ model: 'gpt-4o' }, 'chat_completions.create')`: checks that a
   * vendor API call (of this operation) contained this text, or parameters with these fields at some depth. Searches the newest 1,000 calls that ran
   * an operation's steps.
   */
  async toHaveBeenAsked(
    sandbox: SandboxOfTest | TestVendor,
    asked: string | object,
    operation?: string,
  ): Promise<MatcherResult> {
    const vendors = vendorsOf(sandbox);
    const calls: { readonly command: string; readonly params: unknown }[] = [];
    for (const { control } of vendors) {
      const { data: entries } = await control.ledger({ limit: MOST_ASKED });
      // Packs of a company share a ledger, but each has its own traces.
      const { data: traces } = (await control.call('GET', `/traces?limit=${MOST_ASKED}`)) as { data: { id: string }[] };
      const own = new Set(traces.map(({ id }) => id));
      for (const { command, origin, trace, args } of entries)
        if (origin === 'call' && own.has(String(trace))) calls.push({ command, params: (args as Fields)['params'] });
    }
    const ofOperation = calls.filter(({ command }) => operation === undefined || command === operation);
    const pass = ofOperation.some(({ params }) =>
      typeof asked === 'string' ? hasText(params, asked) : holds(params, asked),
    );
    const seen = ofOperation.slice(-MOST_SHOWN).map(({ command, params }) => `  ${command} ${shortened(params)}`);
    return verdict(pass, `expected ${pass ? 'nobody' : 'a caller'} to have asked ${shortened(asked)}`, [
      ...(seen.length === 0 ? ['nothing was asked'] : ['what was asked:', ...seen]),
      await sandbox.explanation(),
    ]);
  },

  /**
   * `await expect(sandbox).toHaveChanged({ added: { refunds: { amount: 500 }, count: 1 }, unchanged: true })`: checks changes of the world since its
   * start, or since a saved moment. The server evaluates the checks, like those of tasks.
   */
  async toHaveChanged(sandbox: SandboxOfTest | TestVendor, expected: ChangesOf<unknown>): Promise<MatcherResult> {
    const vendors = vendorsOf(sandbox);
    const [{ control: first }] = vendors;
    // In a world with several packs, the name of each collection has its pack as a prefix.
    const control = vendors.length === 1 ? first : sandbox.control;
    const { since, ...kinds } = expected;
    const checks = Object.entries(kinds).flatMap(([kind, given]) =>
      (Array.isArray(given) ? given : [given]).map((each: unknown) => ({ [kind]: withoutMatchers(each) })),
    );
    const { pass, results } = (await control.call('POST', '/judge', {
      checks,
      ...(since === undefined ? {} : { since }),
    })) as { pass: boolean; results: readonly { kind: string; holds: boolean; found: string }[] };
    const shown = results.flatMap(({ kind, holds: isMet, found }, at) =>
      isMet === pass ? [`${kind} ${JSON.stringify(checks[at]?.[kind])}: ${found}`] : [],
    );
    const diff = await control.diff(since ?? (await first.ledger({ limit: 1 })).oldest);
    return verdict(pass, `expected the world ${pass ? 'not ' : ''}to have changed so`, [
      ...shown,
      ...changesShown(diff),
      await sandbox.explanation(),
    ]);
  },
};

/**
 * Whether a value is a whole sandbox instead of a single vendor. Checks members, since runners load this file more than once, and each copy has its
 * own class.
 */
function isOfAll(sandbox: SandboxOfTest | TestVendor): sandbox is SandboxOfTest {
  return 'packs' in sandbox;
}

function vendorsOf(sandbox: SandboxOfTest | TestVendor): TestVendor[] {
  return isOfAll(sandbox) ? [...sandbox.packs.values()] : [sandbox];
}

/** Formats the changes of a world for a message, one line per object. */
function changesShown({ objects, objects_total: total }: Diff): string[] {
  if (total === 0) return ['nothing changed'];
  const lines = objects.slice(0, MOST_SHOWN).map(({ change, collection, id, fields }) => {
    const values = fields.map(({ field, from, to }) => `${field} ${JSON.stringify(from)} -> ${JSON.stringify(to)}`);
    return `  ${change} ${collection} ${id}${values.length === 0 ? '' : `: ${values.join(', ')}`}`;
  });
  return ['what changed:', ...lines, ...(total > MOST_SHOWN ? [`  and ${total - MOST_SHOWN} more`] : [])];
}

/** Rejects matchers of test runners in expected values, since they can't be sent to the server. @throws Error if there is one */
function withoutMatchers<T>(value: T): T {
  if (isMatcher(value)) throw new Error('toHaveChanged takes values and predicates such as { gte: 500 }, no matchers');
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(withoutMatchers);
  return value;
}

/** Requests the current state of an object; undefined for an unknown id. */
async function objectIn({ control }: TestVendor, id: string): Promise<Fields | undefined> {
  try {
    const { resources } = (await control.call('GET', `/state?id=${encodeURIComponent(id)}`)) as {
      resources: Readonly<Record<string, readonly Fields[]>>;
    };
    return Object.values(resources).flat()[0];
  } catch (error) {
    if (error instanceof ControlError && error.status === 404) return undefined;
    throw error;
  }
}

function verdict(pass: boolean, text: string, more: readonly string[]): MatcherResult {
  return { pass, message: () => [text, ...more].filter((line) => line !== '').join('\n') };
}

/** Whether a value contains a text. */
function hasText(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.includes(text);
  return typeof value === 'object' && value !== null && Object.values(value).some((inner) => hasText(inner, text));
}

function shortened(value: unknown): string {
  const text = typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}...` : text;
}

function eventType({ event }: Delivery): string {
  return typeof event === 'string' ? event : String(event.type);
}

/** Returns the sent content: the body of the last attempt, or the message of a recording transport. */
function contentOf({ attempts, message }: Delivery): unknown {
  const body = attempts[attempts.length - 1]?.request?.body;
  if (body === undefined) return message;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return Object.fromEntries(new URLSearchParams(body));
  }
}

/** Whether a value, or an object inside of it, has all these fields. */
function holds(value: unknown, fields: object): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return matches(value, fields) || Object.values(value).some((inner) => holds(inner, fields));
}

function matches(value: unknown, wanted: unknown): boolean {
  if (isMatcher(wanted)) return wanted.asymmetricMatch(value);
  if (typeof wanted !== 'object' || wanted === null) return Object.is(value, wanted);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(wanted) && !(Array.isArray(value) && value.length === wanted.length)) return false;
  return Object.entries(wanted).every(
    ([name, each]) => Object.hasOwn(value, name) && matches(value[name as keyof typeof value], each),
  );
}

/** Whether a value is an asymmetric matcher, such as `expect.any(String)`. */
function isMatcher(value: unknown): value is { asymmetricMatch(other: unknown): boolean } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'asymmetricMatch' in value &&
    typeof value.asymmetricMatch === 'function'
  );
}
