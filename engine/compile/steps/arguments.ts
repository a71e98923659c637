import { type JsonObject } from '../../values/index.js';
import { accepts, type Compiled, describeType, objectLiteral, type Type, wrongId } from '../../expression/index.js';
import { inside, keyIn, type SourceLocation } from '../../model/index.js';
import type { StepContext } from '../context.js';

/** Compiles the arguments of an error, trigger or flow, and checks their names and types against what is declared. */
export function compileArguments(
  context: StepContext,
  given: JsonObject | undefined,
  declared: ReadonlyMap<string, { readonly type: Type; readonly required: boolean }>,
  place: SourceLocation,
  what: string,
): [string, Compiled][] {
  const { diagnostics, env } = context.compiler;
  const compiled: [string, Compiled][] = [];
  for (const [name, value] of Object.entries(given ?? {})) {
    const at = inside(place, name);
    const wanted = diagnostics.find(keyIn(at), 'argument', name, declared);
    if (!wanted) continue;
    const argument = diagnostics.template(at, value, context.scope, env);
    if (!accepts(wanted.type, argument.type)) {
      diagnostics.problem(
        at,
        'wrong-type',
        `'${name}' of ${what} is ${describeType(wanted.type)}, not ${describeType(argument.type)}`,
        { suggestion: typeof value === 'string' && context.scope.lookup(value) ? `=${value}` : undefined },
      );
    }
    const stray = wrongId(wanted.type, argument.type);
    if (stray !== undefined) diagnostics.problem(at, 'wrong-type', `'${name}' of ${what} is ${stray}`);
    compiled.push([name, argument]);
  }
  for (const [name, { required }] of declared) {
    if (required && !Object.hasOwn(given ?? {}, name))
      diagnostics.problem(place, 'missing-argument', `${what} needs '${name}'`);
  }
  return compiled;
}

/** Returns the JavaScript of an object that contains the compiled arguments. */
export function argumentsObject(compiled: readonly (readonly [string, Compiled])[]): string {
  return objectLiteral(compiled.map(([name, { js }]) => [name, js]));
}
