import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo, ResourceDef, Sequence } from '../model/index.js';
import type { Row } from '../world/index.js';
import type { Edits } from './edits.js';
import type { EventProgram, ResourceProgram } from './resource.js';

/**
 * All that compiled steps may do: what expressions ask (`Host`), and every way in which a step changes the world. A running
 * command is one.
 */
export interface Execution extends Host {
  /** The call that is served; an anonymous one for timers, causes and seeds. */
  readonly request: RequestInfo;
  /** Above zero: events are not marked as caused by the request. */
  internal: number;

  /** The compiled resource of a declaration. */
  program(resource: ResourceDef): ResourceProgram;
  row(resource: number, id: string): Row | undefined;

  /**
   * Continues in a tenant (null: in none) until `leaveTenant`.
   * @returns where it was
   * @throws ExpressionFailure when there is no such tenant
   */
  enterTenant(tenant: Json): string | null;
  leaveTenant(before: string | null): void;

  /** Runs something and takes back all that it did. What it gives stays. */
  dry<T>(run: () => T): T;

  /**
   * Calls an operation as a caller does. What it did is taken back when it is rejected.
   * @param headers by their names in the pack; null: those of the call that is served
   * @returns `{status, body}`
   */
  call(operation: string, given: Json, headers: JsonObject | null): JsonObject;

  /** A new id that no object of the resource has. */
  newId(resource: ResourceDef, kind?: Json): string;
  /** An id that the pack decided. @throws Rejection when it breaks the resource's pattern or is taken */
  ownId(resource: ResourceDef, id: string): string;
  /** The number that the next object within a parent has. */
  nextNumber(sequence: Sequence, parent: Json): number;
  create(resource: ResourceProgram, value: JsonObject, silent?: boolean): Row;
  /** Gives fields of an object new values; equal ones change nothing. */
  change(row: Row, edits: Edits): void;
  delete(resource: ResourceProgram, row: Row): void;
  /** Gives an object, and what belongs to it, another id. @throws Rejection when it breaks the resource's pattern or is taken */
  move(resource: ResourceProgram, row: Row, id: string): void;
  /** Sends a trigger to an object's machine. @throws Rejection when the machine has no transition for it */
  send(resource: ResourceProgram, row: Row, trigger: string, payload: JsonObject): void;
  /** As `send`, but false when the machine has no transition for the trigger. */
  trySend(resource: ResourceProgram, row: Row, trigger: string, payload: JsonObject): boolean;
  /** Emits an event about an object; `snapshot` replaces the object's own. Null: there is no event to emit. */
  emit(event: EventProgram, row: Row, snapshot?: Json): Row | null;
  /** Emits the `on: updated` events of an object that this command changed. */
  emitUpdated(row: Row): void;
  /** Makes an event for one endpoint alone; unless it is `stored`, it is in no collection, and null is returned. */
  address(event: EventProgram, row: Row, endpoint: Row, snapshot?: Json, stored?: boolean): Row | null;
  /** Decides a value of an object from outside. */
  pin(row: Row, path: string, value: Json, once: boolean): void;
  /** Takes back what pins decide at a path of an object. */
  unpin(row: Row, path: string): void;
  /** Begins or restarts a wait of an object, or (`stop`) ends it. */
  wait(resource: ResourceProgram, row: Row, trigger: string, stop: boolean): void;
  /** Lets the clock move to a time (ms) once the command is committed. */
  advanceClock(toMs: number, of?: string | null): void;
  /** Gives an object a time of its own. */
  beginLine(id: string, ms: number): void;
  /** Lets the world begin at another time, from now on in this command. */
  beginAt(t0: number): void;
  /** Remembers that a test value was met. */
  useTestValue(magicValue: string): void;
  /** Sends the response later, in real time (ms). */
  delayResponse(ms: number): void;
}
