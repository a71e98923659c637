import { accepts, ANY, bare, describeType, mapType, scriptLiteral } from '../../expression/index.js';
import { type CallStep, inside } from '../../model/index.js';
import { bind, operationKeys } from '../context.js';
import { argumentsObject, compileArguments } from './arguments.js';
import { stepKind } from './kind.js';

const RESPONSE = mapType(ANY);

/** `call`: calls an operation of the pack. */
export const compileCall = stepKind({
  check(step: CallStep, place, context) {
    const { diagnostics, env, model } = context.compiler;
    const { requestHeaders } = model.settings;
    const known = operationKeys(model);
    diagnostics.known(inside(place, 'call'), 'operation', step.call, known);
    const at = inside(place, 'with');
    const given = step.with === undefined ? null : diagnostics.template(at, step.with, context.scope, env);
    if (given !== null && !accepts(RESPONSE, given.type))
      diagnostics.problem(at, 'wrong-type', `this must be a map of parameters, it is ${describeType(given.type)}`);
    const declared = new Map([...requestHeaders.keys()].map((name) => [name, { type: ANY, required: false }]));
    const headers =
      step.headers === undefined
        ? null
        : compileArguments(context, step.headers, declared, inside(place, 'headers'), 'a call');
    const result = step.as === undefined ? undefined : bind(context, step.as, RESPONSE);
    return { name: step.call, given, headers, result };
  },

  emit({ name, given, headers, result }, { declare }) {
    const into = result === undefined ? '' : `${declare}${result.js} = `;
    const sent = headers === null ? 'null' : argumentsObject(headers);
    return [
      'x.enter();',
      `${into}x.call(${scriptLiteral(name)}, ${given === null ? '{}' : bare(given.js)}, ${sent});`,
      'x.leave();',
    ];
  },
});
