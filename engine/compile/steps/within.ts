import { accepts, describeType, STRING } from '../../expression/index.js';
import { inside, keyIn, type WithinStep } from '../../model/index.js';
import { childContext } from '../context.js';
import { stepKind } from './kind.js';

/** `within`: runs steps in another tenant. */
export const compileWithin = stepKind({
  check(step: WithinStep, place, context) {
    const { diagnostics, env, model, steps } = context.compiler;
    const at = inside(place, 'within');
    if (model.settings.tenants === null) diagnostics.problem(keyIn(at), 'no-tenants', 'pack.yaml has no `tenants`');
    const tenant = diagnostics.bare(at, step.within, context.scope, env);
    if (!accepts(STRING, tenant.type))
      diagnostics.problem(at, 'wrong-type', `this must be the id of a tenant, it is ${describeType(tenant.type)}`);
    return { tenant, body: steps(step.do, inside(place, 'do'), childContext(context)) };
  },

  emit({ tenant, body }, { scope }) {
    const before = scope.unit.identifier('before');
    return [
      `const ${before} = x.enterTenant(${tenant.js});`,
      'try {',
      body,
      '} finally {',
      [`x.leaveTenant(${before});`],
      '}',
    ];
  },
});
