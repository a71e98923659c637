import type { components, operations } from './client-types.cjs';
import { Mailbox } from './mailbox.cjs';
import { sendCall } from './send.cjs';
import type { CollectionName, EventPattern, Words } from './words.cjs';

/** An error response of the control API. */
export class ControlError extends Error {
  override readonly name = 'ControlError';

  /** Compares class names: test runners reload a module for each test file, and the library has a copy of its own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && 'name' in value && value.name === 'ControlError';
  }

  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(`the control API returned ${status}: ${JSON.stringify(body)}`);
  }
}

type Body = Readonly<Record<string, unknown>>;

type Schemas = components['schemas'];

/** The type of a successful response's body. */
type ResponseOf<O extends keyof operations> =
  operations[O]['responses'] extends Readonly<Record<number, infer R>>
    ? R extends { content: { readonly 'application/json': infer B } }
      ? B
      : never
    : never;

/** The type of a call's body. */
type Wanted<O extends keyof operations> =
  NonNullable<operations[O]['requestBody']> extends {
    readonly content: { readonly 'application/json': infer B };
  }
    ? B
    : never;

type Objects = readonly object[];

/** `Omit`, applied to each member of a union. */
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Objects to seed: of one collection, of several, or a named seed of the pack. */
type Seeds<W extends Words = Words> =
  | (Without<Extract<Wanted<'seed'>, { readonly resource: string }>, 'resource' | 'objects'> & {
      readonly resource: CollectionName<W>;
      readonly objects: Objects;
    })
  | Extract<Wanted<'seed'>, { readonly name: string }>
  | Extract<Wanted<'seed'>, { readonly account: unknown; readonly resources?: never }>
  | (Without<Extract<Wanted<'seed'>, { readonly resources: unknown }>, 'resources'> & {
      readonly resources: { readonly [C in CollectionName<W>]?: Objects };
    });

/** The body that sets a fault for calls of one operation. */
type FaultOrder<W extends Words = Words> =
  | {
      readonly [C in CollectionName<W>]: Without<Schemas['FaultOrder'], 'resource' | 'operation'> & {
        readonly resource: C;
        readonly operation?: W['operations'][C] | '*';
      };
    }[CollectionName<W>]
  | (Without<Schemas['FaultOrder'], 'resource' | 'operation'> & { readonly resource?: '*'; readonly operation?: '*' });

/** The body that overrides a value from outside. */
type PinOrder<W extends Words = Words> = Without<Schemas['PinOrder'], 'path' | 'branch'> & {
  readonly path?: W['pins'];
  readonly branch?: W['branches'];
};

/** The event or time at which the clock stops, and whether the clock waits for the application before it continues. */
type Until<W extends Words = Words> = { readonly pace?: Schemas['Pace'] } & (
  | { readonly duration: string }
  | { readonly to: string | number }
  | { readonly until: { readonly event: W['events']; readonly object?: string }; readonly at_most?: string }
);

/** The body that sets a fault of deliveries. */
type DeliveryFaultOrder<W extends Words = Words> = Without<Schemas['DeliveryFaultOrder'], 'event'> & {
  readonly event?: EventPattern<W>;
};

/** The body that registers an endpoint for events. */
type EndpointOrder<W extends Words = Words> = Without<Wanted<'registerEndpoint'>, 'events'> & {
  readonly events?: readonly EventPattern<W>[];
};

/** The parameters of an external event; optional if none is required. */
type Params<T> = Readonly<Record<string, never>> extends T ? [params?: T] : [params: T];

/** Sends a call, as `fetch` does. */
export type Send = (
  url: string,
  call: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body?: string },
) => Promise<{ readonly ok: boolean; readonly status: number; text(): Promise<string> }>;

/**
 * The control API over HTTP, for tests: each method makes one call and returns its response, or throws `ControlError`.
 * @typeParam W the pack's names; any string by default
 */
