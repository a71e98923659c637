import type { ResourceDef } from '../model/index.js';

/** An alternative path of an object, served like the object's own path, together with all paths below it. */
export interface OtherPath {
  readonly resource: ResourceDef;
  /** Matches a path, with a group for each of `fields`, and a last group for the rest of the path. */
  readonly pattern: RegExp;
  /** Fields of the object whose values are in the path. */
  readonly fields: readonly string[];
  /** The object's own path, in which `{field}` is the value of a field. */
  readonly as: string;
}
