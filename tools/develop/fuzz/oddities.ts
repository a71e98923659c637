import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Json } from '../../../engine/values/index.js';
import { installation } from '../../command/installation.js';
import type { Dice } from '../simulate/dice.js';

interface Oddities {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  readonly durations: readonly string[];
  readonly schemas: readonly Json[];
}

const FILE = join(installation(), 'tools', 'develop', 'fuzz', 'oddities.yaml');
const { texts, ...values } = parse(readFileSync(FILE, 'utf8')) as Oddities;

export const BIG = 'a'.repeat(70_000);
export const TEXTS = texts.map((text) => text.replace('BIG', BIG).replace('SNOW', '☃'.repeat(300)));
export const { numbers: NUMBERS, durations: DURATIONS, schemas: SCHEMAS } = values;

/** Generates a value that operations rarely accept. */
export function odd(dice: Dice): Json {
  const all: Json[] = [
    dice.one(TEXTS),
    dice.one(NUMBERS),
    null,
    true,
    [],
    {},
    [[[[]]]],
    { a: { b: { c: 1 } } },
    nested(80),
    dice.one(SCHEMAS),
  ];
  return dice.one(all);
}

function nested(levels: number): Json {
  let made: Json = 1;
  for (let level = 0; level < levels; level++) made = [made];
  return made;
}
