import type { PackTable } from './pack-table.js';
import type { JsonObject } from '../values/index.js';
import type { Type } from '../expression/index.js';
import type { Diagnostics } from './diagnostics.js';
import type { Format, Schema } from './schema.js';

/** The named types in types.yaml, by name. */
interface TypeNames {
  names(): Iterable<string>;
  get(name: string, context: SchemaContext): Schema | undefined;
}

/** What the types of a pack can refer to, by name. */
export interface SchemaContext {
  readonly diagnostics: Diagnostics;
  readonly timestamp: Type;
  readonly resourceNames: ReadonlySet<string>;
  readonly formats: ReadonlyMap<string, Format>;
  readonly named: TypeNames;
  /** Rows of the pack's tables as written, by table name. */
  readonly tableRows: ReadonlyMap<string, readonly JsonObject[]>;
  /** Returns the linked tables; to be called once all tables and resources are linked. */
  readonly tables: () => ReadonlyMap<string, PackTable>;
  readonly fieldsOf: (resource: string) => ReadonlyMap<string, Schema> | undefined;
  /** The pack's variables, by name. */
  readonly vars: ReadonlyMap<string, string>;
  /** Names of the version switches that the pack declares. */
  readonly switches: ReadonlySet<string>;
}