export class ControlClient<W extends Words = Words> {
  constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly send: Send = sendCall,
  ) {}

  /** Adds objects (`POST /seed`): `{resource, objects}`, `{resources: {...}}` or `{name}` of a seed in the pack. */
  seed(body: Seeds<W>): Promise<ResponseOf<'seed'>> {
    return this.ask('POST', '/seed', body);
  }

  reset(body: Wanted<'reset'> = {}): Promise<ResponseOf<'reset'>> {
    return this.ask('POST', '/reset', body);
  }

  fault(body: FaultOrder<W>): Promise<Schemas['Fault']> {
    return this.ask('POST', '/faults', body);
  }

  clearFaults(id?: string): Promise<ResponseOf<'clearFaults'> | ResponseOf<'clearFault'>> {
    return this.ask('DELETE', id === undefined ? '/faults' : `/faults/${id}`);
  }

  /**
   * Returns the world's objects.
   * @param at a moment: number of a ledger entry, instant, id of a request or trace, or name of a saved moment
   */
  state(resource?: CollectionName<W>, at?: string | number): Promise<ResponseOf<'state'>> {
    return this.ask('GET', `/state${queryOf({ resource, at })}`);
  }

  /** Returns ledger entries: the newest, or those from a number on; optionally only those that change one object. */
  ledger(
    filter: { readonly from?: string | number; readonly object?: string; readonly limit?: number } = {},
  ): Promise<ResponseOf<'ledger'>> {
    return this.ask('GET', `/ledger${queryOf(filter)}`);
  }

  /** Returns one ledger entry with everything that it changed. */
  entry(n: string | number): Promise<ResponseOf<'entry'>> {
    return this.ask('GET', `/ledger/${encodeURIComponent(n)}`);
  }

  /** Saves the present moment, or an earlier one, under a name. */
  saveMoment(name: string, at?: string | number): Promise<ResponseOf<'saveMoment'>> {
    return this.ask('POST', '/moments', at === undefined ? { name } : { name, at });
  }

  moments(): Promise<ResponseOf<'moments'>> {
    return this.ask('GET', '/moments');
  }

  deleteMoment(name: string): Promise<ResponseOf<'deleteMoment'>> {
    return this.ask('DELETE', `/moments/${encodeURIComponent(name)}`);
  }

  /** Returns the differences between two moments; `to` is the present by default. */
  diff(from: string | number, to?: string | number): Promise<ResponseOf<'diff'>> {
    return this.ask('GET', `/diff${queryOf({ from, to })}`);
  }

  /** Returns the chain of ledger entries that led to a field's value. */
  why(object: string, field: string): Promise<ResponseOf<'why'>> {
    return this.ask('GET', `/why${queryOf({ object, field })}`);
  }

  /** Returns which parts of the pack calls of this world have used, and which not. */
  coverage(): Promise<ResponseOf<'coverage'>> {
    return this.ask('GET', '/coverage');
  }

  /** Returns requests for documented features that the pack doesn't emulate, the most frequent first. */
  unsupported(): Promise<ResponseOf<'unsupported'>> {
    return this.ask('GET', '/unsupported');
  }

  /** Exports all calls of this world as one file for `sandbox replay`. */
  export(): Promise<ResponseOf<'exportWorld'>> {
    return this.ask('GET', '/export');
  }

  /** Rewinds the world to an earlier moment. */
  rewind(to: string | number): Promise<ResponseOf<'rewind'>> {
    return this.ask('POST', '/rewind', { to });
  }

  /** Fires an external event. */
  event<C extends keyof W['causes'] & string>(
    cause: C,
    ...[params]: Params<W['causes'][C]>
  ): Promise<ResponseOf<'fireCause'>> {
    return this.ask('POST', '/world/events', { cause, params: params ?? {} });
  }

  /** The messages sent to people: `mail.to('ann@example.org').last()` has `text`, `link`, `code` and `attachments`. */
  get mail(): Mailbox {
    return new Mailbox(async (query) => {
      const { data } = await this.ask<ResponseOf<'mailbox'>>(
        'GET',
        `/mailbox${queryOf({ ...query, contents: 'true' })}`,
      );
      return data;
    });
  }

  next(): Promise<ResponseOf<'possibleCauses'>> {
    return this.ask('GET', '/world/next');
  }

  /** Advances the clock: by `32d`, to an instant, or until an event (then by `at_most`, a year by default). */
  advance(to: string | Until<W>): Promise<ResponseOf<'advance'>> {
    return this.ask('POST', '/clock/advance', typeof to === 'string' ? { duration: to } : to);
  }

  /** Overrides the length of named waits; null restores the pack's. */
  durations(durations: { readonly [D in W['durations']]?: string | null }): Promise<ResponseOf<'overrideDurations'>> {
    return this.ask('POST', '/clock/durations', { durations });
  }

  endpoint(body: EndpointOrder<W>): Promise<ResponseOf<'registerEndpoint'>> {
    return this.ask('POST', '/webhooks/endpoints', body);
  }

  /**
   * Makes deliveries duplicate, reordered, delayed, blocked until released, or lost: `{kind, event?, count?, delay?, times?,
   * ...}`.
   */
  deliveryFault(body: DeliveryFaultOrder<W>): Promise<ResponseOf<'armDeliveryFault'>> {
    return this.ask('POST', '/webhooks/faults', body);
  }

  clearDeliveryFaults(id?: string): Promise<ResponseOf<'clearDeliveryFaults'> | ResponseOf<'clearDeliveryFault'>> {
    return this.ask('DELETE', id === undefined ? '/webhooks/faults' : `/webhooks/faults/${id}`);
  }

  /** Waits until every delivery that is due was attempted. */
  flush(): Promise<ResponseOf<'flush'>> {
    return this.ask('POST', '/webhooks/flush', {});
  }

  pin(body: PinOrder<W>): Promise<ResponseOf<'pin'>> {
    return this.ask('POST', '/exogenous/pins', body);
  }

  unpin(id: string): Promise<ResponseOf<'unpin'>> {
    return this.ask('DELETE', `/exogenous/pins/${id}`);
  }

  trace(id: string): Promise<ResponseOf<'trace'>> {
    return this.ask('GET', `/trace/${id}`);
  }

  /** Creates a world: `{name?, pack?, seed?, t0?, expires?}`, or a fork: `{name?, expires?, from: {world?, at?, ...}}`. */
  createWorld(
    body: Omit<Wanted<'createWorld'>, 'count'> = {},
  ): Promise<Exclude<ResponseOf<'createWorld'>, ResponseOf<'listWorlds'>>> {
    return this.ask('POST', '/worlds', body);
  }

  /** Creates several worlds, all or none; forks start at the same moment. */
  createWorlds(
    count: number,
    body: Omit<Wanted<'createWorld'>, 'count' | 'name'> = {},
  ): Promise<ResponseOf<'listWorlds'>> {
    return this.ask('POST', '/worlds', { ...body, count });
  }

  /** Makes any call of the control API. */
  call(method: string, path: string, body?: object): Promise<Body> {
    return this.ask(method, path, body);
  }

  private async ask<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await this.send(`${this.url}/__admin__${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.key}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    // The contract defines the type of the response; a test compares the two.
    const parsed = (text === '' ? {} : JSON.parse(text)) as T;
    if (!response.ok) throw new ControlError(response.status, parsed);
    return parsed;
  }
}

/** Returns the query string of the values. */
function queryOf(given: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** The parts of an address that official clients take separately. */
export interface AddressParts {
  readonly host: string;
  readonly port: number;
  readonly protocol: 'http' | 'https';
}

/** Splits a URL that contains a port. */
export function addressOf(url: string): AddressParts {
  const { hostname, port, protocol } = new URL(url);
  return { host: hostname, port: Number(port), protocol: protocol === 'https:' ? 'https' : 'http' };
}
