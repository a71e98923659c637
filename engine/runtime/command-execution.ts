import { isObject, type Json, type JsonObject } from '../values/index.js';
import type { ResourceDef } from '../model/index.js';
import { readInstant, type Row, type Timer } from '../world/index.js';
import { LIMITS } from '../limits.js';
import {
  BudgetExceeded,
  Edits,
  type EventProgram,
  Rejection,
  type ResourceProgram,
  type WaitProgram,
} from '../program/index.js';
import { Command } from './command.js';
import { moveObject } from './move.js';
import { addressEvent, emitEvent } from './events.js';
import { bindPins } from './pins.js';
import type { CommandOptions } from './read-context.js';
import type { Runtime } from './runtime.js';
import { makeSingletons } from './singletons.js';

/** Runs operations as calls within a command. */
export interface InnerCalls {
  /**
   * Calls an operation within a command.
   * @param headers by their names in the pack; null: those of the current call
   * @returns `{status, body}`
   */
  within(command: CommandExecution, operation: string, given: JsonObject, headers: JsonObject | null): JsonObject;
}

/** One running command: what expressions can read, and every way in which steps can change the world. */
export class CommandExecution extends Command {
  /** The value of each object when the command last reported a change of it. */
  readonly #reported = new Map<Row, JsonObject>();
  readonly #created = new Set<Row>();
  /** Objects that the command is deleting; objects that refer to them are deleted first. Null: none. */
  #leaving: Set<Row> | null = null;

  constructor(
    runtime: Runtime,
    private readonly calls: InnerCalls,
    options: CommandOptions,
  ) {
    super(runtime, options);
  }

  call(operation: string, given: Json, headers: JsonObject | null): JsonObject {
    return this.calls.within(this, operation, isObject(given) ? given : {}, headers);
  }

  /**
   * Adds a new object to its collection, enters the initial state of its machine, and emits events.
   * @throws Rejection if a tenant would create another tenant
   */
  create({ index }: ResourceDef, value: JsonObject, silent = false): Row {
    const resource = this.runtime.resources[index];
    if (resource.def.isTenant && this.tenant !== null)
      throw new Rejection('tenant_siblings', { tenant: this.tenant, key: '' });
    const row = this.insert(resource, value);
    // A new tenant is created within itself as the current tenant.
    if (resource.def.isTenant) this.within(row.id, () => this.#begin(resource, row, silent));
    else this.#begin(resource, row, silent);
    if (resource.def.atMost != null) this.#dropOldest(resource, row);
    return row;
  }

  /** Inserts an object; for a new tenant, also its singletons. */
  override insert(resource: ResourceProgram, value: JsonObject): Row {
    const row = super.insert(resource, value);
    if (resource.def.isTenant) this.within(row.id, () => makeSingletons(this));
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
    this.constructing.push(row);
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
    this.constructing.pop();
    if (!silent) this.#emitAll(resource.onCreated, row);
    if (outcome) {
      if (!silent) for (const state of outcome.entered) this.#emitAll(resource.onEnter.get(state) ?? [], row);
      this.waits.arm(resource, row, outcome.arm);
    }
    this.waits.begin(resource, row, resource.waitsOnCreated);
    for (const state of outcome?.entered ?? []) this.waits.begin(resource, row, resource.waitsOnEnter.get(state) ?? []);
  }

  /** Ends the clock of a deleted time owner, and cancels all timers on it. */
  #endLine({ resource, id, tenant }: Row): void {
    if (resource !== this.runtime.pack.times?.resource) return;
    const line = this.runtime.times.nameOf(id, tenant);
    if (this.world.clocks.get(line) === undefined) return;
    for (const timer of this.world.timers.of(line)) this.transaction.disarm(timer);
    this.transaction.write(this.world.clocks, line, undefined);
  }

