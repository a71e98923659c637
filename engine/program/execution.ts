import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo, ResourceDef, Sequence } from '../model/index.js';
import type { Row } from '../world/index.js';
import type { Edits } from './edits.js';
import type { EventProgram } from './event.js';

/**
 * Everything that compiled steps can do: read what expressions read (`Host`), and change the world. A running command
 * implements this interface.
 */
export interface Execution extends Host {
  /** The current request; for timers, external events and seed data, an empty one. */
  readonly request: RequestInfo;
  /** Depth of steps that the engine itself runs (timers): above zero, events don't name the request as their cause. */
  internal: number;

  row(resource: number, id: string): Row | undefined;

  /**
   * Switches to a tenant (null: none) until `leaveTenant`.
   * @returns the previous tenant
   * @throws ExpressionFailure if there is no such tenant
   */
  enterTenant(tenant: Json): string | null;
  leaveTenant(before: string | null): void;

  /** Runs a function, rolls back its effects, and returns its result. */
  dry<T>(run: () => T): T;

  /**
   * Calls an operation like a caller of the API. If the call is rejected, its changes are rolled back.
   * @param headers by their names in the pack; null: those of the current call
   * @returns `{status, body}`
   */
  call(operation: string, given: Json, headers: JsonObject | null): JsonObject;

  /** Generates an id that no object of the resource has or had. @param kind of the object, which selects the prefix */
  newId(resource: ResourceDef, kind?: Json): string;
  /** Checks an id that the pack chose. @throws Rejection if it doesn't match the resource's pattern or is taken */
  ownId(resource: ResourceDef, id: string): string;
  /** Returns the next number of a sequence within a parent object. */
  nextNumber(sequence: Sequence, parent: Json): number;
  create(resource: ResourceDef, value: JsonObject, silent?: boolean): Row;
  /** Sets fields of an object; equal values change nothing. */
  change(row: Row, edits: Edits): void;
  delete(resource: ResourceDef, row: Row): void;
  /**
   * Changes the id of an object, and the ids of objects below it.
   * @throws Rejection if the new id doesn't match the resource's pattern or is taken
   */
  move(resource: ResourceDef, row: Row, id: string): void;
  /** Sends a trigger to an object's machine. @throws Rejection if the machine has no transition for it */
  send(resource: ResourceDef, row: Row, trigger: string, payload: JsonObject): void;
  /** Sends a trigger to an object's machine. @returns false if the machine has no transition for the trigger */
  trySend(resource: ResourceDef, row: Row, trigger: string, payload: JsonObject): boolean;
  /** Emits an event about an object. @param snapshot replaces the event's own @returns the event; null if it isn't emitted */
  emit(event: EventProgram, row: Row, snapshot?: Json): Row | null;
  /** Emits the `on: updated` events of an object that this command changed. */
  emitUpdated(row: Row): void;
  /** Makes an event for a single endpoint. @returns its object if it is `stored` in a collection, else null */
  address(event: EventProgram, row: Row, endpoint: Row, snapshot?: Json, stored?: boolean): Row | null;
  /** Overrides a value of an object that otherwise comes from outside. */
  pin(row: Row, path: string, value: Json, once: boolean): void;
  /** Removes the pins of a path of an object. */
  unpin(row: Row, path: string): void;
  /** Starts or restarts a wait of an object, or (`stop`) ends it. */
  wait(resource: ResourceDef, row: Row, trigger: string, stop: boolean): void;
  /** Advances the clock to a time (ms) once the command is committed. @param of owner of the clock; null: the world's clock */
  advanceClock(toMs: number, of?: string | null): void;
  /** Gives a time owner a clock of its own, which starts at a time (ms). */
  beginLine(id: string, ms: number): void;
  /** Moves the start of the world, and its clock, to another time (ms), effective immediately. */
  beginAt(t0: number): void;
  /** Records that the call used a test value, for its trace. */
  useTestValue(magicValue: string): void;
  /** Delays the response, in real time (ms). */
  delayResponse(ms: number): void;
}
