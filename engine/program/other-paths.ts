import type { ResourceDef } from '../model/index.js';

/** An alternative address of an object: paths below it are served as paths below its own. */
export interface OtherPath {
  readonly resource: ResourceDef;
  /** One group for each field, in order, and one for the rest of the path. */
  readonly pattern: RegExp;
  /** Fields of the object whose values are in the path. */
  readonly fields: readonly string[];
  /** The object's own path, with `{field}`. */
  readonly as: string;
}
