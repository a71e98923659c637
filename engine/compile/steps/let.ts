import type { Json } from '../../values/index.js';
import { bare } from '../../expression/index.js';
import { inside, keyIn, type LetStep, type SourceLocation } from '../../model/index.js';
import { bind, held, resourceOf, type StepContext } from '../context.js';
import { stepKind } from './kind.js';

/** `let`: binds values to names, in order. */
export const compileLet = stepKind({
  check(step: LetStep, place, context) {
    const { diagnostics, env } = context.compiler;
    return Object.entries(step.let).map(([name, value]) => {
      const at = inside(place, 'let', name);
      warnOfLostValue(name, value, at, context);
      const compiled = diagnostics.bound(at, value, context.scope, env);
      const js = held(resourceOf(compiled.type, env), compiled, context.scope);
      return { at, js, variable: bind(context, name, compiled.type).js };
    });
  },

  emit(values, { declare }) {
    return values.map(({ at, js, variable }) => ({ place: at, js: `${declare}${variable} = ${bare(js)};` }));
  },
});

/** Warns of a block that adds to a variable of the surrounding steps: it changes a copy that ends with the block. */
function warnOfLostValue(name: string, value: Json, place: SourceLocation, { scope, compiler }: StepContext): void {
  const reads = new RegExp(`(?<![\\w.'"])${name}(?![\\w'":])`).test(
    typeof value === 'string' ? value : JSON.stringify(value),
  );
  if (!reads || scope.own().has(name) || !scope.outer(name)) return;
  const message = `'${name}' of the steps around this block stays as it was (a loop gathers values with \`collect\`)`;
  compiler.diagnostics.warning(keyIn(place), 'lost-value', message);
}
