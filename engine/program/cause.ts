import type { JsonObject } from '../values/index.js';
import type { ResourceDef, Schema } from '../model/index.js';
import type { Row } from '../world/index.js';
import type { Execution } from './execution.js';

/** One variant of an external event: its subject, parameters, precondition and steps. */
export interface CauseVariant {
  readonly description: string;
  readonly subject: { readonly param: string; readonly resource: ResourceDef } | null;
  /** Parameters of the variant, without the one that names its subject. */
  readonly params: ReadonlyMap<string, Schema>;
  readonly holds: (execution: Execution, self: Row | null, params: JsonObject) => boolean;
  readonly run: (execution: Execution, self: Row | null, params: JsonObject) => void;
  readonly check: () => void;
}

/** An external event of the pack, which tests can trigger. */
export interface Cause {
  readonly name: string;
  readonly variants: readonly CauseVariant[];
}
