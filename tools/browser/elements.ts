/** A group of elements that a page creates together and submits as one. */
class ElementGroup {
  readonly #elements = new Map<string, PageElement>();
  /** The element whose button was pressed. The submitted values are those of this element only. */
  #pressed: PageElement | undefined;

  /** Called after every input. */
  changed: () => void = () => undefined;

  constructor(
    private readonly description: ElementsDescription,
    readonly options: Values,
  ) {}

  create(name: string, options?: unknown): PageElement {
    const { kinds } = this.description;
    if (!Object.prototype.hasOwnProperty.call(kinds, name))
      throw new Error(`there is no element '${name}'; there are ${Object.keys(kinds).join(', ')}`);
    const element = new PageElement(
      this,
      name,
      kinds[name],
      isMap(options) ? options : {},
      () => void this.#elements.delete(name),
    );
    this.#elements.set(name, element);
    return element;
  }

  get frames(): FramesDescription | undefined {
    return this.description.frames;
  }

  getElement(named: unknown): PageElement | null {
    const { named_by: member } = this.description;
    const name: unknown = member !== undefined && isFunction(named) ? Reflect.get(named, member) : named;
    return this.#elements.get(textOf(name)) ?? null;
  }

  pressed(element: PageElement | undefined): void {
    this.#pressed = element;
  }

  update(options: unknown): void {
    if (isMap(options)) Object.assign(this.options, options);
  }

  fetchUpdates(): Promise<object> {
    return Promise.resolve({});
  }

  /** Checks whether all required input is complete, and returns an error if it isn't. */
  submit(): Promise<Values> {
    const error = this.incomplete();
    return Promise.resolve(error ? { error } : {});
  }

  incomplete(like?: PageElement): Values | undefined {
    return this.alike(like)
      .map((each) => each.incomplete())
      .find((each) => each !== undefined);
  }

  /** Returns the values of the inputs: of all elements, or of those with the same parameter as one. */
  values(like?: PageElement): Values {
    const values: Values = {};
    for (const element of this.alike(like)) element.fill(values);
    return values;
  }

  alike(like?: PageElement): PageElement[] {
    const all = [...this.#elements.values()];
    if (!like) return this.#pressed ? [this.#pressed] : all;
    return [...new Set([like, ...all])].filter(({ kind }) => like.kind.stands_for === kind.stands_for);
  }
}

/** The inputs of one element. */
class PageElement {
  readonly #inputs = new Map<string, HTMLInputElement | HTMLSelectElement>();
  readonly #listeners = new Map<string, Set<(event: Values) => void>>();
  readonly #box = document.createElement('div');
  /** The element's content in the page: the inputs, or their frame. */
  #shown: HTMLElement = this.#box;

  constructor(
    readonly group: ElementGroup,
    readonly name: string,
    readonly kind: ElementKind,
    options: Values,
    private readonly forget: () => void,
  ) {
    this.#box.dataset['element'] = name;
    if (kind.line === true) this.#box.className = 'line';
    if (kind.tab !== undefined) this.#box.append(tabOf(kind.tab));
    for (const [input, about] of Object.entries(kind.inputs))
      if (about.unless === undefined || options[about.unless] !== true) this.#box.append(this.#labelled(input, about));
    for (const button of Object.values(kind.buttons ?? {})) this.#box.append(this.#button(button));
    this.update(options);
  }

