/**
 * The vendor's library for pages in browsers, of a pack's `browser.yaml`. The engine serves this file with the pack's description behind
 * it (`install({...})`), as one plain script: no module, nothing to import. It knows no vendor.
 */

type Values = { [name: string]: unknown };

/** What `browser.yaml` says, linked (engine/program/browser.ts). */
interface LibraryDescription {
  readonly script: readonly string[];
  readonly global: string;
  readonly keyPrefix: string;
  readonly encoding: 'form' | 'json';
  readonly error: string | null;
  readonly unreachable: Values;
  readonly secret: string | null;
  readonly ignores: readonly string[];
  readonly elements: { readonly method: string; readonly kinds: Readonly<Record<string, ElementKind>> } | null;
  readonly methods: Readonly<Record<string, MethodDescription>>;
}

interface ElementKind {
  readonly stands_for?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly inputs: Readonly<Record<string, InputDescription>>;
}

interface InputDescription {
  readonly label: string;
  readonly fills: string;
  readonly type?: string;
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly incomplete?: Values;
}

interface MethodDescription {
  readonly takes: readonly string[];
  /** Null: the browser goes to `path`. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | null;
  /** With `{id}`. */
  readonly path: string;
  readonly id: readonly string[];
  readonly sends: readonly {
    readonly to: string;
    readonly from: readonly string[];
    readonly is: string | number | boolean | null;
    readonly when: 'text' | 'map' | null;
    readonly with: Values | null;
  }[];
  readonly gives: string | null;
  readonly next: readonly { readonly at: string; readonly opens: 'frame' | 'page' }[];
  readonly again: string | null;
  readonly failsAt: string | null;
  readonly stays: Readonly<Record<string, unknown>>;
  readonly leaves: {
    readonly to: string;
    readonly unless: Readonly<Record<string, unknown>>;
    readonly adds: Readonly<Record<string, string>>;
  } | null;
}

/** What a method comes to: `{[gives]: object}` or `{error}`. */
type Result = Values;

/** Defines the function of the page. */
// Called by what the engine serves behind this file.
// oxlint-disable-next-line typescript/no-unused-vars
function install(library: LibraryDescription): void {
  const base = baseOf(document.currentScript, library.script);
  Object.assign(window, {
    [library.global]: function (key: unknown): object {
      if (typeof key !== 'string' || !key.startsWith(library.keyPrefix))
        throw new Error(`${library.global}(key) takes a key that begins with ${library.keyPrefix}`);
      return client(library, base, key);
    },
  });
}

/** Where the sandbox is: the address of the script without the path of it. */
function baseOf(element: unknown, paths: readonly string[]): string {
  const address = element instanceof HTMLScriptElement ? new URL(element.src) : new URL(location.href);
  const path = paths.find((each) => address.pathname.endsWith(each)) ?? '';
  return address.origin + address.pathname.slice(0, path === '' ? 0 : -path.length);
}

/** What the function gives: an object with the methods of the description. */
function client(library: LibraryDescription, base: string, key: string): object {
  const calls: Record<string, (...given: unknown[]) => unknown> = {};
  for (const name of library.ignores) calls[name] = () => undefined;
  const { elements } = library;
  if (elements) calls[elements.method] = (given) => new ElementGroup(elements.kinds, isMap(given) ? given : {});
  for (const [name, method] of Object.entries(library.methods))
    calls[name] = (...given) => new Call(library, base, key).run(method, given);
  return calls;
}

/** One call of a method. */
class Call {
  constructor(
    private readonly library: LibraryDescription,
    private readonly base: string,
    private readonly key: string,
  ) {}

