/** The result of a library call: the object, or an error. */
type Asked = { readonly object: Values } | { readonly error: unknown };

/** A call of one method of the library. */
class Call {
  constructor(
    private readonly library: LibraryDescription,
    private readonly base: string,
    private readonly key: string,
  ) {}

  /**
   * Opens a page in an overlay, such as a consent page, and returns the functions that control it. The page's address contains the id in an argument.
   */
  opened(method: MethodDescription, opens: OpenDescription, given: readonly unknown[]): object {
    const named = argumentsOf(method, given);
    const url = this.base + method.path.replace('{id}', encodeURIComponent(this.#id(method, named)));
    const page = new OpenedPage(url, opens, named, this.library.elements?.frames);
    const calls: Record<string, () => void> = {};
    for (const [name, what] of Object.entries(opens.methods)) calls[name] = () => page[what]();
    const ready = opens.ready === null ? undefined : valueAt(named, opens.ready);
    // Calls the function after the returned object has been assigned: the shop's code may use it.
    if (isFunction(ready)) queueMicrotask(ready);
    return calls;
  }

  /** Makes the call of a method and returns its result. @param more arguments that don't come from the page */
  async run(method: MethodDescription, given: readonly unknown[], more: Values = {}): Promise<Result | FramedPage> {
    const named = { ...argumentsOf(method, given), ...more };
    if (method.mounts) return this.#framed(method, method.mounts, named);
    const incomplete = incompleteIn(Object.values(named));
    if (incomplete) return { error: incomplete };
    const path = this.base + method.path.replace('{id}', encodeURIComponent(this.#id(method, named)));
    if (method.method === null) return this.#go(path);
    const first = await this.#ask(method.method, path, paramsOf(method, named));
    if ('error' in first) return first;
    return this.#finish(method, named, first.object);
  }

  /**
   * Creates a frame with a page of the sandbox. The page's address contains the id of an object: an argument, or the result of a function argument.
   */
  async #framed(method: MethodDescription, mounts: MountDescription, named: Values): Promise<FramedPage> {
    const found = method.id.map((source) => valueAt(named, source)).find((each) => isText(each) || isFunction(each));
    const id = encodeURIComponent(beforeSecret(textOf(isFunction(found) ? await found() : found), this.library.secret));
    return new FramedPage(this.base + method.path.replace('{id}', id), async () => {
      const asked = await this.#ask('GET', this.base + mounts.path.replace('{id}', id), {});
      if ('error' in asked || !holdsAll(asked.object, mounts.until)) return;
      const callback = mounts.tells === null ? undefined : valueAt(named, mounts.tells);
      if (isFunction(callback)) callback();
      const to = mounts.to === null ? undefined : valueAt(asked.object, mounts.to);
      if (!isText(to) || !holdsAll(asked.object, mounts.when)) return;
      const fills = Object.entries(mounts.fills);
      location.assign(
        fills.reduce((url, [text, from]) => url.replaceAll(text, textOf(valueAt(asked.object, from))), to),
      );
    });
  }

  /** Sends the customer to the next action of the object, if it has one, and returns the result. */
  async #finish(method: MethodDescription, named: Values, object: Values): Promise<Result> {
    const result = (value: Values): Result => (method.gives === null ? value : { [method.gives]: value });
    let last = object;
    if (!holdsAny(named, method.stays)) {
      const next = method.next
        .map(({ at, opens }) => ({ url: valueAt(last, at), opens }))
        .find(({ url }) => isText(url));
      if (next && next.opens === 'page') return this.#go(String(next.url));
      const again = method.again === null ? undefined : this.library.methods[method.again];
      if (next && again) {
        const confirmed = await this.#inFrame(String(next.url), again, this.#secret(method, named), method.next);
        if ('error' in confirmed) return confirmed;
        last = confirmed.object;
      }
      const failure = method.failsAt === null ? undefined : valueAt(last, method.failsAt);
      if (isMap(failure)) return { error: failure };
    }
    const { leaves } = method;
    const to = leaves && !holdsAny(named, leaves.unless) ? valueAt(named, leaves.to) : undefined;
    if (!leaves || !isText(to)) return result(last);
    const address = new URL(to, location.href);
    for (const [name, from] of Object.entries(leaves.adds))
      address.searchParams.set(name, from.startsWith('=') ? from.slice(1) : textOf(valueAt(last, from)));
    return this.#go(address.href);
  }

  /** Navigates to a URL: the promise stays pending until the page is gone. */
  #go(url: string): Promise<Result> {
    location.assign(url);
    return new Promise(() => undefined);
  }

  /** Shows a page in an overlay until the object needs nothing more from the customer. */
  #inFrame(url: string, again: MethodDescription, secret: string, next: MethodDescription['next']): Promise<Asked> {
    return new Promise((resolve) => {
      const { cover, frame, close } = overlay(url, this.library.elements?.frames);
      const look = async (isOver: boolean): Promise<void> => {
        const path =
          this.base + again.path.replace('{id}', encodeURIComponent(beforeSecret(secret, this.library.secret)));
        const asked = await this.#ask(again.method ?? 'GET', path, paramsOf(again, { [again.takes[0] ?? '']: secret }));
        const waits = 'object' in asked && next.some(({ at }) => isText(valueAt(asked.object, at)));
        if (waits && !isOver) return;
        cover.remove();
        resolve(asked);
      };
      // Checks the object after each load of the frame, since each action of the customer loads a page.
      frame.addEventListener('load', () => void look(false));
      close.addEventListener('click', () => void look(true));
      document.body.append(cover);
    });
  }