  /** Inserts the inputs into an element of the page, given or found by a selector. */
  mount(target: unknown): void {
    const { frames } = this.group;
    const { frame = { title: `Secure ${this.name} frame`, address: this.name } } = this.kind;
    this.#shown = frames ? framed(this.#box, frames, frame.title, frame.address) : this.#box;
    placeFor(target, `element '${this.name}'`).replaceChildren(this.#shown);
    const ready = (): void => this.#emit('ready', { elementType: this.name, ...this.kind.ready });
    if (this.#shown === this.#box) queueMicrotask(ready);
    else this.#shown.addEventListener('load', ready);
  }

  unmount(): void {
    this.#shown.remove();
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
    const once = (payload: Values): void => {
      this.off(event, once);
      listener(payload);
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
    for (const [name, { fills }] of Object.entries(this.kind.inputs)) {
      const text = this.#text(name);
      if (text === '') continue;
      if (typeof fills === 'string') put(values, fills, text);
      else divided(text).forEach((part, i) => fills[i] !== undefined && put(values, fills[i], part));
    }
  }

  #text(name: string): string {
    return this.#inputs.get(name)?.value.trim() ?? '';
  }

  #labelled(name: string, about: InputDescription): HTMLElement {
    const input = this.#input(name, about);
    if (this.kind.line === true) {
      input.setAttribute('aria-label', about.label);
      return input;
    }
    const label = document.createElement('label');
    label.append(about.label, ' ', input);
    return label;
  }

  #input(name: string, about: InputDescription): HTMLElement {
    const input = document.createElement(about.options ? 'select' : 'input');
    input.name = about.name ?? name;
    if (this.group.frames) input.id = input.name; // A frame contains no other control, so the name is a unique id.
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
      input.addEventListener(event, () => this.#emit(event, { elementType: this.name }));
    return input;
  }

  #button({ label, events }: ButtonDescription): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.addEventListener('click', () => void this.#press(events));
    return button;
  }

  /** Sends the events of a button to the page, one after the other. */
  async #press(events: ButtonDescription['events']): Promise<void> {
    this.group.pressed(this);
    for (const { event, with: more = {}, waits, ignores = [] } of events) {
      const payload: Values = { elementType: this.name, ...more };
      for (const name of ignores) payload[name] = () => undefined;
      if (waits === undefined || !this.#listeners.get(event)?.size) this.#emit(event, payload);
      else await new Promise((resolve) => this.#emit(event, { ...payload, [waits]: resolve }));
    }
  }

  #changed(): void {
    this.group.pressed(undefined);
    const texts = [...this.#inputs.keys()].map((name) => this.#text(name));
    const value: Values = {};
    this.fill(value);
    const complete = this.incomplete() === undefined && texts.some((text) => text !== '');
    const empty = texts.every((text) => text === '');
    this.#emit('change', { elementType: this.name, complete, empty, error: undefined, value });
    this.group.changed();
  }

  #emit(event: string, payload: Values): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(payload);
  }
}

/** Creates the tab that shows a payment method, for a page with only one. */
function tabOf(value: string): HTMLElement {
  const tab = document.createElement('button');
  tab.type = 'button';
  tab.role = 'tab';
  tab.ariaSelected = 'true';
  tab.dataset['value'] = value;
  tab.dataset['testid'] = value;
  tab.textContent = value.charAt(0).toUpperCase() + value.slice(1);
  return tab;
}

/** Splits the text of several parameters: `12 / 34`, `12/2034` and `1234`. */
function divided(text: string): string[] {
  return /^\d{3,}$/.test(text) ? [text.slice(0, 2), text.slice(2)] : text.split(/\D+/).filter(Boolean);
}

/** Finds missing input of the elements among some values, and returns the error; undefined if all input is complete. */
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

/** Copies a value, and replaces elements in it with their input. */
function plain(value: unknown): unknown {
  if (value instanceof PageElement) return valueAt(value.group.values(value), value.kind.stands_for ?? '');
  if (value instanceof ElementGroup) return undefined;
  if (Array.isArray(value)) return value.map(plain);
  if (!isMap(value)) return value;
  const own = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
  return Object.values(value).reduce(
    (all: unknown, each) => (each instanceof PageElement ? merged(besides(each), all) : all),
    own,
  );
}

/** Returns further values of an element's inputs, such as a card's postal code. */
function besides(element: PageElement): Values {
  const values = element.group.values(element);
  const { kind } = element;
  for (const path of [kind.stands_for ?? '', ...Object.keys(kind.with ?? {})]) delete values[path];
  return values;
}
