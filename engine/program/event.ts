import type { EventFile } from '../model/index.js';
import type { OverObject } from './over-object.js';

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