  /**
   * Deletes an object and its timers. Before that, deletes or changes objects that refer to it, as the pack declares.
   * @throws Rejection (`still_referenced`) if the pack forbids the deletion while a reference exists
   */
  delete({ index }: ResourceDef, row: Row): void {
    if (!row.alive || this.#leaving?.has(row) === true) return;
    const resource = this.runtime.resources[index];
    if (resource.dependents.length > 0) releaseDependents(this, resource, row, (this.#leaving ??= new Set()));
    this.remove(row);
    this.#emitAll(resource.onDeleted, row);
    this.#endLine(row);
  }

  move({ index }: ResourceDef, row: Row, id: string): void {
    moveObject(this, this.runtime.resources[index], row, id);
  }

  /**
   * Sends a trigger to an object's machine.
   * @throws Rejection (the resource's rejection, else `wrong_state`) if the machine has no transition for it
   */
  send(resource: ResourceDef, row: Row, trigger: string, payload: JsonObject): void {
    if (this.trySend(resource, row, trigger, payload)) return;
    // A timer's steps can't be rejected: like XState, the machine ignores unknown triggers.
    if (this.internal > 0) return;
    const status = String(row.value[resource.status ?? ''] ?? '');
    const rejection = this.runtime.resources[resource.index].rejections.get(trigger)?.();
    if (rejection) {
      const args = rejection.args(this, row, { type: trigger, ...payload });
      throw new Rejection(rejection.error, args as JsonObject);
    }
    throw new Rejection('wrong_state', { action: trigger, status, title: resource.title, id: row.id });
  }

  /** Sends a trigger to an object's machine. @returns false if the machine has no transition for the trigger */
  trySend({ index }: ResourceDef, row: Row, trigger: string, payload: JsonObject): boolean {
    const resource = this.runtime.resources[index];
    const line = this.runtime.times.of(row);
    // The usual case: the object's tenant and clock are the current ones.
    if (line === this.line && this.tenantOf(row) === this.tenant) return this.#transit(resource, row, trigger, payload);
    return this.#inTenantOf(row, () => this.inLine(line, () => this.#transit(resource, row, trigger, payload)));
  }

  /** Runs a function with an object's tenant as the current one. */
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
    // An action may already have changed the state again, which set other timers.
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

  /** Emits the events `on: changed` of changed objects, at most once per state of an object. */
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

  /** Fires a timer: sends its trigger to the object's machine, or runs a wait's steps. Events don't name the request. */
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

  /** Runs the steps of a wait that has ended. */
  #endWait(row: Row, wait: WaitProgram): void {
    this.enter();
    wait.run()(this, row, null);
    this.leave();
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
    this.put(row, edits);
  }

  /** Sets a new object's status, in place if no index contains it, since nothing has read the object yet. */
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

/**
 * Deletes or changes, as the pack declares, the objects that refer to an object which is about to be deleted.
 * @param leaving objects that are already being deleted
 * @throws Rejection (`still_referenced`) if the pack forbids the deletion while a reference exists
 */
function releaseDependents(command: Command, { dependents, def }: ResourceProgram, row: Row, leaving: Set<Row>): void {
  const { id } = row;
  command.enter();
  leaving.add(row);
  for (const { resource, field, rule } of dependents) {
    const program = command.runtime.resources[resource];
    for (const object of command.findObjects(resource, [[field, id]], rule === 'refuse' ? 2 : Infinity)) {
      const each = command.row(resource, String(object['id']));
      if (each === undefined || leaving.has(each)) continue;
      command.spend(1);
      if (rule === 'refuse') {
        const { name, title } = program.def;
        const by = { by: name, by_title: title, by_id: each.id };
        throw new Rejection('still_referenced', { id, title: def.title, resource: def.name, ...by });
      }
      if (rule === 'cascade') command.delete(program.def, each);
      else {
        const edits = new Edits(each.value);
        edits.set(field, null);
        command.change(each, edits);
        command.emitUpdated(each);
      }
    }
  }
  leaving.delete(row);
  command.leave();
}
