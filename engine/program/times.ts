/**
 * Objects of one resource that may have clocks of their own, which advance apart from the world's, and the objects that follow
 * them.
 */
export interface TimePlan {
  /** Number of the resource whose objects have a clock. */
  readonly resource: number;
  /** Whether objects with their own clock belong to no tenant. */
  readonly shared: boolean;
  /** Fields that lead to such an object, with the numbers of the resources that they refer to. */
  readonly through: readonly { readonly field: string; readonly resource: number }[];
  /** The error for a call that names objects with two clocks; null: the first one counts. */
  readonly mixed: string | null;
}
