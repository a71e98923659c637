import { copyOf, equal, type Frame, type Host, type Json, type JsonObject } from '../expression/index.js';
import type { RequestInfo, ResourceDef } from '../model/index.js';
import { type Pin, type Provenance, Row, type Timer, type Transaction, type World } from '../world/index.js';
import { snapshotOf } from './answer.js';
import { createEvent, makeEvent, previousAttributes, type Told } from './events.js';
import { BudgetExceeded, Failure } from './failure.js';
import { bindPins, keysBelow, pathsWithin } from './pins.js';
import {
  type EventProgram,
  frameOf,
  type ObjectExpression,
  type Program,
  type ResourceProgram,
  type Returned,
} from './program.js';
import type { Runtime } from './runtime.js';

/** What set the command off: decides where exogenous values are said to come from. */
export type Origin = 'call' | 'cause' | 'clock' | 'seed' | 'control';

/** A pin that holds for one call only (from a scenario). */
export interface CallPin {
  readonly resource: number;
  readonly path: string;
  readonly value: Json;
}

export interface CommandOptions {
  readonly name: string;
  readonly origin: Origin;
  readonly request: RequestInfo;
  readonly pins?: readonly CallPin[];
  readonly scenarioValues?: JsonObject;
}

/** An event that is in no collection, for one endpoint. */
export interface Addressed {
  readonly event: JsonObject;
  readonly endpoint: Row;
}

export interface Transition {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
}

const STEP_BUDGET = 1_000_000;
const DEPTH_BUDGET = 200;

/** One command while it runs: what expressions ask, and every way in which steps change the world. */
export class Command implements Host {
  readonly world: World;
  readonly transaction: Transaction;
  nowMs: number;
  now: Json;
  /** Events emitted so far, in order. */
  readonly events: Row[] = [];
  /** Events for one endpoint alone. */
  readonly addressed: Addressed[] = [];
  readonly transitions: Transition[] = [];
  /** Exogenous values that were decided in this command, with the object they belong to. */
  readonly exogenous: { readonly row: Row | null; readonly resource: number; readonly value: Provenance }[] = [];
  readonly magicValues: string[] = [];
  /** World time (ms) to which the clock moves once the command is committed. */
  advanceTo: number | null = null;
  /** Above zero: events are not marked as caused by the request. */
  internal = 0;
  /** No events come of what the command does. */
  silent = false;
  origin: Origin;
  /** What the events of this command have told of objects. */
  readonly told = new Map<Row, Told>();
  #steps = 0;
  #depth = 0;
  #immediate: Timer[] = [];
  /** Objects that are being made: what happens to them then is no change. */
  readonly #unborn = new Set<Row>();

  constructor(
    readonly runtime: Runtime,
    readonly options: CommandOptions,
  ) {
    this.world = runtime.world;
    this.origin = options.origin;
    this.nowMs = this.world.nowMs;
    this.now = this.world.now;
    this.transaction = this.world.begin();
  }

  get request(): RequestInfo {
    return this.options.request;
  }

  // What expressions ask

  lookupObject(resource: number, id: string): JsonObject | undefined {
    return this.world.row(resource, id)?.value;
  }

  findObjects(resource: number, where: readonly (readonly [string, Json])[], limit: number): readonly JsonObject[] {
    return this.runtime.findObjects(resource, where, limit);
  }

  countObjects(resource: number, where: readonly (readonly [string, Json])[]): number {
    return this.runtime.countObjects(resource, where);
  }

  answer(resource: number, object: JsonObject): Json {
    return this.runtime.resources[resource].answer().value(this, object);
  }

  subscribers(type: string): number {
    return this.runtime.subscribers(type);
  }

  undelivered(eventId: string): number {
    return this.runtime.undelivered(eventId);
  }

  randomInt(low: number, high: number): number {
    return this.world.random.integer(low, high);
  }

