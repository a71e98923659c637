/** An error answer of the control plane. */
export class ControlError extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(`the control plane answered ${status}: ${JSON.stringify(body)}`);
  }
}

type Body = Readonly<Record<string, unknown>>;

/** The control plane over HTTP, for tests: each method is one call and gives its answer, or throws `ControlError`. */
export class ControlClient {
  constructor(
    private readonly url: string,
    private readonly key: string,
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

  state(resource?: string): Promise<Body> {
    return this.call('GET', resource === undefined ? '/state' : `/state?resource=${encodeURIComponent(resource)}`);
  }

  /** Fires a world event. */
  event(cause: string, params: Body = {}): Promise<Body> {
    return this.call('POST', '/world/events', { cause, params });
  }

  next(): Promise<Body> {
    return this.call('GET', '/world/next');
  }

  /** Moves the clock, by `32d` or to an instant. */
  advance(to: string | { readonly to: string | number }): Promise<Body> {
    return this.call('POST', '/clock/advance', typeof to === 'string' ? { duration: to } : to);
  }

  durations(durations: Body): Promise<Body> {
    return this.call('POST', '/clock/durations', { durations });
  }

  endpoint(body: Body): Promise<Body> {
    return this.call('POST', '/webhooks/endpoints', body);
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

  /** Makes a further world: `{name?, pack?, seed?, t0?, expires?}`. */
  createWorld(body: Body = {}): Promise<Body> {
    return this.call('POST', '/worlds', body);
  }

  /** Any call of the control plane. */
  async call(method: string, path: string, body?: Body): Promise<Body> {
    const response = await fetch(`${this.url}/__admin__${path}`, {
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
