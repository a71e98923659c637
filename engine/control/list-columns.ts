import type { Json } from '../values/index.js';
import type { ResourceDef, Schema } from '../model/index.js';
import type { Row } from '../world/index.js';

/** Number of fields that a list shows in addition to id and status. */
const WANTED = 4;
/** Number of objects that are examined to select the columns of a list. */
const SAMPLE = 40;
const SIMPLE = new Set<Schema['kind']>(['string', 'ref', 'integer', 'number', 'boolean', 'enum']);
/** Maximum length of a text that a column of a list shows. */
const LONGEST = 60;

/** The fields that best distinguish the objects of a list: mostly filled, with the most distinct values. */
export function distinctFields(def: ResourceDef, rows: readonly Row[]): string[] {
  const sample = rows.slice(0, SAMPLE);
  if (sample.length === 0) return [];
  const rated = [...def.schema.fields].flatMap(([name, schema], place) => {
    if (!isDistinct(name, schema, def)) return [];
    const values = sample.map(({ value }) => value[name] ?? null).filter(isShort);
    if (values.length * 3 < sample.length) return [];
    const variety = new Set(values).size / sample.length;
    // References and numbers distinguish more than constant words; earlier fields more than later ones.
    const weight = schema.kind === 'ref' ? 0.5 : schema.kind === 'integer' || schema.kind === 'number' ? 0.4 : 0;
    return [{ name, place, rate: variety + weight + values.length / sample.length - place / 200 }];
  });
  return rated
    .sort((a, b) => b.rate - a.rate)
    .slice(0, WANTED)
    .sort((a, b) => a.place - b.place)
    .map(({ name }) => name);
}

function isDistinct(name: string, schema: Schema, { status, file }: ResourceDef): boolean {
  if (name === 'id' || name === status || name === file.order) return false;
  if (schema.hidden || schema.internal || schema.secret || schema.view !== undefined) return false;
  return SIMPLE.has(schema.kind) && !/secret|token|url/.test(name);
}

function isShort(value: Json): boolean {
  return value !== null && value !== '' && (typeof value !== 'string' || value.length <= LONGEST);
}