  async run(method: MethodDescription, given: readonly unknown[]): Promise<Result> {
    const named: Values = {};
    method.takes.forEach((name, index) => (named[name] = given[index]));
    const incomplete = incompleteIn(Object.values(named));
    if (incomplete) return { error: incomplete };
    const path = this.base + method.path.replace('{id}', encodeURIComponent(this.#id(method, named)));
    if (method.method === null) return this.#go(path);
    const first = await this.#ask(method.method, path, paramsOf(method, named));
    if ('error' in first) return first;
    return this.#finish(method, named, first.object);
  }

  /** What the customer has to do, and where the page goes. */
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
        last = await this.#inFrame(String(next.url), again, this.#secret(method, named), method.next);
        const failure = method.failsAt === null ? undefined : valueAt(last, method.failsAt);
        if (isMap(failure)) return { error: failure };
      }
    }
    const { leaves } = method;
    const to = leaves && !holdsAny(named, leaves.unless) ? valueAt(named, leaves.to) : undefined;
    if (!leaves || !isText(to)) return result(last);
    const address = new URL(to, location.href);
    for (const [name, from] of Object.entries(leaves.adds))
      address.searchParams.set(name, from.startsWith('=') ? from.slice(1) : textOf(valueAt(last, from)));
    return this.#go(address.href);
  }

  /** Leaves the page: what waits for the answer waits until the page is gone. */
  #go(url: string): Promise<Result> {
    location.assign(url);
    return new Promise(() => undefined);
  }

  /** Opens a page over this one until the object wants nothing more of the customer. */
  #inFrame(url: string, again: MethodDescription, secret: string, next: MethodDescription['next']): Promise<Values> {
    return new Promise((resolve) => {
      const { cover, frame, close } = overlay(url);
      const look = async (isOver: boolean): Promise<void> => {
        const path =
          this.base + again.path.replace('{id}', encodeURIComponent(beforeSecret(secret, this.library.secret)));
        const asked = await this.#ask(again.method ?? 'GET', path, paramsOf(again, { [again.takes[0] ?? '']: secret }));
        if ('error' in asked) return;
        if (!isOver && next.some(({ at }) => isText(valueAt(asked.object, at)))) return;
        cover.remove();
        resolve(asked.object);
      };
      // What the customer does there loads a page.
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

  async #ask(
    method: string,
    path: string,
    params: Values,
  ): Promise<{ readonly object: Values } | { readonly error: unknown }> {
    const form = new URLSearchParams(pairsOf(params));
    const isForm = this.library.encoding === 'form';
    const url = method === 'GET' && form.size > 0 ? `${path}?${form.toString()}` : path;
    const headers: Record<string, string> = { Authorization: `Bearer ${this.key}` };
    if (method !== 'GET') headers['Content-Type'] = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    try {
      const body = method === 'GET' ? undefined : isForm ? form.toString() : JSON.stringify(params);
      const response = await fetch(url, { method, headers, body });
      const answer: unknown = await response.json();
      if (response.ok && isMap(answer)) return { object: answer };
      return { error: (this.library.error === null ? undefined : valueAt(answer, this.library.error)) ?? answer };
    } catch {
      return { error: this.library.unreachable };
    }
  }
}

/** Elements that a page makes together. */
class ElementGroup {
  readonly #elements = new Map<string, PageElement>();
  readonly #kinds: Readonly<Record<string, ElementKind>>;
  readonly options: Values;

  constructor(kinds: Readonly<Record<string, ElementKind>>, options: Values) {
    this.#kinds = kinds;
    this.options = options;
  }

