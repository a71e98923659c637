import { type Json, type JsonObject, openBudget } from '../values/index.js';
import type { IdFormat, RequestInfo, ResourceDef, Sequence } from '../model/index.js';
import { type EntryOrigin, type Pin, Row, type UnsupportedKind, type UnsupportedUse } from '../world/index.js';
import { LIMITS } from '../limits.js';
import {
  BudgetExceeded,
  Edits,
  type EventProgram,
  type Execution,
  Rejection,
  type ResourceProgram,
} from '../program/index.js';
import type { CoveredPath } from './coverage.js';
import { type CommandOptions, ReadContext } from './read-context.js';
import type { Runtime } from './runtime.js';
import { Waits } from './waits.js';

export interface RowTransition {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
}

/** An object as the newest event of the command shows it. */
interface Emitted {
  /** The object's value at the newest event. */
  readonly value: JsonObject;
  /** The snapshot in the event; null if it isn't computed yet and depends only on the object's value. */
  readonly shown: JsonObject | null;
  /** The object's value before the change; undefined if the object was new. */
  readonly base: JsonObject | undefined;
  /** Names of the command's events that show the object with this value. */
  readonly names: readonly string[];
}

/** An event that is delivered to a single endpoint only. */
export interface Addressed {
  readonly event: JsonObject;
  /** The event's object; null if the event isn't stored in a collection. */
  readonly row: Row | null;
  readonly endpoint: Row;
}

/** The time and the causing request that the events of one command contain. */
interface EventFacts extends JsonObject {
  readonly now: Json;
  readonly id: string | null;
  /** Idempotency key of the causing request; null: none. */
  readonly key: string | null;
}

const STEP_BUDGET = LIMITS.commandSteps.value;
const DEPTH_BUDGET = LIMITS.commandDepth.value;

/** The state of one command, and its changes of single objects: `CommandExecution` adds machines and events. */
export abstract class Command extends ReadContext implements Execution {
  /** Events that the command has emitted, in order. */
  readonly events: Row[] = [];
  /** Events for a single endpoint that the command has emitted. */
  readonly addressed: Addressed[] = [];
  readonly transitions: RowTransition[] = [];
  readonly magicValues: string[] = [];
  /** Uses, in the call, of features that the pack doesn't emulate; null: none. */
  unsupportedUses: UnsupportedUse[] | null = null;
  /** Delay of the response, in milliseconds of real time. */
  delayMs = 0;
  /** Transitions of machines in the command, for coverage. */
  readonly ways: CoveredPath[] = [];
  readonly eventNames: string[] = [];
  /** Simulated time (ms) to which the clock advances once the command is committed. */
  advanceTo: number | null = null;
  /** The time owner whose clock advances; null: the world's. */
  advanceOf: string | null = null;
  /** Depth of steps that the engine itself runs (timers): above zero, events don't name the request as their cause. */
  internal = 0;
  /** Whether the command's changes emit no events. */
  silent = false;
  origin: EntryOrigin;
  /** For each object in the command's events, how the newest of them shows it. */
  readonly emitted = new Map<Row, Emitted>();
  /** Sets and cancels the command's timers. */
  readonly waits = new Waits(this);
  #steps = 0;
  #depth = 0;
  #facts: EventFacts | null = null;
  /** The last id that `drawId` returned; null once an object has it. */
  #newest: { readonly id: string; readonly bits: number } | null = null;
  /** Objects that the command is creating: setting their fields counts as part of the creation, not as a change. */
  protected readonly constructing: Row[] = [];

  constructor(runtime: Runtime, options: CommandOptions) {
    super(runtime, options);
    this.origin = options.origin;
  }

  abstract call(operation: string, given: Json, headers: JsonObject | null): JsonObject;
  abstract create(resource: ResourceDef, value: JsonObject, silent?: boolean): Row;
  abstract delete(resource: ResourceDef, row: Row): void;
  abstract move(resource: ResourceDef, row: Row, id: string): void;
  abstract send(resource: ResourceDef, row: Row, trigger: string, payload: JsonObject): void;
  abstract trySend(resource: ResourceDef, row: Row, trigger: string, payload: JsonObject): boolean;
  abstract emit(event: EventProgram, row: Row, given?: Json): Row | null;
  abstract emitUpdated(row: Row): void;
  abstract address(event: EventProgram, row: Row, endpoint: Row, given?: Json, stored?: boolean): Row | null;

  /** Returns the row of an object, by its id; for a value without a row, an object that contains only the value. */
  holder(resource: number, value: Json): { readonly value: JsonObject } | null {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
    const object = value as JsonObject;
    const id = object['id'];
    return (typeof id === 'string' ? this.#rowOf(resource, id) : undefined) ?? { value: object };
  }

  /** Finds an object of the current tenant, else of any tenant. */
  #rowOf(resource: number, id: string): Row | undefined {
    return this.row(resource, id) ?? this.world.tenants.find(resource, id);
  }

