/**
 * Objects of one resource (time owners) that may have clocks of their own, apart from the world's clock, and the objects that
 * use these clocks.
 */
export interface TimePlan {
  /** Number of the resource whose objects have a clock. */
  readonly resource: number;
  /** Whether time owners belong to no tenant. */
  readonly shared: boolean;
  /** Fields that refer to a time owner, or to an object with such a field, and the resource that each refers to. */
  readonly through: readonly { readonly field: string; readonly resource: number }[];
  /** Name of the error for a call that names objects with different clocks; null: the first object's clock counts. */
  readonly mixed: string | null;
}
