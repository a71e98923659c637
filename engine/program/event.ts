import type { EventFile } from '../model/index.js';
import type { OverObject } from './over-object.js';

/** An event that a resource emits. */
export interface EventProgram {
  readonly name: string;
  readonly file: EventFile;
  readonly when: (() => OverObject) | null;
  /** The snapshot that replaces the object; null: the object. */
  readonly snapshot: (() => OverObject) | null;
  /** Whether `previous_attributes` applies to the event. */
  readonly reportsPrevious: boolean;
  /** The kind of the event; null: an ordinary one. */
  readonly kind: string | null;
  /** Events of other kinds that report it. */
  readonly reported: readonly { readonly kind: string; readonly as: string }[];
}
