import type { EventFile } from '../model/index.js';
import type { Json, JsonObject } from '../values/index.js';
import type { Holder, Host } from '../expression/index.js';
import type { Row } from '../world/index.js';

/** An expression over one object and the trigger's payload. */
export type OverObject = (host: Host, self: Holder, trigger: JsonObject | null) => Json;

/** The pack's checks of a value that a test pins at a path of an object; returns a list of problems. */
export type PinProblems = (host: Host, self: Row, value: Json, path: string) => Json;

/** An event that a resource declares, compiled. */
export interface EventProgram {
  readonly name: string;
  readonly file: EventFile;
  readonly when: (() => OverObject) | null;
  /** Computes the event's content in place of the object; null: the content is the object. */
  readonly snapshot: (() => OverObject) | null;
  /** Whether the event contains `previous_attributes`. */
  readonly reportsPrevious: boolean;
  /** Name of the event's kind; null: an ordinary event. */
  readonly kind: string | null;
  /** Events of other kinds that report the event: the kind, and the name in that kind. */
  readonly reported: readonly { readonly kind: string; readonly as: string }[];
}
