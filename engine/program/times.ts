/** Whose time objects live in: objects of one resource may have clocks of their own, which advance apart from the world's. */
export interface TimePlan {
  /** Number of the resource. */
  readonly resource: number;
  /** Its objects belong to no tenant. */
  readonly shared: boolean;
  /** Fields that lead to them, with the numbers of the resources that they refer to. */
  readonly through: readonly { readonly field: string; readonly resource: number }[];
  /** The error of a call that names objects of two clocks; null: the first counts. */
  readonly mixed: string | null;
}
