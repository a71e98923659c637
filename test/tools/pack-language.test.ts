import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { blocksOf, placeOf } from './blocks.js';
import { ROOT } from '../support/root.js';

/** The files and parts of files that the pages of the language show, against the schemas. */

const PAGE = 'docs/reference/pack-language.md';
const PAGES = [PAGE, 'docs/reference/rules.md'];
type Shape = Readonly<Record<string, unknown>>;
/** What `[ steps ]` of the page stands for. */
const STEPS = "[{ let: { a: '1' } }]";

const schemas = new Ajv({ strict: false, allErrors: true, validateFormats: false });
for (const file of readdirSync(join(ROOT, 'schemas')).filter((name) => name.endsWith('.schema.json'))) {
  const { required: _required, ...schema } = JSON.parse(readFileSync(join(ROOT, 'schemas', file), 'utf8')) as Shape;
  // The page shows parts of files: nothing is missing from a part.
  schemas.addSchema({ ...schema, $id: file });
}

const yaml = PAGES.flatMap((page) => blocksOf(page)).filter((block) => block.language === 'yaml');

test.each(yaml.map((block) => [placeOf(block), block] as const))('%s is as the schema has it', (_place, block) => {
  const [, file, pointer = ''] = /^schema=(\w+)(#.*)?$/.exec(block.attribute) ?? [];
  const check = schemas.getSchema(`${file}.schema.json${pointer}`);
  if (!check) throw new Error(`${block.attribute} names no schema`);
  const text = block.text.replaceAll('[ steps ]', STEPS).replaceAll('{ ... }', '{}');
  expect({ valid: check(parse(text)), errors: check.errors }).toEqual({ valid: true, errors: null });
});

test('says the whole language in fewer than 13,000 words', () => {
  const words = readFileSync(join(ROOT, PAGE), 'utf8')
    .split(/\s+/)
    .filter((word) => word !== '');
  expect(words.length).toBeLessThan(13_000);
});
