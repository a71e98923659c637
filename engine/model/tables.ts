import { PackTable } from './pack-table.js';
import { type Json, type JsonObject, lazy } from '../values/index.js';
import type { Type } from '../expression/index.js';
import type { TimeFormat } from '../world/index.js';
import type { TableFile } from './files.js';
import { inside, keyIn, type SourceLocation } from './diagnostics.js';
import { parseFields } from './parse-schema.js';
import type { SchemaContext } from './schema-context.js';
import { typeOfFields } from './schema.js';
import { misfit, neutral } from './values.js';

/** Checks a table of a pack and compiles it. */
export function linkTable(file: TableFile, place: SourceLocation, context: SchemaContext, time: TimeFormat): PackTable {
  const columns = parseFields(file.columns, inside(place, 'columns'), context);
  // Serialized and parsed again, since V8 is slow to read objects that got more than a dozen members one by one.
  const rows = lazy(() => JSON.parse(JSON.stringify(file.rows.map(rowOf))) as readonly JsonObject[]);
  const { key } = file;
  if (key !== undefined) context.diagnostics.known(inside(place, 'key'), 'column', key, columns);

  for (const [name, schema] of columns) {
    if (schema.default === undefined) continue;
    const wrong = misfit(schema, schema.default, name, time);
    const at = inside(place, 'columns', name, 'default');
    if (wrong) context.diagnostics.problem(at, 'invalid-value', `${wrong.path} ${wrong.message}`);
  }

  function rowOf(row: JsonObject, index: number): JsonObject {
    const made: Record<string, Json> = {};
    for (const [name, schema] of columns) {
      const given = row[name];
      const at = inside(place, 'rows', index, name);
      if (given === undefined) {
        const value = neutral(schema);
        if (value === undefined)
          context.diagnostics.problem(inside(place, 'rows', index), 'missing-column', `the row has no '${name}'`);
        made[name] = value ?? null;
        continue;
      }
      const wrong = misfit(schema, given, name, time);
      if (wrong) context.diagnostics.problem(at, 'invalid-value', `${wrong.path} ${wrong.message}`);
      made[name] = given;
    }
    for (const name of Object.keys(row)) {
      context.diagnostics.known(keyIn(place, 'rows', index, name), 'column', name, columns);
    }
    return made;
  }

  const types = new Map<string, Type>([...columns].map(([name, schema]) => [name, schema.expr]));
  return new PackTable(file.table, typeOfFields(columns, `row of ${file.table}`), types, place, key, rows, () => {
    if (key !== undefined) reportRepeated(rows(), key, place, context);
  });
}

function reportRepeated(rows: readonly JsonObject[], key: string, place: SourceLocation, context: SchemaContext): void {
  const seen = new Set<Json>();
  rows.forEach((row, index) => {
    if (seen.has(row[key]))
      context.diagnostics.problem(
        inside(place, 'rows', index, key),
        'duplicate-row',
        `'${String(row[key])}' is in two rows`,
      );
    seen.add(row[key]);
  });
}
