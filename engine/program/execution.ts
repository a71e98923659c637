import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo, ResourceDef, Sequence } from '../model/index.js';
import type { Row } from '../world/index.js';
import type { Edits } from './edits.js';
import type { EventProgram } from './event.js';

/**
 * Everything that compiled steps can do: what expressions read (`Host`), and every way in which a step changes the world. A
 * running command implements it.
 */
export interface Execution extends Host {
  /** The current request; an anonymous one for timers, causes and seeds. */
  readonly request: RequestInfo;
  /** Depth of steps that the engine runs by itself: above zero, events don't name the request as their cause. */
  internal: number;

  row(resource: number, id: string): Row | undefined;

  /**
   * Switches to a tenant (null: none) until `leaveTenant`.
   * @returns the previous tenant
   * @throws ExpressionFailure if there is no such tenant
   */
  enterTenant(tenant: Json): string | null;
  leaveTenant(before: string | null): void;

  /** Runs something and rolls back its effects. Returns its result. */
  dry<T>(run: () => T): T;

  /**
   * Calls an operation as a caller would. Its changes are rolled back if it is rejected.
   * @param headers by their names in the pack; null: those of the current call
   * @returns `{status, body}`
   */
  call(operation: string, given: Json, headers: JsonObject | null): JsonObject;

  /** A new id that no object of the resource has. */
  newId(resource: ResourceDef, kind?: Json): string;
  /** Checks an id that the pack chose. @throws Rejection if it doesn't match the resource's pattern or is taken */
  ownId(resource: ResourceDef, id: string): string;
  /** The number of the next object within a parent. */
  nextNumber(sequence: Sequence, parent: Json): number;
  create(resource: ResourceDef, value: JsonObject, silent?: boolean): Row;
  /** Sets fields of an object; equal values change nothing. */
  change(row: Row, edits: Edits): void;
  delete(resource: ResourceDef, row: Row): void;
  /**
   * Changes the id of an object, and the ids of objects below it.
   * @throws Rejection if it doesn't match the resource's pattern or is taken
   */
  move(resource: ResourceDef, row: Row, id: string): void;
  /** Sends a trigger to an object's machine. @throws Rejection if the machine has no transition for it */
  send(resource: ResourceDef, row: Row, trigger: string, payload: JsonObject): void;
  /** Like `send`, but returns false if the machine has no transition for the trigger. */
  trySend(resource: ResourceDef, row: Row, trigger: string, payload: JsonObject): boolean;
  /** Emits an event about an object; `snapshot` replaces the object's own. Null: the event isn't emitted. */
  emit(event: EventProgram, row: Row, snapshot?: Json): Row | null;
  /** Emits the `on: updated` events of an object that this command changed. */
  emitUpdated(row: Row): void;
  /** Makes an event for a single endpoint; unless it is `stored`, it is in no collection, and null is returned. */
  address(event: EventProgram, row: Row, endpoint: Row, snapshot?: Json, stored?: boolean): Row | null;
  /** Overrides a value of an object that otherwise comes from outside. */
  pin(row: Row, path: string, value: Json, once: boolean): void;
  /** Removes the pins of a path of an object. */
  unpin(row: Row, path: string): void;
  /** Starts or restarts a wait of an object, or (`stop`) ends it. */
  wait(resource: ResourceDef, row: Row, trigger: string, stop: boolean): void;
  /** Advances the clock to a time (ms) once the command is committed. */
  advanceClock(toMs: number, of?: string | null): void;
  /** Gives an object a clock of its own. */
  beginLine(id: string, ms: number): void;
  /** Makes the world begin at another time, from now on in this command. */
  beginAt(t0: number): void;
  /** Records the use of a test value. */
  useTestValue(magicValue: string): void;
  /** Delays the response, in real time (ms). */
  delayResponse(ms: number): void;
}
