import type { Json, JsonObject } from '../../../engine/values/index.js';

/** How the tables of a benchmark are called here, and their columns. */
export type TableMapping = Readonly<
  Record<
    string,
    {
      readonly collection: string;
      readonly fields: Readonly<Record<string, FieldMapping>>;
      /** Further values of a new row, where the vendor adds objects that the benchmark does not have. */
      readonly added?: JsonObject;
    }
  >
>;

/** Another name; or one whose values mean others. */
type FieldMapping = string | { readonly to: string; readonly values: readonly (readonly [Json, Json])[] };
