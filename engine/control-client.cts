/** An error answer of the control plane. */
export class ControlError extends Error {
  override readonly name = 'ControlError';

  /** By its name: test runners load a module anew for each test file, and the library has one of its own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && 'name' in value && value.name === 'ControlError';
  }

  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(`the control plane answered ${status}: ${JSON.stringify(body)}`);
  }
}

type Body = Readonly<Record<string, unknown>>;

/** Sends a call, as `fetch` does. */
export type Send = (
  url: string,
  call: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body?: string },
) => Promise<{ readonly ok: boolean; readonly status: number; text(): Promise<string> }>;

/** The control plane over HTTP, for tests: each method is one call and gives its answer, or throws `ControlError`. */
export class ControlClient {
  constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly send: Send = fetch,
  ) {}

  /** POST /seed: `{resource, objects}` or `{resources: {...}}`. */
  seed(body: Body): Promise<Body> {
    return this.call('POST', '/seed', body);
  }

  reset(body: Body = {}): Promise<Body> {
    return this.call('POST', '/reset', body);
  }

  fault(body: Body): Promise<Body> {
    return this.call('POST', '/faults', body);
  }

  clearFaults(id?: string): Promise<Body> {
    return this.call('DELETE', id === undefined ? '/faults' : `/faults/${id}`);
  }

  /** @param at a moment: number of a ledger entry, instant, id of a request or trace, name of a saved moment */
  state(resource?: string, at?: string | number): Promise<Body> {
    return this.call('GET', `/state${queryOf({ resource, at })}`);
  }

  /** Entries of the ledger: the newest, or those from one on; all, or those that change an object. */
  ledger(
    filter: { readonly from?: string | number; readonly object?: string; readonly limit?: number } = {},
  ): Promise<Body> {
    return this.call('GET', `/ledger${queryOf(filter)}`);
  }

  /** One entry with all that it changed. */
  entry(n: string | number): Promise<Body> {
    return this.call('GET', `/ledger/${encodeURIComponent(n)}`);
  }

  /** Saves the present moment, or an earlier one, under a name. */
  saveMoment(name: string, at?: string | number): Promise<Body> {
    return this.call('POST', '/moments', at === undefined ? { name } : { name, at });
  }

  moments(): Promise<Body> {
    return this.call('GET', '/moments');
  }

  deleteMoment(name: string): Promise<Body> {
    return this.call('DELETE', `/moments/${encodeURIComponent(name)}`);
  }

  /** What differs between two moments; `to` is the present unless given. */
  diff(from: string | number, to?: string | number): Promise<Body> {
    return this.call('GET', `/diff${queryOf({ from, to })}`);
  }

  /** The chain of entries that led to a field's value. */
  why(object: string, field: string): Promise<Body> {
    return this.call('GET', `/why${queryOf({ object, field })}`);
  }

  /** What of the pack this world's calls have met, and what not. */
  coverage(): Promise<Body> {
    return this.call('GET', '/coverage');
  }

  /** Everything that this world was told, as one file for `sandbox replay`. */
  export(): Promise<Body> {
    return this.call('GET', '/export');
  }

  /** Makes an earlier moment the present. */
  rewind(to: string | number): Promise<Body> {
    return this.call('POST', '/rewind', { to });
  }

  /** Fires a world event. */
  event(cause: string, params: Body = {}): Promise<Body> {
    return this.call('POST', '/world/events', { cause, params });
  }

  next(): Promise<Body> {
    return this.call('GET', '/world/next');
  }

  /** Moves the clock: by `32d`, to an instant, or until an event (then `at_most` so far; a year unless given). */
  advance(
    to:
      | string
      | { readonly to: string | number }
      | { readonly until: { readonly event: string; readonly object?: string }; readonly at_most?: string },
  ): Promise<Body> {
    return this.call('POST', '/clock/advance', typeof to === 'string' ? { duration: to } : to);
  }

  durations(durations: Body): Promise<Body> {
    return this.call('POST', '/clock/durations', { durations });
  }

  endpoint(body: Body): Promise<Body> {
    return this.call('POST', '/webhooks/endpoints', body);
  }

  /** Lets deliveries of events come twice, in another order, late, when they are let go, or not at all: `{kind, event?, count?, delay?, times?, ...}`. */
  deliveryFault(body: Body): Promise<Body> {
    return this.call('POST', '/webhooks/faults', body);
  }

  clearDeliveryFaults(id?: string): Promise<Body> {
    return this.call('DELETE', id === undefined ? '/webhooks/faults' : `/webhooks/faults/${id}`);
  }

  /** Waits until every delivery that is due was attempted. */
  flush(): Promise<Body> {
    return this.call('POST', '/webhooks/flush', {});
  }

  pin(body: Body): Promise<Body> {
    return this.call('POST', '/exogenous/pins', body);
  }

  unpin(id: string): Promise<Body> {
    return this.call('DELETE', `/exogenous/pins/${id}`);
  }

  trace(id: string): Promise<Body> {
    return this.call('GET', `/trace/${id}`);
  }

  /** Makes a further world: `{name?, pack?, seed?, t0?, expires?}`, or a fork: `{name?, expires?, from: {world?, at?, ...}}`. */
  createWorld(body: Body = {}): Promise<Body> {
    return this.call('POST', '/worlds', body);
  }

  /** Any call of the control plane. */
  async call(method: string, path: string, body?: Body): Promise<Body> {
    const response = await this.send(`${this.url}/__admin__${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.key}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    const answer = (text === '' ? {} : JSON.parse(text)) as Body;
    if (!response.ok) throw new ControlError(response.status, answer);
    return answer;
  }
}

/** A query of what is given. */
function queryOf(given: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query.toString()}`;
}
