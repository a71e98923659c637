import type { Json, JsonObject } from '../../../engine/values/index.js';

/** The pack's names for a benchmark's tables and columns. */
export type TableMapping = Readonly<
  Record<
    string,
    {
      readonly collection: string;
      readonly fields: Readonly<Record<string, FieldMapping>>;
      /** Values that new rows must have, to exclude objects that only the vendor adds. */
      readonly added?: JsonObject;
    }
  >
>;

/** The pack's field for a column; either its name alone, or also a translation of the values. */
type FieldMapping = string | { readonly to: string; readonly values: readonly (readonly [Json, Json])[] };