  create(name: string, options?: unknown): PageElement {
    if (!Object.prototype.hasOwnProperty.call(this.#kinds, name))
      throw new Error(`there is no element '${name}'; there are ${Object.keys(this.#kinds).join(', ')}`);
    const element = new PageElement(this, name, this.#kinds[name], options, () => void this.#elements.delete(name));
    this.#elements.set(name, element);
    return element;
  }

  getElement(name: unknown): PageElement | null {
    return this.#elements.get(String(name)) ?? null;
  }

  update(options: unknown): void {
    if (isMap(options)) Object.assign(this.options, options);
  }

  fetchUpdates(): Promise<object> {
    return Promise.resolve({});
  }

  /** Looks whether all that is needed was typed. */
  submit(): Promise<Values> {
    const error = this.incomplete();
    return Promise.resolve(error ? { error } : {});
  }

  incomplete(like?: PageElement): Values | undefined {
    return this.alike(like)
      .map((each) => each.incomplete())
      .find((each) => each !== undefined);
  }

  /** What the inputs fill: of all elements, or of those that stand for the same as one. */
  values(like?: PageElement): Values {
    const values: Values = {};
    for (const element of this.alike(like)) element.fill(values);
    return values;
  }

  alike(like?: PageElement): PageElement[] {
    const all = [...this.#elements.values()];
    if (!like) return all;
    return [...new Set([like, ...all])].filter(({ kind }) => like.kind.stands_for === kind.stands_for);
  }
}

/** Inputs of one kind on the page. */
class PageElement {
  readonly #inputs = new Map<string, HTMLInputElement | HTMLSelectElement>();
  readonly #listeners = new Map<string, Set<(event: Values) => void>>();
  readonly #box = document.createElement('div');

  constructor(
    readonly group: ElementGroup,
    readonly name: string,
    readonly kind: ElementKind,
    options: unknown,
    private readonly forget: () => void,
  ) {
    this.#box.dataset['element'] = name;
    for (const [input, about] of Object.entries(kind.inputs)) this.#box.append(this.#labelled(input, about));
    this.update(options);
  }

  /** Puts the inputs into an element of the page, or into what a selector finds. */
  mount(target: unknown): void {
    const place = typeof target === 'string' ? document.querySelector(target) : target;
    if (!(place instanceof Element))
      throw new Error(`there is no place '${String(target)}' for the element '${this.name}'`);
    place.replaceChildren(this.#box);
    queueMicrotask(() => this.#tell('ready', { elementType: this.name }));
  }

  unmount(): void {
    this.#box.remove();
  }

  destroy(): void {
    this.unmount();
    this.forget();
  }

  on(event: string, listener: (event: Values) => void): this {
    const known = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, known.add(listener));
    return this;
  }

  once(event: string, listener: (event: Values) => void): this {
    const once = (told: Values): void => {
      this.off(event, once);
      listener(told);
    };
    return this.on(event, once);
  }

  off(event: string, listener?: (event: Values) => void): this {
    if (listener) this.#listeners.get(event)?.delete(listener);
    else this.#listeners.delete(event);
    return this;
  }

  update(options: unknown): void {
    const disabled = isMap(options) ? options['disabled'] : undefined;
    if (typeof disabled === 'boolean') for (const input of this.#inputs.values()) input.disabled = disabled;
  }

  clear(): void {
    for (const input of this.#inputs.values()) input.value = '';
    this.#changed();
  }

  focus(): void {
    [...this.#inputs.values()][0]?.focus();
  }

  blur(): void {
    for (const input of this.#inputs.values()) input.blur();
  }

  incomplete(): Values | undefined {
    return Object.entries(this.kind.inputs).find(([name, { incomplete }]) => incomplete && this.#text(name) === '')?.[1]
      .incomplete;
  }

  fill(values: Values): void {
    for (const [path, text] of Object.entries(this.kind.with ?? {})) put(values, path, text);
    for (const [name, { fills }] of Object.entries(this.kind.inputs))
      if (this.#text(name) !== '') put(values, fills, this.#text(name));
  }

  #text(name: string): string {
    return this.#inputs.get(name)?.value.trim() ?? '';
  }

  #labelled(name: string, about: InputDescription): HTMLElement {
    const label = document.createElement('label');
    label.append(about.label, ' ', this.#input(name, about));
    return label;
  }

  #input(name: string, about: InputDescription): HTMLElement {
    const input = document.createElement(about.options ? 'select' : 'input');
    input.name = name;
    if (input instanceof HTMLSelectElement)
      for (const [value, text] of Object.entries(about.options ?? {})) input.add(new Option(text, value));
    else {
      input.type = about.type ?? 'text';
      input.placeholder = about.placeholder ?? '';
    }
    if (about.autocomplete) input.setAttribute('autocomplete', about.autocomplete);
    if (about.value !== undefined) input.value = about.value;
    this.#inputs.set(name, input);
    input.addEventListener('input', () => this.#changed());
    for (const event of ['focus', 'blur'] as const)
      input.addEventListener(event, () => this.#tell(event, { elementType: this.name }));
    return input;
  }

  #changed(): void {
    const texts = [...this.#inputs.keys()].map((name) => this.#text(name));
    const value: Values = {};
    this.fill(value);
    const complete = this.incomplete() === undefined && texts.some((text) => text !== '');
    const empty = texts.every((text) => text === '');
    this.#tell('change', { elementType: this.name, complete, empty, error: undefined, value });
  }

  #tell(event: string, told: Values): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(told);
  }
}

/** The page of a customer's bank over this page. */
function overlay(url: string): {
  readonly cover: HTMLElement;
  readonly frame: HTMLElement;
  readonly close: HTMLElement;
} {
  const cover = document.createElement('div');
  cover.setAttribute('role', 'dialog');
  cover.setAttribute('aria-modal', 'true');
  cover.style.cssText =
    'position:fixed;inset:0;z-index:2147483647;background:rgba(0,0,0,.5);display:flex;flex-direction:column;align-items:center;justify-content:center;gap:8px';
  const frame = document.createElement('iframe');
  frame.src = url;
  frame.title = 'Confirmation';
  frame.style.cssText = 'width:min(480px,95vw);height:min(560px,85vh);border:0;background:#fff';
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = 'Close';
  cover.append(frame, close);
  return { cover, frame, close };
}

/** What of the elements among some values was not typed yet. */
function incompleteIn(values: readonly unknown[]): Values | undefined {
  for (const value of values) {
    const found =
      value instanceof PageElement
        ? value.group.incomplete(value)
        : value instanceof ElementGroup
          ? value.incomplete()
          : isMap(value)
            ? incompleteIn(Object.values(value))
            : undefined;
    if (found) return found;
  }
  return undefined;
}

function paramsOf(method: MethodDescription, named: Values): Values {
  const params: Values = {};
  for (const { to, from, is, when, with: also } of method.sends) {
    let value =
      is ?? plain(from.map((source) => valueAt(named, source)).find((each) => each !== undefined && each !== null));
    if (value === undefined) continue;
    if ((when === 'text' && !isText(value)) || (when === 'map' && !isMap(value))) continue;
    if (also && isMap(value)) value = { ...also, ...value };
    if (to !== '*') put(params, to, merged(valueAt(params, to), value));
    else if (isMap(value)) Object.assign(params, value);
  }
  return params;
}

/** What stands there already goes with what comes, which wins. */
function merged(before: unknown, value: unknown): unknown {
  if (!isMap(before) || !isMap(value)) return value;
  const both: Values = { ...before };
  for (const [name, each] of Object.entries(value)) both[name] = merged(before[name], each);
  return both;
}

/** A value with what was typed where elements stand in it. */
function plain(value: unknown): unknown {
  if (value instanceof PageElement) return valueAt(value.group.values(value), value.kind.stands_for ?? '');
  if (value instanceof ElementGroup) return undefined;
  if (Array.isArray(value)) return value.map(plain);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}

/** The value at a path. A group of elements has the members of its options, and `values`. */
function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path === '' ? [] : path.split('.')) {
    if (found instanceof ElementGroup) found = name === 'values' ? found.values() : found.options[name];
    else if (isMap(found)) found = found[name];
    else return undefined;
  }
  return found;
}

function put(values: Values, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let place = values;
  for (const name of names) {
    const inner = isMap(place[name]) ? place[name] : {};
    place[name] = inner;
    place = inner;
  }
  place[last] = value;
}

function holdsAny(named: Values, wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).some(([path, value]) => valueAt(named, path) === value);
}

/** `a[b][0]=c`, as forms are written. */
function pairsOf(value: unknown, name = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [[name, textOf(value)]];
  return Object.entries(value).flatMap(([key, each]) => pairsOf(each, name === '' ? key : `${name}[${key}]`));
}

function beforeSecret(text: string, secret: string | null): string {
  const end = secret === null ? -1 : text.indexOf(secret);
  return end < 0 ? text : text.slice(0, end);
}

function textOf(value: unknown): string {
  return typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
