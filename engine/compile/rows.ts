import { ExpressionFailure, type Json, type JsonObject } from '../values/index.js';
import { ANY, type Compiled, type Host } from '../expression/index.js';
import { inside, type SourceLocation } from '../model/index.js';
import { type Compiler, rootScope } from './context.js';

/** A declaration that is repeated for each combination of rows of its tables. */
interface RepeatedRow {
  /** Every combination of rows of the named tables. */
  readonly combinations: () => Combination[];
  readonly template: (value: unknown, ...path: string[]) => (rows: Combination) => Json;
}

/** One row of each named table. */
type Combination = readonly JsonObject[];

/** Compiles `from: {name: table}` and `when:` of a declaration. Its other expressions see the rows in the same scope. */
export function linkRepeated(
  file: { readonly from?: Readonly<Record<string, string>>; readonly when?: string },
  place: SourceLocation,
  { model, diagnostics, env }: Compiler,
): RepeatedRow {
  const scope = rootScope('rows', place, env);
  const parameters = ['x'];
  const tables: (readonly JsonObject[])[] = [];
  for (const [name, tableName] of Object.entries(file.from ?? {})) {
    const table = diagnostics.find(inside(place, 'from', name), 'table', tableName, model.tables);
    parameters.push(scope.declare(name, table?.row ?? ANY).js);
    tables.push(table?.rows ?? [{}]);
  }
  /** Returns null for an expression that throws, and reports the problem. */
  const compiledValue = (compiled: Compiled, at: SourceLocation): ((rows: Combination) => Json) => {
    const run = scope.unit.expression<[Host, ...JsonObject[]]>(parameters, compiled);
    return (rows) => {
      try {
        return run(NO_HOST, ...rows);
      } catch (error) {
        if (!(error instanceof ExpressionFailure || error instanceof NoWorld)) throw error;
        diagnostics.problem(at, 'expression', error.message);
        return null;
      }
    };
  };
  const condition = inside(place, 'when');
  const when =
    file.when === undefined ? undefined : compiledValue(diagnostics.bare(condition, file.when, scope, env), condition);
  return {
    template: (value, ...path) => {
      const at = inside(place, ...path);
      return compiledValue(diagnostics.template(at, value as JsonObject, scope, env), at);
    },
    combinations: () => {
      const all = tables.reduce<Combination[]>(
        (made, rows) => made.flatMap((before) => rows.map((row) => [...before, row])),
        [[]],
      );
      return when === undefined ? all : all.filter((rows) => when(rows) === true);
    },
  };
}

class NoWorld extends Error {}

/** A host without a world, for expressions over rows of tables: these are evaluated before any world exists. */
const NO_HOST: Host = new Proxy({} as Host, {
  get: (_, key) => {
    if (key === 'baseUrl') return '';
    throw new NoWorld('this is read before there is a world: it can use tables and variables only');
  },
});