  randomString(length: number): string {
    return this.world.random.text(length);
  }

  hash(text: string, length: number): string {
    return this.world.stableText(text, length);
  }

  durationMs(name: string): number | null {
    return this.runtime.durationMs(name);
  }

  pinned(resource: number, id: string | null, path: string): Json {
    return this.pinFor(resource, id, path)?.value ?? null;
  }

  /** The pin that decides a path now, of this call or armed; its value may be null. */
  pinFor(resource: number, id: string | null, path: string): { readonly value: Json } | undefined {
    const { pins } = this.options;
    const called = pins?.find((pin) => pin.resource === resource && pin.path === path);
    const row = id === null ? null : (this.world.row(resource, id) ?? null);
    if (called) {
      this.decided(row, resource, { path, source: 'scenario', value: called.value });
      return called;
    }
    const pin = this.world.pins.find(resource, id, path, row?.value);
    if (pin === undefined) return undefined;
    this.decided(row, resource, { path, source: 'pin', value: pin.value });
    if (pin.once) this.transaction.write(this.world.pins, pin.id, undefined);
    return pin;
  }

  pinsWithin(resource: number, id: string | null, path: string): { keys: string[]; value: Json }[] {
    const { pins } = this.world;
    const called = (this.options.pins ?? []).filter((pin) => pin.resource === resource);
    if (pins.size === 0 && called.length === 0) return [];
    return pathsWithin([...pins.of(resource), ...called], path).flatMap((each) => {
      const pin = this.pinFor(resource, id, each);
      return pin ? [{ keys: keysBelow(path, each), value: pin.value }] : [];
    });
  }

  scenarioValue(name: string): Json {
    return this.options.scenarioValues?.[name] ?? null;
  }

  // What steps do

  /** The row of an object, or a holder of its value when it is in no collection. */
  holder(resource: number, value: Json): { readonly value: JsonObject } | null {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
    const object = value as JsonObject;
    const id = object['id'];
    return (typeof id === 'string' ? this.world.row(resource, id) : undefined) ?? { value: object };
  }

