import type { Json, JsonObject } from '../../../engine/values/index.js';

/** How the tables and columns of a benchmark are named here. */
export type TableMapping = Readonly<
  Record<
    string,
    {
      readonly collection: string;
      readonly fields: Readonly<Record<string, FieldMapping>>;
      /** Further values of a new row, where the vendor adds objects that the benchmark doesn't have. */
      readonly added?: JsonObject;
    }
  >
>;

/** Another name, or one with translated values. */
type FieldMapping = string | { readonly to: string; readonly values: readonly (readonly [Json, Json])[] };
