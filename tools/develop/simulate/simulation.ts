import type { SimulationStep, Broken, StoryWorld } from './story.js';
import type { Operation } from '../../../engine/program/index.js';
import { isList, isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import { ControlClient, createSandbox, PackCache, type Sandbox } from '../../../engine/index.js';
import type { Send } from '../../../engine/control/client.cjs';
import { findPack } from '../../command/installation.js';
import { anyCause } from './cause.js';
import { Dice, seedFrom } from './dice.js';
import { DeclaredCalls, operationOf, wrongCalls } from './declared.js';
import { formOf } from './form.js';
import type { Kit, SimulatedCall } from './kit.js';
import {
  deliveriesBroken,
  eventsBroken,
  eventInstantMs,
  leaksBroken,
  newsBroken,
  orderBroken,
  timersBroken,
} from './laws.js';
import { Receivers } from './receivers.js';
import { textField, ObservedWorld } from './view.js';

/** Key and random seed of all simulated worlds. */
export const [KEY, SEED] = ['sk_test_simulation', 'simulation'];
/** Number of actions that a step tries before it does nothing. */
const TRIES = 6;
/** Percentage of calls generated from declarations, and of calls of actions with additional parameters. */
const [DECLARED, MORE] = [25, 25];
const RECEIVERS = ['/first', '/second', '/third'];
/** Path of the receiver that gets the events of all tenants. */
const TENANTS = '/tenants';
const SHAPE = 'bodies have the shape that clients expect';
/** Percentage of calls made in a tenant, if there is one. */
const IN_TENANTS = 45;

/** A subscribed receiver: its path, the index of its first event, and whether it receives events of all tenants or of objects without a tenant. */
interface Listening {
  readonly path: string;
  readonly from: number;
  readonly ofTenants: boolean;
}

/** Plays random stories with a vendor, its receivers and its clock, one after another. */
export class Simulation implements StoryWorld {
  readonly #defects: string[] = [];
  /** Number of responses by class of status, such as `2xx`. */
  readonly counts: Record<string, number> = {};
  /** Number of calls and of successful calls by operation. */
  readonly calls = new Map<string, { made: number; succeeded: number }>();
  #seed = 0;
  /** Ids of events that were checked already. */
  readonly #reported = new Set<string>();
  readonly #endpoints = new Map<string, Listening>();
  /** Ids of tenants whose initial calls were made. */
  readonly #arranged = new Set<string>();

  private constructor(
    readonly kit: Kit,
    private readonly sandbox: Sandbox,
    private readonly receivers: Receivers,
    private readonly control: ControlClient,
  ) {}

  /** Starts a sandbox and receivers. @param send sends control calls; the client's own function by default */
  static async open(kit: Kit, send?: Send): Promise<Simulation> {
    const receivers = await Receivers.start();
    // The sandbox takes `onDefect` before the simulation exists, so the callback is replaced below.
    let report = (_what: string): void => undefined;
    const sandbox = await createSandbox({
      pack: await findPack(kit.pack),
      cache: PackCache.ofInstallation(),
      key: KEY,
      seed: SEED,
      t0: kit.t0,
      traceLimit: 10,
      ledgerLimit: 10,
      onDefect: (error, what) => report(`${what}: ${error instanceof Error ? error.message : String(error)}`),
    });
    const control = send === undefined ? sandbox.control : new ControlClient(sandbox.url, sandbox.key, send);
    const simulation = new Simulation(kit, sandbox, receivers, control);
    report = (what) => void simulation.#defects.push(what);
    return simulation;
  }

  get name(): string {
    return this.kit.pack;
  }

  /** Base URL of the webhook receivers. */
  get receiversUrl(): string {
    return this.receivers.url;
  }

  async close(): Promise<void> {
    await this.sandbox.close();
    await this.receivers.stop();
  }

  /** Starts a story in an empty world. */
  async begin(seed: number): Promise<void> {
    this.#seed = seed;
    this.#reported.clear();
    this.#endpoints.clear();
    this.#arranged.clear();
    this.#defects.length = 0;
    await this.control.reset({ t0: this.kit.t0 });
    this.receivers.begin(seed);
    await this.#register(RECEIVERS[0]);
    for (const made of this.kit.beginning) await this.#call(made);
    if (this.kit.tenants) {
      const { id } = (await this.#call(this.kit.tenants.endpoint(`${this.receivers.url}${TENANTS}`))).response;
      this.#endpoints.set(String(id), { path: TENANTS, from: 0, ofTenants: true });
    }
  }

  /** Takes a step, which depends on the seed, its number, and the world's objects. */
  async step(number: number): Promise<SimulationStep> {
    const dice = new Dice(seedFrom(this.#seed, 'step', number));
    const { said, broken } = await this.#do(dice);
    await this.control.flush();
    return { said, broken: [...broken, ...this.#brokenLaws()] };
  }

  /** Lets receivers accept everything and advances the clock, so that all events are delivered. */
  async end(): Promise<SimulationStep> {
    const misshapen: Broken[] = [];
    for (const path of this.kit.lists) misshapen.push(...(await this.#readAll(path)));
    this.receivers.relent();
    await this.control.advance('4d');
    await this.control.flush();
    // Events to an endpoint with a changed URL reach no receiver.
    const isOurs = (endpoint: string, url: string | null): boolean =>
      this.#endpoints.has(endpoint) && url?.startsWith(this.receivers.url) === true;
    const pending = this.sandbox.outbox
      .list({ limit: 100_000 })
      .filter(({ endpoint, url, status }) => isOurs(endpoint, url) && status === 'pending')
      .map(({ event, url }) => ({ law: 'everything is delivered in the end', what: `${event} to ${String(url)}` }));
    return {
      said: 'receivers accept everything, 4 days pass',
      broken: [...misshapen, ...this.#brokenLaws(), ...pending],
    };
  }

  /** Makes calls with wrong values of every parameter of some operations; returns violated invariants. */
  async wrong(some: (operations: readonly Operation[]) => readonly Operation[]): Promise<readonly Broken[]> {
    const view = this.#view();
    return this.#callAll(wrongCalls(view, some(view.operations)));
  }

  /** Calls every operation with declared parameters in several rounds, with deletes in the last one; returns violated invariants. */
  async declared(rounds: number): Promise<readonly Broken[]> {
    const dice = new Dice(seedFrom(this.#seed, 'declared'));
    const view = (): ObservedWorld => this.#view();
    const { declared } = this.kit;
    function* calls(): Iterable<SimulatedCall | null> {
      for (let round = 1; round <= rounds; round++)
        for (const operation of dice.shuffled(view().operations))
          if (operation.kind !== 'delete' || round === rounds)
            yield new DeclaredCalls(dice, view(), declared).of(operation);
    }
    return this.#callAll(calls());
  }

  async #callAll(calls: Iterable<SimulatedCall | null>): Promise<readonly Broken[]> {
    const broken: Broken[] = [];
    for (const made of calls) {
      if (!made) continue;
      broken.push(...(await this.#call(made)).broken);
      for (const what of this.#defects.splice(0)) broken.push({ law: 'no defect', what: `${made.path}: ${what}` });
    }
    return broken;
  }

  /** Advances the clock in steps; returns the final state. */
  async pass(moves: readonly string[]): Promise<unknown> {
    for (const move of moves) await this.control.advance(move);
    return this.control.state();
  }

  print(): number {
    return printOf([this.sandbox]);
  }

  async #do(dice: Dice): Promise<SimulationStep> {
    const way = dice.below(100);
    if (way < 14) return this.#advance(dice.one(this.kit.moves));
    if (way < 24) return anyCause(this.control, dice);
    if (way < 29) return this.#receiver(dice);
    if (way < 33) return this.#decide(dice);
    const view = this.#view().of(this.#tenant(dice));
    const declared = new DeclaredCalls(dice, view, this.kit.declared);
    const kind = dice.below(100);
    for (let tries = 0; tries < TRIES; tries++) {
      const usual = kind < DECLARED ? declared.any() : dice.weighted(this.kit.actions).make(dice, view);
      const made = usual && kind >= DECLARED && kind < DECLARED + MORE ? (declared.more(usual) ?? usual) : usual;
      if (made) return this.#call(made, view.tenant);
    }
    return { said: 'nothing', broken: [] };
  }

  /** Chooses the tenant of the next call; null for none. */
  #tenant(dice: Dice): string | null {
    const { tenants } = this.kit;
    const ids = tenants?.ids(this.#view()) ?? [];
    return ids.length > 0 && dice.chance(IN_TENANTS) ? dice.one(ids) : null;
  }

  /** Makes the initial calls in new tenants. */
  async #arrange(): Promise<void> {
    const { tenants, beginning } = this.kit;
    for (const id of tenants?.ids(this.#view()) ?? []) {
      if (this.#arranged.has(id)) continue;
      this.#arranged.add(id);
      for (const [cause, params] of tenants?.causes(id) ?? []) await this.control.event(cause, params);
      for (const made of beginning) await this.#call(made, id);
    }
  }

  async #advance(move: string): Promise<SimulationStep> {
    const { failed_total: failed, failed: which } = await this.control.advance(move);
    const broken = failed ? [{ law: 'no timer fails', what: JSON.stringify(which).slice(0, 600) }] : [];
    return { said: `the clock moves by ${move}`, broken };
  }

  async #receiver(dice: Dice): Promise<SimulationStep> {
    const path = dice.one(this.kit.tenants ? [...RECEIVERS, TENANTS] : RECEIVERS);
    const known = [...this.#endpoints.values()].some((each) => each.path === path);
    if (!known) {
      await this.#register(path);
      return { said: `${path} is registered`, broken: [] };
    }
    const isUp = dice.chance(70);
    this.receivers.set(path, isUp);
    return { said: `the receiver at ${path} ${isUp ? 'starts' : 'stops'}`, broken: [] };
  }

  /** Changes a duration or an override, at random. */
  async #decide(dice: Dice): Promise<SimulationStep> {
    const { control } = this;
    const { durations, pins } = this.kit;
    if (dice.chance(50)) {
      const [name, lengths] = dice.one(Object.entries(durations));
      const length = dice.one([...lengths, null]);
      await control.durations({ [name]: length });
      return { said: `${name} takes ${length ?? 'its time'}`, broken: [] };
    }
    const { resource, path, values } = dice.one(pins);
    const { data } = (await control.call('GET', '/exogenous/pins')) as {
      readonly data: readonly { readonly id: string }[];
    };
    for (const { id } of data) await control.unpin(id);
    if (dice.chance(40)) return { said: 'nothing is pinned', broken: [] };
    const value = dice.one(values);
    await control.pin({ resource, path, value });
    return { said: `${resource} ${path} is ${JSON.stringify(value)}`, broken: [] };
  }

  async #register(path: string): Promise<void> {
    const { id } = await this.control.endpoint({ url: `${this.receivers.url}${path}`, events: ['*'] });
    if (typeof id === 'string') this.#endpoints.set(id, { path, from: this.#events(false).length, ofTenants: false });
  }

  async #call(
    { method, path, body }: SimulatedCall,
    tenant: string | null = null,
  ): Promise<SimulationStep & { readonly response: JsonObject }> {
    const { world } = this.sandbox.engine;
    const before = world.ledger.count;
    const isForm = this.kit.requests === 'form';
    const response = await fetch(`${this.sandbox.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${KEY}`,
        ...(tenant === null || !this.kit.tenants ? {} : { [this.kit.tenants.header]: tenant }),
        ...(body ? { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' } : {}),
      },
      body: !body ? undefined : isForm ? formOf(body) : JSON.stringify(body),
    });
    const { status } = response;
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const text = await response.text();
    const hundred = `${Math.floor(status / 100)}xx`;
    this.counts[hundred] = (this.counts[hundred] ?? 0) + 1;
    this.#count(operationOf(this.#view(), method, path), status < 300);
    const given = !body ? '' : isForm ? decodeURIComponent(formOf(body)) : JSON.stringify(body);
    const said = `${tenant === null ? '' : `${tenant}: `}${method} ${path} ${given} -> ${status}`;
    const broken: Broken[] = [];
    if (status >= 500) broken.push({ law: 'no call fails', what: `${said} ${text.slice(0, 300)}` });
    if (status >= 400 && !this.kit.keeps.includes(status) && world.ledger.count !== before)
      broken.push({ law: 'what is refused changes nothing', what: said });
    if (method === 'GET' && world.ledger.count !== before && !this.kit.decides(path))
      broken.push({ law: 'a read changes nothing', what: said });
    if (text !== '' && status < 500 && isJson) {
      const body = JSON.parse(text) as Json;
      for (const what of this.kit.shape(path, body)) broken.push({ law: SHAPE, what: `${said}: ${what}` });
    }
    await this.#arrange();
    return { said, broken, response: status < 300 && isJson ? (JSON.parse(text) as JsonObject) : {} };
  }

  #count(operation: Operation | undefined, succeeded: boolean): void {
    if (!operation) return;
    const counted = this.calls.get(operation.key) ?? { made: 0, succeeded: 0 };
    this.calls.set(operation.key, counted);
    counted.made++;
    if (succeeded) counted.succeeded++;
  }

  /** Reads all pages of a list, and returns violated invariants. */
  async #readAll(path: string): Promise<Broken[]> {
    const broken: Broken[] = [];
    for (let after: string | null = ''; after !== null;) {
      const page: string = after === '' ? '' : `&starting_after=${after}`;
      const { broken: more, response } = await this.#call({ method: 'GET', path: `${path}limit=100${page}` });
      broken.push(...more);
      const { data, has_more: hasMore } = response;
      after = hasMore === true && isList(data) ? textField(data.filter(isObject).at(-1), 'id') : null;
    }
    return broken;
  }

  #brokenLaws(): Broken[] {
    const { kit, sandbox, receivers } = this;
    const view = this.#view();
    const ofNone = this.#events(false);
    const ofTenants = this.#events(true);
    const fresh = [...ofNone, ...ofTenants].filter((event) => !this.#reported.has(textField(event, 'id')));
    for (const event of fresh) this.#reported.add(textField(event, 'id'));
    const steady = this.#steady(view);
    const those = (wanted: boolean) => new Map([...steady].filter(([, each]) => each.ofTenants === wanted));
    const views = [view, ...view.living.map((tenant) => view.of(tenant))];
    const found: [string, Iterable<string>][] = [
      ['no defect', this.#defects.splice(0)],
      ['timers live', timersBroken(sandbox)],
      ['events tell the states that were', eventsBroken(kit, fresh)],
      ['events are in order', orderBroken(ofNone, eventInstantMs)],
      ['events are in order', orderBroken(ofTenants, eventInstantMs)],
      ['every event is delivered once and in order', deliveriesBroken(sandbox, receivers, ofNone, those(false))],
      ['every event is delivered once and in order', deliveriesBroken(sandbox, receivers, ofTenants, those(true))],
      ['objects name what is theirs', leaksBroken(sandbox, kit)],
      ...views.flatMap((each): [string, Iterable<string>][] => [
        ['the newest event tells what is', newsBroken(sandbox, kit, each, this.#eventsOf(each))],
        ...kit.laws.map((law): [string, Iterable<string>] => [law.name, law.broken(each)]),
      ]),
    ];
    return found.flatMap(([law, whats]) => [...whats].slice(0, 3).map((what) => ({ law, what })));
  }

  /** Returns the endpoints that still receive events, and forgets all others. */
  #steady(view: ObservedWorld): ReadonlyMap<string, Listening> {
    const { endpoints } = this.sandbox.engine.runtime;
    for (const id of this.#endpoints.keys()) {
      const endpoint = endpoints?.resources.map(({ name }) => view.get(name, id)).find((each) => each !== undefined);
      if (!endpoint || !this.kit.receives(endpoint)) this.#endpoints.delete(id);
    }
    return this.#endpoints;
  }

  /** Returns the events of all tenants, or of objects without a tenant, in order. */
  #events(ofTenants: boolean): readonly JsonObject[] {
    const { engine } = this.sandbox;
    const index = engine.pack.eventMaker?.resource.index;
    if (index === undefined) return [];
    const rows = engine.world.tenants.rows(index).filter(({ tenant }) => (tenant !== null) === ofTenants);
    // Events are only ordered within one tenant.
    const inOrder = ofTenants ? [...rows].sort((a, b) => a.seq - b.seq) : rows;
    return inOrder.map(({ value }) => value).filter((event) => textField(event, 'id') !== '');
  }

  #eventsOf(view: ObservedWorld): readonly JsonObject[] {
    const events = this.sandbox.engine.pack.eventMaker?.resource.def.name;
    return events === undefined ? [] : view.all(events);
  }

  #view(): ObservedWorld {
    return new ObservedWorld(this.sandbox);
  }
}

/** Hashes the state of worlds. */
export function printOf(parts: Iterable<Pick<Sandbox, 'engine'>>): number {
  return seedFrom(
    ...[...parts].flatMap(({ engine: { model, world } }) =>
      model.resources.map(({ index }) => JSON.stringify(world.tenants.rows(index).map(({ value }) => value))),
    ),
  );
}