  /** The time and request for events written on first read; events with equal times and requests share the object. */
  get factsOfEvents(): EventFacts {
    const { now, internal, request } = this;
    const [id, key] = internal > 0 ? [null, null] : [request.id, request.idempotency_key];
    const last = this.#facts;
    if (last !== null && last.now === now && last.id === id && last.key === key) return last;
    return (this.#facts = { now, id, key });
  }

  /** Restarts the count of steps, for seed data, in which the budget applies to each object. */
  beginCount(): void {
    this.#steps = 0;
    openBudget();
  }

  /** Counts steps of the pack. @throws BudgetExceeded */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > STEP_BUDGET) throw new BudgetExceeded(`more than ${STEP_BUDGET} steps in one command`);
  }

  /** Increases the nesting depth of steps until `leave`. @throws BudgetExceeded if it is too deep */
  enter(): void {
    if (++this.#depth > DEPTH_BUDGET) throw new BudgetExceeded(`flows and actions nest deeper than ${DEPTH_BUDGET}`);
  }

  leave(): void {
    this.#depth--;
  }

  /** Returns a new id that no object of the resource has or had. @param kind selects its prefix */
  newId({ ids, index }: ResourceDef, kind?: Json): string {
    const collection = this.collection(index);
    const maker = ids.kinds?.get(String(kind)) ?? ids;
    for (let nth = collection.ever; ; nth++) {
      const id = maker.make(this.ids, nth, this.tenant, this.nowMs);
      if (collection.isFree(id, ids.randomBits)) return id;
    }
  }

  protected override drawId(format: IdFormat): string {
    const id = super.drawId(format);
    this.#newest = { id, bits: format.randomBits };
    return id;
  }

  /**
   * Checks an id that the pack chose; skips the look-up for one that was just drawn.
   * @throws Rejection if the id doesn't match the resource's format, or an object has it
   */
  ownId({ ids, index, title, name }: ResourceDef, id: string): string {
    if (!ids.pattern.test(id)) throw new Rejection('id_invalid', { id, title, resource: name, param: 'id', value: id });
    if (!this.#isNew(id, index) && this.row(index, id) !== undefined)
      throw new Rejection('id_taken', { id, title, resource: name, param: 'id', value: id });
    return id;
  }

  /** Whether an id was the last one drawn, and has so many random bits that no object can have it. */
  #isNew(id: string, resource: number): boolean {
    if (this.#newest?.id !== id) return false;
    const { bits } = this.#newest;
    this.#newest = null;
    return this.collection(resource).isFree(id, bits);
  }

  /** Runs a function, rolls back its effects (objects, events, timers, drawn random numbers), and returns its result. */
  dry<T>(run: () => T): T {
    const takeBack = this.remembered();
    const { position } = this.ids;
    try {
      return run();
    } finally {
      takeBack();
      this.ids.position = position;
    }
  }

  /** Saves the command's state. @returns a function that rolls back everything the command did since */
  remembered(): () => void {
    const { transaction, advanceTo } = this;
    const mark = transaction.mark();
    const emitted = new Map(this.emitted);
    const immediate = [...this.waits.immediate];
    const lists = [
      this.events,
      this.addressed,
      this.transitions,
      this.exogenous,
      this.magicValues,
      this.ways,
      this.eventNames,
    ];
    const lengths = lists.map((list) => list.length);
    return () => {
      transaction.rollbackTo(mark);
      this.emitted.clear();
      for (const [row, value] of emitted) this.emitted.set(row, value);
      this.waits.restore(immediate);
      lists.forEach((list, index) => (list.length = lengths[index]));
      this.advanceTo = advanceTo;
    };
  }

  /**
   * Runs an inner call with a request of its own; afterwards restores the command's delay, depth and clock, even if the call
   * throws.
   */
  during<T>(request: RequestInfo, run: () => T): T {
    const { inner, delayMs, internal, line } = this;
    const depth = this.#depth;
    this.inner = request;
    try {
      return run();
    } finally {
      this.inner = inner;
      this.delayMs = delayMs;
      this.internal = internal;
      this.#depth = depth;
      if (line !== this.line) this.enterLine(line);
    }
  }

  /** Adds an object to its collection without events, timers or transitions, as for seed data. */
  insert(resource: ResourceProgram, value: JsonObject): Row {
    const { index } = resource;
    const collection = this.collection(index);
    const id = String(value['id']);
    const row = new Row(collection, id, this.world.nextSeq(), collection.orderOf(value), value);
    this.transaction.create(collection, row);
    for (const sequence of resource.def.sequences) this.#count(sequence, value);
    return row;
  }

  /** Returns the next number of a sequence within a parent object. */
  nextNumber(sequence: Sequence, parent: Json): number {
    return (this.world.sequences.get(this.#keyOf(sequence, parent)) ?? 0) + 1;
  }

  /** Raises a sequence's last number to that of an inserted object, so that later objects get higher numbers. */
  #count(sequence: Sequence, value: JsonObject): void {
    const number = value[sequence.field];
    const parent = value[sequence.per] ?? null;
    if (typeof number === 'number' && number >= this.nextNumber(sequence, parent))
      this.transaction.write(this.world.sequences, this.#keyOf(sequence, parent), number);
  }

  #keyOf({ of }: Sequence, parent: Json): string {
    return JSON.stringify([of, this.tenant, parent]);
  }

  /** Removes an object and its timers without events. */
  remove(row: Row): void {
    this.waits.disarm(
      row,
      row.timers.map(({ trigger }) => trigger),
    );
    this.transaction.delete(this.world.collectionOf(row), row);
    if (row.resource === this.runtime.tenantResource) this.#stopTimers(row.id);
  }

  /** Cancels the timers of all objects of a removed tenant. */
  #stopTimers(tenant: string): void {
    for (const collection of this.world.tenants.of(tenant))
      for (const { timers } of collection.ordered().all()) for (const timer of timers) this.transaction.disarm(timer);
  }

  /** Replaces an object's value; does nothing if it is equal. */
  replace(row: Row, value: JsonObject): void {
    const edits = new Edits(row.value);
    for (const name of Object.keys(value)) edits.set(name, value[name]);
    for (const name of Object.keys(row.value)) if (!Object.hasOwn(value, name)) edits.set(name, null);
    this.change(row, edits);
  }

  /** Sets fields of an object; equal values change nothing. */
  change(row: Row, edits: Edits): void {
    if (!row.alive) return;
    edits.prune();
    if (edits.names.length > 0) this.put(row, edits);
  }

  protected put(row: Row, edits: Edits): void {
    this.#touch(row, edits);
    const { names, values } = edits;
    const made = this.runtime.resources[row.resource].shape().copy(row.value);
    for (let at = 0; at < names.length; at++) made[names[at]] = values[at];
    const collection = this.world.collectionOf(row);
    this.transaction.replace(collection, row, made, names);
  }

  /** Sets timestamps such as `updated_at` to now if another field of the object changes, unless the edits set them. */
  #touch(row: Row, edits: Edits): void {
    const { touched } = this.runtime.resources[row.resource].def;
    if (touched.length === 0 || this.origin === 'seed' || this.constructing.includes(row)) return;
    if (edits.names.every((name) => touched.includes(name))) return;
    for (const name of touched) if (!edits.names.includes(name)) edits.set(name, this.now);
  }

  /** Overrides a value of an object that otherwise comes from outside. */
  pin(row: Row, path: string, value: Json, once: boolean): void {
    const id = `pin_${this.randomString(16)}`;
    const whose = this.runtime.tenantResource < 0 ? {} : { tenant: row.tenant };
    this.armPin({ id, resource: row.resource, object: row.id, ...whose, path, value, once });
  }

  /** Sets a pin for one object, or for all objects of a resource. */
  armPin({ resource, ...pin }: Omit<Pin, 'seq' | 'collection'> & { readonly resource: number }): void {
    const collection = this.world.collections[resource].config.name;
    this.transaction.write(this.world.pins, pin.id, { ...pin, collection, seq: this.world.nextSeq() });
  }

  /** Removes the pins of a path of an object. */
  unpin(row: Row, path: string): void {
    for (const pin of [...this.world.pins.of(row.resource)]) {
      if (pin.object === row.id && pin.path === path && (pin.tenant === undefined || pin.tenant === row.tenant))
        this.transaction.write(this.world.pins, pin.id, undefined);
    }
  }

  /** Starts or restarts a wait of an object, or (`stop`) ends it. */
  wait({ index }: ResourceDef, row: Row, trigger: string, stop: boolean): void {
    const resource = this.runtime.resources[index];
    const wait = resource.waits.get(trigger);
    this.waits.disarm(row, [trigger]);
    if (wait !== undefined && !stop) this.waits.begin(resource, row, [wait]);
  }

  advanceClock(toMs: number, of: string | null = null): void {
    const line = of === null ? null : this.runtime.times.nameOf(of, this.tenant);
    if (line !== null && this.world.clocks.get(line) !== undefined) this.advanceOf = line;
    this.advanceTo = Math.max(toMs, this.advanceTo ?? toMs);
  }

  /** Gives a time owner a clock of its own, which starts at a time (ms). */
  beginLine(id: string, ms: number): void {
    this.transaction.write(this.world.clocks, this.runtime.times.nameOf(id, this.tenant), ms);
  }

  beginAt(t0: number): void {
    this.world.beginAt(this.transaction, t0);
    this.nowMs = this.world.nowMs;
    this.now = this.world.now;
  }

  useTestValue(magicValue: string): void {
    this.magicValues.push(magicValue);
  }

  /**
   * Records a request for something that the vendor documents and the pack doesn't emulate, for the response's header, the
   * trace and the counts of the world.
   * @param param the parameter that requests it
   * @throws Rejection (`unsupported`) if the world is strict
   */
  override unsupported(kind: UnsupportedKind, name: string, param = name): void {
    (this.unsupportedUses ??= []).push({ kind, name });
    if (this.runtime.strict) throw new Rejection('unsupported', { kind, name, param, value: null });
  }

  delayResponse(ms: number): void {
    this.delayMs = Math.min(LIMITS.faultDelay.value, this.delayMs + Math.max(0, ms));
  }
}
