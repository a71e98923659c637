import type { GenerateSyncOptions, JsonSchema } from 'json-schema-faker';
import { ExpressionFailure, type Json, type JsonObject } from './host.js';
import { pathText, schemaProblems, type SchemaProblem } from './json-schema.js';
import { isObject, member, putAt } from './values.js';

type Library = typeof import('json-schema-faker');

let library: Library | undefined;

/**
 * Loads what `synthesize()` needs. The library is an ES module, so loading it takes an await, and most packs do without:
 * whoever runs a pack that synthesises waits for this first.
 */
export async function loadSynthesis(): Promise<void> {
  library ??= await import('json-schema-faker');
}

/** Tries before a schema counts as one that nothing fits; each with another seed, later ones with what is required only. */
const TRIES = 12;
const FULL_TRIES = 8;

const OPTIONS: GenerateSyncOptions = {
  alwaysFakeOptionals: true,
  useDefaultValue: true,
  useExamplesValue: true,
  maxDefaultItems: 2,
  resolveJsonPath: false,
  // Schemas nest deeper than the library expects by itself; what refers to itself ends after a few rounds.
  maxDepth: 40,
  refDepthMax: 3,
  minDateTime: '2024-01-01T00:00:00Z',
  maxDateTime: '2025-12-31T23:59:59Z',
};

/**
 * A value that is valid by a JSON Schema, the same for the same seed. Members of `hints` are taken over wherever the schema
 * has a property of their name that their value fits.
 * @throws ExpressionFailure when no fitting value was found
 */
export function synthesize(schema: Json, seed: number, hints: Json): Json {
  if (schema === null || (isObject(schema) && Object.keys(schema).length === 0)) return {};
  if (!library) throw new Error('loadSynthesis() comes before synthesize()');
  let problem: SchemaProblem | undefined;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const full = attempt < FULL_TRIES;
    const options = {
      ...OPTIONS,
      alwaysFakeOptionals: full,
      ...(full ? {} : { optionalsProbability: 0 }),
      seed: seed + attempt,
    };
    const made = library.generateSync(schema as JsonSchema, options) as Json;
    [problem] = schemaProblems(schema, made);
    if (!problem) return isObject(hints) ? withHints(schema, made, hints) : made;
  }
  const where = problem ? `${pathText('value', problem.path)}: ${problem.message}` : '';
  throw new ExpressionFailure(`synthesize() found no value that fits the schema (${where})`);
}

/** Takes over members of the hints, each only if the whole stays valid. */
function withHints(schema: Json, made: Json, hints: JsonObject): Json {
  let best = made;
  const visit = (path: readonly string[]): void => {
    const at = path.reduce<Json>(member, best);
    if (!isObject(at)) return;
    for (const key of Object.keys(at)) {
      const here = [...path, key];
      const next = Object.hasOwn(hints, key) ? putAt(best, here, hints[key]) : undefined;
      if (next !== undefined && schemaProblems(schema, next).length === 0) best = next;
      else visit(here);
    }
  };
  visit([]);
  return best;
}
