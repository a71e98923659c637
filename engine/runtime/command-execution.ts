import { isObject, type Json, type JsonObject, openBudget } from '../values/index.js';
import type { IdFormat, RequestInfo, ResourceDef, Sequence } from '../model/index.js';
import {
  type EntryOrigin,
  type Pin,
  readInstant,
  Row,
  type Timer,
  type UnsupportedKind,
  type UnsupportedUse,
} from '../world/index.js';
import { LIMITS } from '../limits.js';
import {
  BudgetExceeded,
  Edits,
  type EventProgram,
  type Execution,
  Rejection,
  type ResourceProgram,
  type WaitProgram,
} from '../program/index.js';
import type { CoveredPath } from './coverage.js';
import { releaseDependents } from './dependents.js';
import { moveObject } from './move.js';
import { type Addressed, addressEvent, type Emitted, type EventFacts, emitEvent } from './events.js';
import { bindPins } from './pins.js';
import { type CommandOptions, ReadContext } from './read-context.js';
import type { Runtime } from './runtime.js';
import { makeSingletons } from './singletons.js';
import { Waits } from './waits.js';

export interface RowTransition {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
}

const STEP_BUDGET = LIMITS.commandSteps.value;
const DEPTH_BUDGET = LIMITS.commandDepth.value;

/** One command while it runs: everything that expressions read, and every way in which steps change the world. */
export class CommandExecution extends ReadContext implements Execution {
  /** Events emitted so far, in order. */
  readonly events: Row[] = [];
  /** Events for a single endpoint. */
  readonly addressed: Addressed[] = [];
  readonly transitions: RowTransition[] = [];
  readonly magicValues: string[] = [];
  /** What the call requested that isn't emulated; null: nothing. */
  unsupportedUses: UnsupportedUse[] | null = null;
  /** Real time (ms) by which the response is delayed. */
  delayMs = 0;
  /** Transitions of machines, and names of emitted events, for coverage. */
  readonly ways: CoveredPath[] = [];
  readonly eventNames: string[] = [];
  /** Simulated time (ms) to which the clock advances once the command is committed. */
  advanceTo: number | null = null;
  /** The time owner whose clock advances; null: the world's. */
  advanceOf: string | null = null;
  /** If above zero, events don't name the request as their cause. */
  internal = 0;
  /** Changes of the command emit no events. */
  silent = false;
  origin: EntryOrigin;
  /** The states of objects that this command's events have shown. */
  readonly emitted = new Map<Row, Emitted>();
  /** The states of objects when their changes were reported. */
  readonly #reported = new Map<Row, JsonObject>();
  readonly #created = new Set<Row>();
  /** Timers that it sets and cancels. */
  readonly waits = new Waits(this);
  #steps = 0;
  #depth = 0;
  #facts: EventFacts | null = null;
  /** The last id that `drawId` returned, until an object has it. */
  #newest: { readonly id: string; readonly bits: number } | null = null;
  /** Objects that are being deleted, while dependent objects are deleted first. */
  #leaving: Set<Row> | null = null;
  /** Objects that are being created: changes to them aren't changes of existing objects. */
  readonly #constructing: Row[] = [];

  constructor(runtime: Runtime, options: CommandOptions) {
    super(runtime, options);
    this.origin = options.origin;
  }

  /** The row of an object, or a holder of its value if it is in no collection. */
  holder(resource: number, value: Json): { readonly value: JsonObject } | null {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
    const object = value as JsonObject;
    const id = object['id'];
    return (typeof id === 'string' ? this.#rowOf(resource, id) : undefined) ?? { value: object };
  }

  /** An object of the acting tenant, else of any tenant. */
  #rowOf(resource: number, id: string): Row | undefined {
    return this.row(resource, id) ?? this.world.tenants.find(resource, id);
  }

