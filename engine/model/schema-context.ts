import type { PackTable } from './pack-table.js';
import type { JsonObject } from '../values/index.js';
import type { Type } from '../expression/index.js';
import type { Diagnostics } from './diagnostics.js';
import type { Format, Schema } from './schema.js';

/** The types of types.yaml. */
interface TypeNames {
  names(): Iterable<string>;
  get(name: string, context: SchemaContext): Schema | undefined;
}

/** The names that types may use. */
export interface SchemaContext {
  readonly diagnostics: Diagnostics;
  readonly timestamp: Type;
  readonly resourceNames: ReadonlySet<string>;
  readonly formats: ReadonlyMap<string, Format>;
  readonly named: TypeNames;
  /** Rows of the pack's tables as written, by table name. */
  readonly tableRows: ReadonlyMap<string, readonly JsonObject[]>;
  /** The tables, and the fields of resources, once all of them are linked. */
  readonly tables: () => ReadonlyMap<string, PackTable>;
  readonly fieldsOf: (resource: string) => ReadonlyMap<string, Schema> | undefined;
  /** The pack's variables. */
  readonly vars: ReadonlyMap<string, string>;
  /** Names of version switches. */
  readonly switches: ReadonlySet<string>;
}
