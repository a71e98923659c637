/**
 * Writes schemas/NAME.json from schemas/NAME.yaml. Runs before the compiler, so it is plain JavaScript. A property without a title
 * gets its key as the title, with blanks for underscores.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const folder = fileURLToPath(new URL('../../../schemas', import.meta.url));

/** What only compares needs no titles. */
const CONDITIONS = new Set(['if', 'not']);

/** The same schema, whose properties all have a title. */
function titled(node) {
  if (Array.isArray(node)) return node.map(titled);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (CONDITIONS.has(key)) return [key, value];
      return [key, key === 'properties' ? titledProperties(value) : titled(value)];
    }),
  );
}

function titledProperties(properties) {
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => {
      const whole = titled(schema);
      if (typeof whole !== 'object' || whole === null || 'title' in whole) return [key, whole];
      return [key, { title: key.replaceAll('_', ' '), ...whole }];
    }),
  );
}

for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
  const data = parse(readFileSync(join(folder, file), 'utf8'));
  const schema = file.endsWith('.schema.yaml') ? titled(data) : data;
  writeFileSync(join(folder, file.replace(/\.yaml$/, '.json')), `${JSON.stringify(schema, null, 2)}\n`);
}
