import { accepts, describe, FrameLayout, Scope } from '../../expression/index.js';
import { hasTemplate, inside, misfit, type ResourceDef, type Schema } from '../../model/index.js';
import type { CompiledPack } from '../pack.js';

/** Defaults and bounds that contradict the type they belong to. */
export function reviewConstants(pack: CompiledPack): void {
  const seen = new Set<Schema>();
  for (const def of pack.model.resources)
    for (const schema of def.schema.fields.values()) reviewSchema(schema, def, pack, seen);
  for (const operation of pack.operations) {
    for (const schema of operation.params.values()) reviewSchema(schema, null, pack, seen);
  }
  for (const cause of pack.causes.values()) {
    for (const variant of cause.variants)
      for (const schema of variant.params.values()) reviewSchema(schema, null, pack, seen);
  }
}

function reviewSchema(schema: Schema, def: ResourceDef | null, pack: CompiledPack, seen: Set<Schema>): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  reviewDefault(schema, def, pack);
  const { linking } = pack.model;
  if (schema.min !== undefined && schema.max !== undefined && schema.min > schema.max) {
    linking.problem(
      inside(schema.place, 'min'),
      'wrong-value',
      `the least value ${schema.min} is above the greatest ${schema.max}`,
    );
  }
  if (schema.clamp && schema.min === undefined && schema.max === undefined) {
    linking.problem(inside(schema.place, 'clamp'), 'no-bounds', 'there is no bound that values could be moved to', {
      at: 'key',
    });
  }
  // Text has a least length here and `max_length`, which maps have beside their own bounds.
  const bounded = (schema.min !== undefined && schema.kind !== 'string') || schema.max !== undefined;
  if (bounded && !['integer', 'number', 'one_of', 'any', 'timestamp', 'map', 'array'].includes(schema.kind)) {
    const key = schema.min !== undefined && schema.kind !== 'string' ? 'min' : 'max';
    linking.problem(
      inside(schema.place, key),
      'wrong-type',
      `only numbers, lists and maps have bounds; this is ${describe(schema.expr)}`,
      { at: 'key' },
    );
  }
  const textual = ['string', 'ref', 'one_of', 'any', 'enum', 'map', 'array'].includes(schema.kind);
  for (const key of ['max_length', 'pattern', 'format'] as const) {
    if (schema[key] !== undefined && !textual && schema.place.path.at(-1) !== 'type') {
      linking.problem(
        inside(schema.place, key),
        'wrong-type',
        `only text has a ${key.replace('_', ' ')}; this is ${describe(schema.expr)}`,
        { at: 'key' },
      );
    }
  }
  for (const inner of [...(schema.fields?.values() ?? []), schema.items, schema.of, ...(schema.options ?? [])]) {
    if (inner) reviewSchema(inner, def, pack, seen);
  }
}

function reviewDefault(schema: Schema, def: ResourceDef | null, { model }: CompiledPack): void {
  const { default: value, place } = schema;
  if (value === undefined) return;
  const at = inside(place, 'default');
  if (!hasTemplate(value)) {
    const wrong = misfit(schema, value, 'the default', model.settings.time);
    if (wrong) model.linking.problem(at, 'wrong-value', `${wrong.path} ${wrong.message}`);
    return;
  }
  if (!def) return;
  const scope = new Scope(new FrameLayout());
  scope.declare('self', def.type, true);
  const compiled = model.linking.template(at, value, scope, model.env);
  if (!accepts(schema.expr, compiled.type)) {
    model.linking.problem(
      at,
      'wrong-type',
      `the default must be ${describe(schema.expr)}, it is ${describe(compiled.type)}`,
    );
  }
}
