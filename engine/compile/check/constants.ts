import { accepts, describeType } from '../../expression/index.js';
import {
  emptyScope,
  hasTemplate,
  inside,
  misfit,
  type ResourceDef,
  type Schema,
  visitSchema,
} from '../../model/index.js';
import type { CompiledPack } from '../pack.js';

/** Reports defaults that don't match their type. */
export function checkConstants(pack: CompiledPack): void {
  const seen = new Set<Schema>();
  const review = (schemas: Iterable<Schema>, def: ResourceDef | null): void => {
    for (const schema of schemas) visitSchema(schema, (each) => checkDefault(each, def, pack), seen);
  };
  for (const def of pack.model.resources) review(def.schema.fields.values(), def);
  for (const operation of pack.operations) review(operation.params().values(), null);
  for (const cause of pack.causes.values()) for (const variant of cause.variants) review(variant.params.values(), null);
}

function checkDefault(schema: Schema, def: ResourceDef | null, { model }: CompiledPack): void {
  const { default: value, place } = schema;
  if (value === undefined) return;
  const at = inside(place, 'default');
  if (!hasTemplate(value)) {
    const wrong = misfit(schema, value, 'the default', model.settings.time);
    if (wrong) model.diagnostics.problem(at, 'invalid-value', `${wrong.path} ${wrong.message}`);
    return;
  }
  if (!def) return;
  const scope = emptyScope();
  scope.declare('self', def.type, true);
  const compiled = model.diagnostics.template(at, value, scope, model.env);
  if (!accepts(schema.expr, compiled.type)) {
    model.diagnostics.problem(
      at,
      'wrong-type',
      `the default must be ${describeType(schema.expr)}, it is ${describeType(compiled.type)}`,
    );
  }
}
