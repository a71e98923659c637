import type { ResourceDef } from '../model/index.js';

/** Another address of an object: what is below it is served as below its own. */
export interface OtherPath {
  readonly resource: ResourceDef;
  /** A group for each field, in their order, and one for what follows. */
  readonly pattern: RegExp;
  /** Fields that the object has the values of the path in. */
  readonly fields: readonly string[];
  /** With `{field}` of the object. */
  readonly as: string;
}
