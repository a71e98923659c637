import { ANY, CodeUnit, compileExpression, type Host, Scope, type Variable } from '../../../engine/expression/index.js';
import { ExpressionFailure, type Json } from '../../../engine/values/index.js';
import type { Law } from './kit.js';
import { textField, type ObservedWorld } from './view.js';

/** What holds for each object of a resource: expressions of the pack language, in which `self` is the object. */
interface LawPart {
  /** Selects objects. */
  readonly when?: string;
  /** Values by name, for the expressions after them. */
  readonly let?: Readonly<Record<string, string>>;
  /** Values of the object's fields. */
  readonly is?: Readonly<Record<string, string>>;
  readonly holds?: readonly string[];
}

/** Invariants by name and resource. */
export type LawFile = Readonly<Record<string, Readonly<Record<string, readonly LawPart[]>>>>;

type Engine = ObservedWorld['engine'];
/** Yields violations by the object in `values[0]`. */
type Check = (values: Json[]) => Iterable<string>;

/** Makes invariants from their expressions. */
export function lawsOf(laws: LawFile): Law[] {
  return Object.entries(laws).map(([name, byResource]) => {
    let checked: Engine | undefined;
    let checks: (readonly [resource: string, check: Check])[] = [];
    return {
      name,
      *broken(view) {
        if (checked !== view.engine) {
          checked = view.engine;
          checks = Object.entries(byResource).flatMap(([resource, parts]) =>
            parts.map((part) => [resource, checkOf(view.engine, resource, part)] as const),
          );
        }
        for (const [resource, check] of checks)
          for (const object of view.all(resource))
            for (const what of view.within(() => [...check([object])])) yield `${textField(object, 'id')}: ${what}`;
      },
    };
  });
}

function checkOf(engine: Engine, resource: string, { when, let: names = {}, is = {}, holds = [] }: LawPart): Check {
  const { env } = engine.model;
  const scope = new Scope(new CodeUnit('law'));
  const variables: Variable[] = [scope.declare('self', env.resources.get(resource)?.type ?? ANY)];
  const read = (source: string): ((values: Json[]) => Json) => {
    const compiled = compileExpression(source, scope, env);
    const parameters = ['x', ...variables.map(({ js }) => js)];
    const run = scope.unit.expression<[Host, ...Json[]]>(parameters, compiled);
    return (values) => run(engine.runtime.reader, ...values);
  };
  const isMeant = read(when ?? 'true');
  const makers = Object.entries(names).map(([name, source]) => {
    const make = read(source);
    variables.push(scope.declare(name, compileExpression(source, scope, env).type));
    return make;
  });
  const fields = Object.entries(is).map(([name, source]) => [name, read(`self.${name}`), read(source)] as const);
  const conditions = holds.map((source) => [source, read(source)] as const);
  return function* (values) {
    try {
      if (isMeant(values) !== true) return;
      for (const make of makers) values.push(make(values));
      for (const [name, got, wanted] of fields)
        if (got(values) !== wanted(values)) yield `${name} is ${String(got(values))}, not ${String(wanted(values))}`;
      for (const [source, isTrue] of conditions) if (isTrue(values) !== true) yield `not ${source}`;
    } catch (error) {
      if (!(error instanceof ExpressionFailure)) throw error;
      yield error.message;
    }
  };
}
