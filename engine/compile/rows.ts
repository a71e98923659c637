import { type Compiled, ExpressionFailure, type Frame, type JsonObject } from '../expression/index.js';
import { inside, type Place } from '../model/index.js';
import { type Compiler, rootScope } from './context.js';

/** Text and values of a declaration that may stand for many: once per combination of the rows of its tables. */
export interface Repeated {
  /** Frames to evaluate with, one per combination. */
  readonly frames: () => Frame[];
  readonly template: (value: unknown, ...path: string[]) => Compiled['run'];
}

/** Compiles `from: {name: table}` and `when:`; what depends on the rows is compiled in the same scope. */
export function linkRepeated(
  file: { readonly from?: Readonly<Record<string, string>>; readonly when?: string },
  place: Place,
  compiler: Compiler,
): Repeated {
  const scope = rootScope();
  const loops: { readonly slot: number; readonly rows: readonly JsonObject[] }[] = [];
  for (const [name, tableName] of Object.entries(file.from ?? {})) {
    const table = compiler.model.tables.get(tableName);
    if (!table) {
      compiler.diagnostics.unknown(inside(place, 'from', name), 'table', tableName, compiler.model.tables.keys());
      scope.declare(name, { kind: 'any' });
      continue;
    }
    loops.push({ slot: scope.declare(name, table.row).slot, rows: table.rows });
  }
  /** Gives null where an expression fails, and tells it. */
  const told =
    (run: Compiled['run'], at: Place): Compiled['run'] =>
    (frame) => {
      try {
        return run(frame);
      } catch (error) {
        if (!(error instanceof ExpressionFailure || error instanceof NoWorld)) throw error;
        compiler.diagnostics.problem(at, 'expression', error.message);
        return null;
      }
    };
  const condition = inside(place, 'when');
  const when =
    file.when === undefined
      ? undefined
      : told(compiler.diagnostics.bare(condition, file.when, scope, compiler.env).run, condition);
  return {
    template: (value, ...path) => {
      const at = inside(place, ...path);
      return told(compiler.diagnostics.template(at, value as JsonObject, scope, compiler.env).run, at);
    },
    frames: () => {
      let frames: Frame[] = [[NO_HOST]];
      for (const { slot, rows } of loops) {
        frames = frames.flatMap((frame) =>
          rows.map((row) => {
            const next: Frame = [...frame];
            next[slot] = row;
            return next;
          }),
        );
      }
      return when === undefined ? frames : frames.filter((frame) => when(frame) === true);
    },
  };
}

class NoWorld extends Error {}

/** Rows of tables are constants: what is made of them may not ask the world. */
const NO_HOST: Frame[0] = new Proxy({} as Frame[0], {
  get: () => {
    throw new NoWorld('this is read before there is a world: it can use tables and variables only');
  },
});
