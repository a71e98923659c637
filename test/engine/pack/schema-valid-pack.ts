import { type PackSource, type Problem, readPack, validateSchemas } from '../../../engine/pack/index.js';
import { type Changes, samplePack } from '../../support/sample-pack.js';

/** A pack that is valid by the schemas; it is read here, never compiled. */
export const schemaValid = samplePack('schema-valid');

/** Everything that reading and the schemas have against the schema-valid pack with some files changed. */
export function check(changes: Changes = {}): {
  source: PackSource;
  problems: Problem[];
} {
  const { source, problems } = readPack(schemaValid.write(changes));
  return { source, problems: [...problems, ...validateSchemas(source)] };
}