  /** Counts a step; a pack that never ends is a defect. */
  spend(): void {
    if (++this.#steps > STEP_BUDGET) throw new BudgetExceeded(`more than ${STEP_BUDGET} steps in one command`);
  }

  /** Runs a program one level deeper. */
  nested(program: Program, frame: Frame): Returned | undefined {
    if (++this.#depth > DEPTH_BUDGET) throw new BudgetExceeded(`flows and actions nest deeper than ${DEPTH_BUDGET}`);
    const result = program.run(frame, this);
    this.#depth--;
    return result;
  }

  /** A new id that no object of the resource has (objects may have been kept over a reset). */
  newId({ ids, index }: ResourceDef): string {
    for (;;) {
      const id = ids.make(this.world.random);
      if (this.world.row(index, id) === undefined) return id;
    }
  }

  /** Runs something and takes back all that it did: objects, events, timers, drawn randomness. What it gives stays. */
  dry<T>(run: () => T): T {
    const { world, transaction, advanceTo } = this;
    const mark = transaction.mark();
    const random = world.random.position;
    const told = new Map(this.told);
    const immediate = [...this.#immediate];
    const lists = [this.events, this.addressed, this.transitions, this.exogenous, this.magicValues];
    const lengths = lists.map((list) => list.length);
    try {
      return run();
    } finally {
      transaction.rollbackTo(mark);
      world.random.position = random;
      this.told.clear();
      for (const [row, value] of told) this.told.set(row, value);
      this.#immediate = immediate;
      lists.forEach((list, index) => (list.length = lengths[index]));
      this.advanceTo = advanceTo;
    }
  }

  /** Puts a new object into its collection, enters its machine's initial state and emits its events. */
  create(resource: ResourceProgram, value: JsonObject, silent = false): Row {
    const row = this.insert(resource, value);
    this.#unborn.add(row);
    if (resource.pinsAt.size > 0) bindPins(this, resource, row, 'created');
    const { machine, status } = resource.def;
    let outcome: ReturnType<NonNullable<typeof machine>['start']> | null = null;
    if (machine && status !== null) {
      outcome = machine.start((guard) => this.#guard(resource, row, guard, null));
      if (outcome.target !== row.value[status]) this.#setFirstStatus(resource, row, status, outcome.target);
      for (const action of outcome.actions) this.#act(resource, row, action, null);
      for (const state of outcome.entered) bindPins(this, resource, row, state);
    }
    this.#unborn.delete(row);
    if (!silent) this.#emitAll(resource.onCreated, row);
    if (outcome) {
      if (!silent) for (const state of outcome.entered) this.#emitAll(resource.onEnter.get(state) ?? [], row);
      this.#arm(resource, row, outcome.arm);
    }
    return row;
  }

  /** Puts an object into its collection silently (seeds): no events, no timers, no machine. */
  insert(resource: ResourceProgram, value: JsonObject): Row {
    const collection = this.world.collections[resource.index];
    const row = new Row(resource.index, String(value['id']), this.world.nextSeq(), collection.orderOf(value), value);
    this.transaction.create(collection, row);
    return row;
  }

  /** Takes an object out silently, with its timers. */
  remove(row: Row): void {
    const { machine, status } = this.runtime.resources[row.resource].def;
    if (machine && status !== null) {
      this.#disarm(
        this.runtime.resources[row.resource],
        row,
        machine.timersOf(String(row.value[status])).map((timer) => timer.trigger),
      );
    }
    this.transaction.delete(this.world.collections[row.resource], row);
  }

  /** Replaces an object's value; an equal value changes nothing. */
  replace(row: Row, value: JsonObject): void {
    if (!row.alive || equal(row.value, value)) return;
    this.transaction.replace(this.world.collections[row.resource], row, this.#touch(row, value));
  }

  /** Removes an object with its timers. */
  delete(resource: ResourceProgram, row: Row): void {
    if (!row.alive) return;
    this.remove(row);
    this.#emitAll(resource.onDeleted, row);
  }

  /**
   * Sends a trigger to an object's machine.
   * @throws Failure (the resource's refusal, else `wrong_state`) when the machine has no transition for it
   */
  send(resource: ResourceProgram, row: Row, trigger: string, payload: JsonObject): void {
    if (this.trySend(resource, row, trigger, payload)) return;
    const status = String(row.value[resource.def.status ?? ''] ?? '');
    const refusal = resource.refusals.get(trigger)?.();
    if (refusal) {
      const args = this.#evaluate(refusal.args, row, { type: trigger, ...payload });
      throw new Failure(refusal.error, args as JsonObject);
    }
    throw new Failure('wrong_state', { action: trigger, status, title: resource.def.title, id: row.id });
  }

  /** As `send`, but false when the machine has no transition for the trigger. */
  trySend(resource: ResourceProgram, row: Row, trigger: string, payload: JsonObject): boolean {
    const { machine, status } = resource.def;
    if (!machine || status === null || !row.alive) return false;
    const told: JsonObject = { type: trigger, ...payload };
    const from = String(row.value[status]);
    const outcome = machine.send(from, trigger, (guard) => this.#guard(resource, row, guard, told));
    if (outcome === undefined) return false;
    if (++this.#depth > DEPTH_BUDGET) throw new BudgetExceeded(`flows and actions nest deeper than ${DEPTH_BUDGET}`);
    this.spend();
    this.#disarm(resource, row, outcome.cancel);
    if (outcome.target !== from) this.#setStatus(resource, row, status, outcome.target);
    if (outcome.entered.length > 0) this.transitions.push({ id: row.id, from, to: outcome.target, trigger });
    for (const action of outcome.actions) this.#act(resource, row, action, told);
    for (const state of outcome.entered) {
      bindPins(this, resource, row, state);
      this.#emitAll(resource.onEnter.get(state) ?? [], row);
    }
    // An action may have moved the object on; then these timers belong to a state it has left.
    if (row.alive && row.value[status] === outcome.target) this.#arm(resource, row, outcome.arm);
    this.#depth--;
    return true;
  }

  /** Emits an event about an object; `snapshot` replaces the object's own. */
  emit(event: EventProgram, row: Row, snapshot?: Json): void {
    const { maker } = this.runtime;
    if (maker === null || this.silent) return;
    const resource = this.runtime.resources[row.resource];
    const last = this.told.get(row);
    const news = last?.value !== row.value;
    let previous: Json = null;
    if (event.tellsPrevious && snapshot === undefined) {
      if (!news && last.names.includes(event.name)) return;
      previous = previousAttributes(this, resource, row);
      if (previous === null) return;
    }
    const shown = snapshotOf(this, resource, row);
    const base = news ? (last?.value ?? this.transaction.originals.get(row)) : last.base;
    this.told.set(row, { value: row.value, shown, base, names: news ? [event.name] : [...last.names, event.name] });
    this.events.push(createEvent(this, maker, event.name, row, snapshot ?? shown, previous));
  }

  /** Makes an event for one endpoint alone; it is not stored. */
  address(event: EventProgram, row: Row, endpoint: Row, snapshot?: Json): void {
    const { maker } = this.runtime;
    if (maker === null || this.silent) return;
    const shown = snapshot ?? snapshotOf(this, this.runtime.resources[row.resource], row);
    this.addressed.push({ event: makeEvent(this, maker, event.name, row, shown, null), endpoint });
  }

  /** Remembers where a value from outside came from, for traces. */
  decided(row: Row | null, resource: number, value: Provenance): void {
    this.exogenous.push({ row, resource, value });
    if (row === null) return;
    const others = (row.provenance ?? []).filter((each) => each.path !== value.path);
    this.transaction.explain(row, [...others, value]);
  }

  /** Arms a pin. */
  pin(pin: Omit<Pin, 'seq'>): void {
    this.transaction.write(this.world.pins, pin.id, { ...pin, seq: this.world.nextSeq() });
  }

  /** Fires the timers that were armed with no time to wait, in order. */
  drain(): void {
    for (let timer = this.#immediate.shift(); timer !== undefined; timer = this.#immediate.shift()) {
      if (timer.alive) this.fire(timer);
    }
  }

  /** Lets a timer fire: its trigger goes to its object's machine. What follows was not caused by the request. */
  fire(timer: Timer): void {
    const resource = this.runtime.resources[timer.resource];
    const row = this.world.row(timer.resource, timer.id);
    this.transaction.disarm(this.world.collections[timer.resource], timer);
    if (row === undefined) return;
    this.internal++;
    this.trySend(resource, row, timer.trigger, {});
    this.internal--;
  }

  /** Arms the timers of the state an object is in, counted from `sinceMs`, without firing any (seeds). */
  armSilently(resource: ResourceProgram, row: Row, sinceMs: number): void {
    const { machine, status } = resource.def;
    if (!machine || status === null) return;
    const [nowMs, now] = [this.nowMs, this.now];
    this.nowMs = sinceMs;
    this.now = this.runtime.model.env.fromMs(sinceMs);
    for (const { delay, trigger } of machine.timersOf(String(row.value[status]))) {
      const wait = this.#delay(resource, row, delay);
      if (wait !== null) this.#addTimer(resource, row, trigger, sinceMs + wait);
    }
    this.nowMs = nowMs;
    this.now = now;
  }

  #guard(resource: ResourceProgram, row: Row, guard: string, trigger: JsonObject | null): boolean {
    const expression = resource.guards.get(guard);
    if (!expression) throw new Error(`guard '${guard}' was not linked`);
    return this.#evaluate(expression(), row, trigger) === true;
  }

  #act(resource: ResourceProgram, row: Row, action: string, trigger: JsonObject | null): void {
    const program = resource.actions.get(action)?.();
    if (!program) throw new Error(`action '${action}' was not linked`);
    const frame = frameOf(this, program.size);
    frame[program.slots['self']] = row;
    frame[program.slots['trigger']] = trigger;
    this.nested(program, frame);
  }

  #evaluate(expression: ObjectExpression, row: Row, trigger: JsonObject | null): Json {
    const frame = frameOf(this, expression.size);
    frame[expression.self] = row;
    if (expression.trigger > 0) frame[expression.trigger] = trigger;
    return expression.run(frame);
  }

  #setStatus(resource: ResourceProgram, row: Row, field: string, state: string): void {
    this.transaction.replace(
      this.world.collections[resource.index],
      row,
      this.#touch(row, withField(row.value, field, state)),
    );
  }

  /** An object's next value with its touched timestamps at now, if something else of it changes. One that is set stays as set. */
  #touch(row: Row, value: JsonObject): JsonObject {
    const { touched } = this.runtime.resources[row.resource].def;
    if (touched.length === 0 || this.origin === 'seed' || this.#unborn.has(row)) return value;
    const changed = (name: string): boolean => !equal(row.value[name] ?? null, value[name] ?? null);
    const names = new Set([...Object.keys(row.value), ...Object.keys(value)]);
    if (![...names].some((name) => !touched.includes(name) && changed(name))) return value;
    return touched.filter((name) => !changed(name)).reduce((made, name) => withField(made, name, this.now), value);
  }

  /** The object is so new that nothing has seen it yet: it is changed in place unless an index holds it. */
  #setFirstStatus(resource: ResourceProgram, row: Row, field: string, state: string): void {
    if (this.world.collections[resource.index].hasIndex(field)) this.#setStatus(resource, row, field, state);
    else (row.value as Record<string, Json>)[field] = state;
  }

  #emitAll(events: readonly EventProgram[], row: Row): void {
    for (const event of events) {
      if (event.when === null || this.#evaluate(event.when, row, null) === true) this.emit(event, row);
    }
  }

  /** How long (ms) a named delay is; null: it never ends. */
  #delay(resource: ResourceProgram, row: Row, name: string): number | null {
    const own = resource.delays.get(name);
    if (!own) return this.durationMs(name);
    const wait = this.#evaluate(own(), row, null);
    return typeof wait === 'number' ? Math.max(0, wait) : null;
  }