  #secret({ id }: MethodDescription, named: Values): string {
    return textOf(id.map((source) => valueAt(named, source)).find(isText));
  }

  #id(method: MethodDescription, named: Values): string {
    return beforeSecret(this.#secret(method, named), this.library.secret);
  }

  async #ask(method: string, path: string, params: Values): Promise<Asked> {
    const form = new URLSearchParams(pairsOf(params));
    const isForm = this.library.encoding === 'form';
    const url = method === 'GET' && form.size > 0 ? `${path}?${form.toString()}` : path;
    const headers: Record<string, string> = { Authorization: `Bearer ${this.key}` };
    if (method !== 'GET') headers['Content-Type'] = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    try {
      const body = method === 'GET' ? undefined : isForm ? form.toString() : JSON.stringify(params);
      const response = await fetch(url, { method, headers, body });
      const returned: unknown = await response.json();
      if (response.ok && isMap(returned)) return { object: returned };
      return { error: (this.library.error === null ? undefined : valueAt(returned, this.library.error)) ?? returned };
    } catch {
      return { error: this.library.unreachable };
    }
  }
}

function argumentsOf({ takes }: MethodDescription, given: readonly unknown[]): Values {
  const named: Values = {};
  takes.forEach((name, index) => (named[name] = given[index]));
  return named;
}

function paramsOf(method: MethodDescription, named: Values): Values {
  const params: Values = {};
  for (const { to, from, is, when, with: also, always } of method.sends) {
    let value =
      is ?? plain(from.map((source) => valueAt(named, source)).find((each) => each !== undefined && each !== null));
    if (value === undefined && always) value = {};
    if (value === undefined) continue;
    if ((when === 'text' && !isText(value)) || (when === 'map' && !isMap(value))) continue;
    if (also && isMap(value)) value = { ...also, ...value };
    if (to !== '*') put(params, to, merged(valueAt(params, to), value));
    else if (isMap(value)) Object.assign(params, value);
  }
  return params;
}

/** Merges two values; the second one takes precedence. */
function merged(before: unknown, value: unknown): unknown {
  if (!isMap(before) || !isMap(value)) return value;
  const both: Values = { ...before };
  for (const [name, each] of Object.entries(value)) both[name] = merged(before[name], each);
  return both;
}
