import { type ControlClient, ControlError } from '../../engine/control/client.cjs';
import type { Words } from '../../engine/control/words.cjs';
import { sandboxes, type SandboxOfTest, TestVendor } from './in-tests.cjs';

/** Names of the events of what is expected: those of its packs. */
export type EventOf<T> = T extends { readonly control: ControlClient<infer W extends Words> } ? W['events'] : string;

/** What a matcher comes to, as every runner takes it. */
export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

type Fields = Readonly<Record<string, unknown>>;

interface Delivery {
  readonly event: { readonly type?: string } | string;
  readonly status: string;
  readonly attempts: readonly { readonly request?: { readonly body?: string } }[];
  readonly message?: unknown;
}

/** Matchers for `expect.extend`. */
export const matchers = {
  /**
   * `await expect(sandbox).toHaveDelivered('invoice.paid', { customer })`: a webhook that arrived, with these fields somewhere in
   * it. Where packs share a world, `payments/invoice.paid` is that of one of them.
   */
  async toHaveDelivered(
    sandbox: SandboxOfTest | TestVendor,
    event: string,
    fields: object = {},
  ): Promise<MatcherResult> {
    const packs = sandbox instanceof TestVendor ? new Map([['', sandbox]]) : sandbox.packs;
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
    const near =
      ofEvent.length === 0
        ? []
        : [`of ${event}: ${ofEvent.map((each) => each.status).join(', ')}; their fields differ or they did not arrive`];
    return verdict(pass, `expected ${pass ? 'no ' : ''}delivery of ${wanted}`, [
      none,
      ...near,
      await sandbox.explanation(),
    ]);
  },

  /** `await expect(invoice).toBeInState('paid')`: what an object (or its id) is now, in the world of the test. */
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
};

/** An object of a world as it is now; undefined: the world has none of this id. */
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

function eventType({ event }: Delivery): string {
  return typeof event === 'string' ? event : String(event.type);
}

/** What was sent: the body of the last attempt, or the message of a transport that is recorded. */
function contentOf({ attempts, message }: Delivery): unknown {
  const body = attempts[attempts.length - 1]?.request?.body;
  if (body === undefined) return message;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return Object.fromEntries(new URLSearchParams(body));
  }
}

/** Whether a value, or an object inside it, has all these fields. */
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

/** `expect.any(String)` and its kind. */
function isMatcher(value: unknown): value is { asymmetricMatch(other: unknown): boolean } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'asymmetricMatch' in value &&
    typeof value.asymmetricMatch === 'function'
  );
}
