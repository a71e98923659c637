import { isObject, type Json, type JsonObject } from '../values/index.js';
import { publicValue } from '../model/index.js';
import { type Program, schemaOf } from '../program/index.js';
import type { Engine } from '../runtime/index.js';
import { firstType } from './discover.js';
import { readSelect, selected, WrongQuery } from './select.js';
import type { Decision } from './tool.js';
import { rank, searchWords } from './words.js';

/** Limits of the tables in a description and of the rows in a result. */
const [MOST_TABLES, MOST_ROWS] = [50, 1_000];

/**
 * Queries over many objects: `tables` finds collections by words, `table` describes one, and `run` selects from it. `result`
 * returns the result of a run, whose id is the query itself, since it ends at once.
 */
export function queryWorld(program: Program, engine: Engine, args: JsonObject): Decision {
  const { kind = '', parameters = {} } = args;
  const given = isObject(parameters) ? parameters : {};
  const text = (...names: readonly string[]): string => {
    const found = names.map((name) => given[name]).find((each) => typeof each === 'string');
    return typeof found === 'string' ? found : '';
  };
  const tables = program.resources.filter(({ def }) => !def.file.singleton);
  switch (kind) {
    case 'tables': {
      const words = text('query', 'search', 'words', 'table_name');
      const found =
        searchWords(words).length === 0
          ? tables
          : rank(
              tables,
              { intent: '', words },
              ({ def }) => ({ strong: searchWords(def.collection), weak: searchWords(def.title) }),
              0.4,
            );
      const shown = found.slice(0, MOST_TABLES).map(({ def }) => ({ name: def.collection, comment: def.title }));
      return { value: { total: found.length, displayed: shown.length, tables: shown } };
    }
    case 'table': {
      const name = text('table_name', 'name', 'table');
      const table = tables.find(({ def }) => def.collection === name);
      if (!table) return { problem: `there is no table '${name}'` };
      const columns = [...table.def.schema.fields]
        .filter(([, schema]) => !schema.hidden)
        .map(([name, schema]) => {
          const made = schemaOf(schema, program.model.settings.time, false);
          const type = isObject(made) ? made['type'] : undefined;
          return { name, type: firstType(type ?? 'varchar') };
        });
      return { value: { name: table.def.collection, comment: table.def.title, columns } };
    }
    case 'run':
    case 'result': {
      const sql =
        kind === 'run' ? text('sql', 'query') : Buffer.from(text('query_run_id', 'id'), 'base64url').toString();
      try {
        const select = readSelect(sql);
        const table = tables.find(({ def }) => def.collection === select.table);
        if (!table) return { problem: `there is no table '${select.table}'` };
        const rows = engine.world.tenants.known(null, table.index)?.ordered().all() ?? [];
        const found = selected(
          select,
          rows.map(({ value }) => publicValue(table.def, value)),
        );
        const shown = found.rows.slice(0, MOST_ROWS);
        const dataTable = {
          columns: found.columns,
          rows: shown.map((row) => found.columns.map((name): Json => row[name] ?? null)),
        };
        return {
          value: {
            id: Buffer.from(sql).toString('base64url'),
            status: 'succeeded',
            row_count: found.rows.length,
            data_table: dataTable,
          },
        };
      } catch (error) {
        if (error instanceof WrongQuery) return { problem: error.message };
        throw error;
      }
    }
    default:
      return { problem: 'this kind of question is not supported' };
  }
}
