import type { Json } from '../../../engine/values/index.js';
import { linkModel, misfit, type Model, type ResourceDef, type Schema } from '../../../engine/model/index.js';
import { readPack, validateSchemas } from '../../../engine/pack/index.js';
import { type PackFiles, packFolder } from '../../support/sample-pack.js';

/** The model of a pack with these files (see `packFolder`), whatever is wrong with it. */
export function linked(files: PackFiles, vars: Readonly<Record<string, string>> = {}): Model {
  const { source, problems } = readPack(packFolder(files));
  const found = [...problems, ...validateSchemas(source)].filter(({ severity }) => severity === 'error');
  if (found.length > 0) throw new Error(JSON.stringify(found, null, 2));
  return linkModel(source, vars);
}

/** `code: message`, and the suggestion if there is one, for each problem of a model. */
export function problemsOf({ diagnostics }: Model): string[] {
  return diagnostics.problems.all.map(
    ({ code, message, suggestion }) => `${code}: ${message}${suggestion === undefined ? '' : ` -> ${suggestion}`}`,
  );
}

/** Files of a pack with one resource that has these fields (YAML, one a line). */
export function resourceWith(fields: string, more: PackFiles = {}): PackFiles {
  const lines = fields.trim().replace(/^/gm, '  ');
  return { 'resources/thing.yaml': `resource: thing\ncollection: things\nfields:\n${lines}\n`, ...more };
}

/** The resource of such a pack; throws when the pack has problems. */
export function resourceOf(fields: string, more: PackFiles = {}): ResourceDef {
  const model = linked(resourceWith(fields, more));
  const problems = problemsOf(model);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return model.resources[0];
}

/** The type of a field that is written so. */
export function typeOf(field: string, more: PackFiles = {}): Schema {
  const schema = resourceOf(`field: ${field}`, more).schema.fields.get('field');
  if (!schema) throw new Error('the field is lost');
  return schema;
}

/** What is wrong with a value of a type, as `path: message`; undefined: nothing. */
export function wrongWith(schema: Schema, value: Json, time: 'unix' | 'iso8601' = 'iso8601'): string | undefined {
  const found = misfit(schema, value, 'it', time);
  return found && `${found.path}: ${found.message}`;
}