  #arm(
    resource: ResourceProgram,
    row: Row,
    timers: readonly { readonly delay: string; readonly trigger: string }[],
  ): void {
    for (const { delay, trigger } of timers) {
      const wait = this.#delay(resource, row, delay);
      if (wait === null) continue;
      const timer = this.#addTimer(resource, row, trigger, this.nowMs + wait);
      if (timer.due <= this.nowMs) this.#immediate.push(timer);
    }
  }

  #addTimer(resource: ResourceProgram, row: Row, trigger: string, due: number): Timer {
    const collection = this.world.collections[resource.index];
    const running = this.world.timers.find(resource.index, row.id, trigger);
    if (running) this.transaction.disarm(collection, running);
    const timer: Timer = { resource: resource.index, id: row.id, trigger, due, seq: this.world.nextSeq(), alive: true };
    this.transaction.arm(collection, timer);
    return timer;
  }

  #disarm(resource: ResourceProgram, row: Row, triggers: readonly string[]): void {
    for (const trigger of triggers) {
      const timer = this.world.timers.find(resource.index, row.id, trigger);
      if (timer) this.transaction.disarm(this.world.collections[resource.index], timer);
    }
  }
}

function withField(value: JsonObject, field: string, to: Json): JsonObject {
  const made = copyOf(value);
  made[field] = to;
  return made;
}
