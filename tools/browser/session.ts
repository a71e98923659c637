/**
 * An API object with its own elements and actions, which the page uses through methods. The page sees the object as the method `again` returns it;
 * every action retrieves it again.
 */
class Session {
  readonly #group: ElementGroup;
  readonly #listeners = new Map<string, Set<(event: unknown) => void>>();
  readonly #loaded: Promise<Values>;
  #seen: Values = {};

  constructor(
    private readonly about: SessionDescription,
    private readonly call: (method: MethodDescription, given: readonly unknown[], named: Values) => Promise<unknown>,
    elements: ElementsDescription,
    again: MethodDescription,
    options: Values,
  ) {
    const { elementsOptions } = options;
    this.#group = new ElementGroup(elements, isMap(elementsOptions) ? elementsOptions : {});
    this.#group.changed = () => this.#emit();
    const given = about.id.map((source) => valueAt(options, source)).find((each) => each !== undefined);
    this.#loaded = (async () => {
      const id = await (isFunction(given) ? given() : given);
      return this.#result(await this.call(again, [id], {}), {});
    })();
  }

  /** Creates the object for the page, also as a promise of its loaded state. */
  object(): Values {
    const { about } = this;
    const object: Values = { on: (event: string, listener: (event: unknown) => void) => this.#on(event, listener) };
    for (const [name, kind] of Object.entries(about.elements))
      object[name] = (options: unknown) => this.#group.create(kind, options);
    object['getElement'] = (name: unknown) => this.#group.getElement(name);
    object['changeAppearance'] = () => undefined;
    const loaded = async (): Promise<Values> => {
      const outcome = await this.#loaded;
      return 'error' in outcome ? outcome : { type: 'success', actions: this.#actions() };
    };
    object[about.loads] = loaded;
    const then = async (): Promise<Values> => {
      const outcome = await loaded();
      if ('error' in outcome) throw Object.assign(new Error(), outcome['error']);
      return { ...object, ...this.#actions(), session: () => this.#shown() };
    };
    return { ...object, then: (ok: () => unknown, failed: () => unknown) => then().then(ok, failed) };
  }

  #actions(): Values {
    const actions: Values = { [this.about.shows]: () => this.#shown() };
    for (const [name, method] of Object.entries(this.about.actions))
      actions[name] = async (...given: unknown[]) => {
        // Passes the elements only to calls that send them, because a call with incomplete elements is rejected.
        const sendsElements = method.sends.some(({ from }) => from.some((source) => source.startsWith('elements.')));
        const named = { session: this.#seen, ...(sendsElements ? { elements: this.#group } : {}) };
        return this.#result(await this.call(method, given, named), method);
      };
    return actions;
  }

  /** Converts the result of an action for the page, and stores the object's new state. */
  #result(outcome: unknown, { gives = null }: Partial<MethodDescription>): Values {
    if (!isMap(outcome) || 'error' in outcome) return { type: 'error', error: isMap(outcome) ? outcome['error'] : {} };
    const seen = valueAt(outcome, gives ?? this.about.gives);
    if (isMap(seen)) this.#seen = seen;
    this.#emit();
    return { type: 'success', [this.about.gives]: this.#shown() };
  }

  #shown(): Values {
    const { may } = this.about;
    const isComplete = this.#group.incomplete() === undefined;
    return may === null ? this.#seen : { ...this.#seen, [may]: this.#seen[may] === true && isComplete };
  }

  #on(event: string, listener: (event: unknown) => void): void {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(listener));
  }

  #emit(): void {
    for (const listener of this.#listeners.get('change') ?? []) listener(this.#shown());
  }
}