  /** Time and request of events that are written later: one object for all events that share them. */
  get factsOfEvents(): EventFacts {
    const { now, internal, request } = this;
    const [id, key] = internal > 0 ? [null, null] : [request.id, request.idempotency_key];
    const last = this.#facts;
    if (last !== null && last.now === now && last.id === id && last.key === key) return last;
    return (this.#facts = { now, id, key });
  }

  /** Restarts the count of steps: in a seed the budget applies to each object. */
  beginCount(): void {
    this.#steps = 0;
    openBudget();
  }

  /** Counts steps; exceeding the budget is a defect of the pack. */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > STEP_BUDGET) throw new BudgetExceeded(`more than ${STEP_BUDGET} steps in one command`);
  }

  /** Increases the nesting depth until `leave`. */
  enter(): void {
    if (++this.#depth > DEPTH_BUDGET) throw new BudgetExceeded(`flows and actions nest deeper than ${DEPTH_BUDGET}`);
  }

  leave(): void {
    this.#depth--;
  }

  /** A new id that no object of the resource has or had. @param kind selects its prefix */
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
   * Checks an id that the pack chose; one that was just drawn needs no look-up.
   * @throws Rejection if it doesn't match the resource's ids, or an object has it
   */
  ownId({ ids, index, title, name }: ResourceDef, id: string): string {
    if (!ids.pattern.test(id)) throw new Rejection('id_invalid', { id, title, resource: name, param: 'id', value: id });
    if (!this.#isNew(id, index) && this.row(index, id) !== undefined)
      throw new Rejection('id_taken', { id, title, resource: name, param: 'id', value: id });
    return id;
  }

  /** Whether the id was drawn last and is so random that no object can have it. */
  #isNew(id: string, resource: number): boolean {
    if (this.#newest?.id !== id) return false;
    const { bits } = this.#newest;
    this.#newest = null;
    return this.collection(resource).isFree(id, bits);
  }

  /** Runs something and rolls back its effects: objects, events, timers, drawn randomness. Returns its result. */
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

  /** @returns a function that rolls back what the command does from now on */
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

  call(operation: string, given: Json, headers: JsonObject | null): JsonObject {
    return this.runtime.calls.within(this, operation, isObject(given) ? given : {}, headers);
  }

  /**
   * Runs an inner call with its own request, and afterwards restores the command's delay, depth and clock, even if it throws.
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

  /**
   * Adds a new object to its collection, enters its machine's initial state and emits its events.
   * @throws Rejection if a tenant would create another one
   */
  create(resource: ResourceProgram, value: JsonObject, silent = false): Row {
    if (resource.def.isTenant && this.tenant !== null)
      throw new Rejection('tenant_siblings', { tenant: this.tenant, key: '' });
    const row = this.insert(resource, value);
    // A new tenant acts within itself.
    if (resource.def.isTenant) this.within(row.id, () => this.#begin(resource, row, silent));
    else this.#begin(resource, row, silent);
    if (resource.def.atMost != null) this.#dropOldest(resource, row);
    return row;
  }

  /** Removes the oldest objects above the resource's limit, and expired ones. */
  #dropOldest({ index, def: { atMost } }: ResourceProgram, made: Row): void {
    const rows = this.collection(index).ordered().all();
    const { objects = Infinity, until } = atMost ?? {};
    const now = this.world.nowMs;
    const isOver = (row: Row): boolean =>
      until !== undefined && (readInstant(row.value[until] ?? null) || Infinity) < now;
    let count = Math.max(rows.length - objects, 0);
    while (count < rows.length && isOver(rows[count])) count++;
    for (const row of rows.slice(0, count)) {
      if (row === made) continue;
      for (const timer of row.timers) this.transaction.disarm(timer);
      this.transaction.expire(this.world.collectionOf(row), row);
    }
  }

  #begin(resource: ResourceProgram, row: Row, silent: boolean): void {
    if (this.runtime.reportsChanges) this.#created.add(row);
    this.#constructing.push(row);
    if (resource.pinsAt.size > 0) bindPins(this, resource, row, 'created');
    const { machine, status } = resource.def;
    let outcome: ReturnType<NonNullable<typeof machine>['start']> | null = null;
    if (machine && status !== null) {
      outcome = machine.start((guard) => this.#guard(resource, row, guard, null));
      this.ways.push({ resource: row.resource, from: null, trigger: null, entered: outcome.entered });
      if (outcome.target !== row.value[status]) this.#setFirstStatus(row, status, outcome.target);
      for (const action of outcome.actions) this.#act(resource, row, action, null);
      for (const state of outcome.entered) bindPins(this, resource, row, state);
    }
    this.#constructing.pop();
    if (!silent) this.#emitAll(resource.onCreated, row);
    if (outcome) {
      if (!silent) for (const state of outcome.entered) this.#emitAll(resource.onEnter.get(state) ?? [], row);
      this.waits.arm(resource, row, outcome.arm);
    }
    this.waits.begin(resource, row, resource.waitsOnCreated);
    for (const state of outcome?.entered ?? []) this.waits.begin(resource, row, resource.waitsOnEnter.get(state) ?? []);
  }

  /** Adds an object to its collection silently (seeds): no events, timers or machine. A tenant gets its singletons. */
  insert(resource: ResourceProgram, value: JsonObject): Row {
    const { index } = resource;
    const collection = this.collection(index);
    const id = String(value['id']);
    const row = new Row(collection, id, this.world.nextSeq(), collection.orderOf(value), value);
    this.transaction.create(collection, row);
    for (const sequence of resource.def.sequences) this.#count(sequence, value);
    if (resource.def.isTenant) this.within(id, () => makeSingletons(this));
    return row;
  }

  /** The number of the next object within a parent. */
  nextNumber(sequence: Sequence, parent: Json): number {
    return (this.world.sequences.get(this.#keyOf(sequence, parent)) ?? 0) + 1;
  }

  /** Makes later objects within the parent get higher numbers than this object's. */
  #count(sequence: Sequence, value: JsonObject): void {
    const number = value[sequence.field];
    const parent = value[sequence.per] ?? null;
    if (typeof number === 'number' && number >= this.nextNumber(sequence, parent))
      this.transaction.write(this.world.sequences, this.#keyOf(sequence, parent), number);
  }

  #keyOf({ of }: Sequence, parent: Json): string {
    return JSON.stringify([of, this.tenant, parent]);
  }

  /** Removes an object silently, with its timers. */
  remove(row: Row): void {
    this.waits.disarm(
      row,
      row.timers.map(({ trigger }) => trigger),
    );
    this.transaction.delete(this.world.collectionOf(row), row);
    if (row.resource === this.runtime.tenantResource) this.#stopTimers(row.id);
  }

  /** Ends the clock of a removed time owner, with all timers on it. */
  #endLine({ resource, id, tenant }: Row): void {
    if (resource !== this.runtime.pack.times?.resource) return;
    const line = this.runtime.times.nameOf(id, tenant);
    if (this.world.clocks.get(line) === undefined) return;
    for (const timer of this.world.timers.of(line)) this.transaction.disarm(timer);
    this.transaction.write(this.world.clocks, line, undefined);
  }

  /** Cancels the timers of a removed tenant. */
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
    if (edits.names.length > 0) this.#put(row, edits);
  }

  /**
   * Deletes an object with its timers. First, while it still exists, deletes or changes objects that refer to it, as the pack
   * declares.
   * @throws Rejection (`still_referenced`) if an object refers to it that may not lose it
   */
  delete(resource: ResourceProgram, row: Row): void {
    if (!row.alive || this.#leaving?.has(row) === true) return;
    if (resource.dependents.length > 0) releaseDependents(this, resource, row, (this.#leaving ??= new Set()));
    this.remove(row);
    this.#emitAll(resource.onDeleted, row);
    this.#endLine(row);
  }

  move(resource: ResourceProgram, row: Row, id: string): void {
    moveObject(this, resource, row, id);
  }

  /**
   * Sends a trigger to an object's machine.
   * @throws Rejection (the resource's rejection, else `wrong_state`) if the machine has no transition for it
   */
  send(resource: ResourceProgram, row: Row, trigger: string, payload: JsonObject): void {
    if (this.trySend(resource, row, trigger, payload)) return;
    // In the steps of a timer nothing is rejected: like XState, the machine ignores unknown triggers.
    if (this.internal > 0) return;
    const status = String(row.value[resource.def.status ?? ''] ?? '');
    const rejection = resource.rejections.get(trigger)?.();
    if (rejection) {
      const args = rejection.args(this, row, { type: trigger, ...payload });
      throw new Rejection(rejection.error, args as JsonObject);
    }
    throw new Rejection('wrong_state', { action: trigger, status, title: resource.def.title, id: row.id });
  }

  /** Like `send`, but returns false if the machine has no transition for the trigger. */
  trySend(resource: ResourceProgram, row: Row, trigger: string, payload: JsonObject): boolean {
    const line = this.runtime.times.of(row);
    // The usual case: its own tenant and clock are current already.
    if (line === this.line && this.tenantOf(row) === this.tenant) return this.#transit(resource, row, trigger, payload);
    return this.#inTenantOf(row, () => this.inLine(line, () => this.#transit(resource, row, trigger, payload)));
  }

  /** Runs something in the tenant of an object. */
  #inTenantOf<T>(row: Row, run: () => T): T {
    const tenant = this.tenantOf(row);
    return tenant === this.tenant ? run() : this.within(tenant, run);
  }

  #transit(resource: ResourceProgram, row: Row, trigger: string, payload: JsonObject): boolean {
    const { machine, status } = resource.def;
    if (!machine || status === null || !row.alive) return false;
    const event: JsonObject = { type: trigger, ...payload };
    const from = String(row.value[status]);
    const outcome = machine.send(from, trigger, (guard) => this.#guard(resource, row, guard, event));
    if (outcome === undefined) return false;
    this.enter();
    this.spend(1);
    this.waits.disarm(row, outcome.cancel);
    this.ways.push({ resource: row.resource, from, trigger, entered: outcome.entered });
    if (outcome.target !== from) this.#setStatus(row, status, outcome.target);
    if (outcome.entered.length > 0) this.transitions.push({ id: row.id, from, to: outcome.target, trigger });
    for (const action of outcome.actions) this.#act(resource, row, action, event);
    for (const state of outcome.entered) {
      bindPins(this, resource, row, state);
      this.#emitAll(resource.onEnter.get(state) ?? [], row);
    }
    // An action may have changed the state again; then the timers of this state aren't set.
    if (row.alive && row.value[status] === outcome.target) this.waits.arm(resource, row, outcome.arm);
    for (const state of outcome.entered) this.waits.begin(resource, row, resource.waitsOnEnter.get(state) ?? []);
    this.leave();
    return true;
  }

  emit(event: EventProgram, row: Row, given?: Json): Row | null {
    if (this.silent) return null;
    if (this.tenantOf(row) === this.tenant) return emitEvent(this, event, row, given);
    return this.#inTenantOf(row, () => emitEvent(this, event, row, given));
  }

  address(event: EventProgram, row: Row, endpoint: Row, given?: Json, stored = false): Row | null {
    return this.silent ? null : addressEvent(this, event, row, endpoint, given, stored);
  }

  program(resource: ResourceDef): ResourceProgram {
    return this.runtime.resources[resource.index];
  }

  /** Overrides a value of an object that otherwise comes from outside. */
  pin(row: Row, path: string, value: Json, once: boolean): void {
    const id = `pin_${this.randomString(16)}`;
    const whose = this.runtime.tenantResource < 0 ? {} : { tenant: row.tenant };
    this.armPin({ id, resource: row.resource, object: row.id, ...whose, path, value, once });
  }

  /** Sets a pin for objects of a resource. */
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

  advanceClock(toMs: number, of: string | null = null): void {
    const line = of === null ? null : this.runtime.times.nameOf(of, this.tenant);
    if (line !== null && this.world.clocks.get(line) !== undefined) this.advanceOf = line;
    this.advanceTo = Math.max(toMs, this.advanceTo ?? toMs);
  }

  /** Gives an object a clock of its own. */
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

  emitUpdated(row: Row): void {
    const before = this.emitted.get(row)?.value ?? this.transaction.originals.get(row)?.value;
    if (before === undefined || before === row.value) return;
    for (const event of this.runtime.resources[row.resource].onUpdated) this.emit(event, row);
  }

  /** Fires the timers without a delay that were set, in order. */
  drain(): void {
    let fired = 0;
    for (let timer = this.waits.takeImmediate(); timer !== undefined; timer = this.waits.takeImmediate()) {
      if (!timer.alive) continue;
      if (++fired > LIMITS.immediateTimers.value) {
        const { name } = this.runtime.resources[timer.row.resource].def;
        throw new BudgetExceeded(
          `${name} ${timer.row.id} never ends without time passing (${timer.trigger}): more than ${LIMITS.immediateTimers.value} timers in one command`,
        );
      }
      this.fire(timer);
    }
    this.#emitChanged();
  }

  /** Emits change events for changed objects of resources that ask for them, once per state. */
  #emitChanged(): void {
    if (!this.runtime.reportsChanges) return;
    for (const [row, { value }] of [...this.transaction.originals]) {
      const { onChanged } = this.runtime.resources[row.resource];
      if (
        onChanged.length === 0 ||
        !row.alive ||
        this.#created.has(row) ||
        row.value === (this.#reported.get(row) ?? value)
      )
        continue;
      this.#reported.set(row, row.value);
      this.#emitAll(onChanged, row);
    }
  }

  /** Fires a timer: sends its trigger to its object's machine. The effects don't name the request as their cause. */
  fire(timer: Timer): void {
    const { row } = timer;
    const resource = this.runtime.resources[row.resource];
    this.transaction.disarm(timer);
    if (!row.alive) return;
    this.internal++;
    const wait = resource.waits.get(timer.trigger);
    const run = (): void => {
      if (wait === undefined) this.#transit(resource, row, timer.trigger, {});
      else this.#endWait(row, wait);
    };
    this.#inTenantOf(row, () => this.inLine(timer.line, run));
    this.internal--;
  }

  /** Runs the steps at the end of a wait. */
  #endWait(row: Row, wait: WaitProgram): void {
    this.enter();
    wait.run()(this, row, null);
    this.leave();
  }

  /** Starts or restarts a wait of an object, or (`stop`) ends it. */
  wait(resource: ResourceProgram, row: Row, trigger: string, stop: boolean): void {
    const wait = resource.waits.get(trigger);
    this.waits.disarm(row, [trigger]);
    if (wait !== undefined && !stop) this.waits.begin(resource, row, [wait]);
  }

  #guard(resource: ResourceProgram, row: Row, guard: string, trigger: JsonObject | null): boolean {
    const expression = resource.guards().get(guard);
    if (!expression) throw new Error(`guard '${guard}' was not linked`);
    return expression()(this, row, trigger) === true;
  }

  #act(resource: ResourceProgram, row: Row, action: string, trigger: JsonObject | null): void {
    const run = resource.actions.get(action)?.();
    if (!run) throw new Error(`action '${action}' was not linked`);
    this.enter();
    run(this, row, trigger);
    this.leave();
  }

  #setStatus(row: Row, field: string, state: string): void {
    const edits = new Edits(row.value);
    edits.set(field, state);
    this.#put(row, edits);
  }

  #put(row: Row, edits: Edits): void {
    this.#touch(row, edits);
    const { names, values } = edits;
    const made = this.runtime.resources[row.resource].shape().copy(row.value);
    for (let at = 0; at < names.length; at++) made[names[at]] = values[at];
    const collection = this.world.collectionOf(row);
    this.transaction.replace(collection, row, made, names);
  }

  /** Sets fields such as `updated_at` to now if something else of the object changes, unless they are set explicitly. */
  #touch(row: Row, edits: Edits): void {
    const { touched } = this.runtime.resources[row.resource].def;
    if (touched.length === 0 || this.origin === 'seed' || this.#constructing.includes(row)) return;
    if (edits.names.every((name) => touched.includes(name))) return;
    for (const name of touched) if (!edits.names.includes(name)) edits.set(name, this.now);
  }

  /** Nothing has read the new object yet: it is changed in place unless an index contains it. */
  #setFirstStatus(row: Row, field: string, state: string): void {
    if (this.world.collectionOf(row).hasIndex(field)) this.#setStatus(row, field, state);
    else (row.value as Record<string, Json>)[field] = state;
  }

  #emitAll(events: readonly EventProgram[], row: Row): void {
    for (const event of events) {
      if (event.when === null || event.when()(this, row, null) === true) this.emit(event, row);
    }
  }
}
