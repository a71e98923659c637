import { ExpressionFailure } from '../../values/index.js';
import { describeType, MISTAKEN, scriptLiteral } from '../../expression/index.js';
import { inside, isPinnable, pinPathsOf, type SourceLocation, type ResourceDef } from '../../model/index.js';
import { Row } from '../../world/index.js';
import { held, resourceOf, type StepContext } from '../context.js';

/** The object on which a step acts. */
export interface StepTarget {
  readonly def: ResourceDef;
  /** JavaScript of the row that the step changes. */
  readonly row: string;
}

/** Resolves `self`, a variable, or an expression that returns an object. */
export function target(
  context: StepContext,
  source: string | undefined,
  place: SourceLocation,
): StepTarget | undefined {
  const text = source ?? 'self';
  const { compiler, scope } = context;
  const compiled = compiler.diagnostics.bare(place, text, scope, compiler.env);
  const index = resourceOf(compiled.type, compiler.env);
  if (index === undefined) {
    if (compiled.type !== MISTAKEN) {
      compiler.diagnostics.problem(
        place,
        'wrong-type',
        compiled.type.kind === 'any'
          ? `the resource of '${text}' is not known: read the object with get(resource, id)`
          : `'${text}' is ${describeType(compiled.type)}, not an object of a resource`,
      );
    }
    return undefined;
  }
  const def = compiler.model.resources[index];
  const holder = compiled.variable?.live ? compiled.variable.js : held(index, compiled, scope);
  return { def, row: `${scope.unit.refer(asRow, 'asRow')}(${holder}, ${scriptLiteral(text)})` };
}

function asRow(value: unknown, name: string): Row {
  if (value instanceof Row) return value;
  throw new ExpressionFailure(value == null ? `'${name}' is null` : `'${name}' is in no collection`);
}

/** Resolves the object and path of a `pin` or `unpin` step. */
export function compiledPinTarget(
  context: StepContext,
  source: string | undefined,
  path: string,
  place: SourceLocation,
  key: 'pin' | 'unpin',
): StepTarget | undefined {
  const found = target(context, source, inside(place, 'to'));
  if (found && !isPinnable(found.def, path))
    context.compiler.diagnostics.unknown(inside(place, key), 'pin-path', path, pinPathsOf(found.def));
  return found;
}
