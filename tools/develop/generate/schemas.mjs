/**
 * Writes schemas/NAME.json from schemas/NAME.yaml. Runs before the compiler, so it is plain JavaScript. A property without a title gets its key as
 * the title, with spaces for underscores. `written:` contains the differences for short forms: editors use the schema with them; the loader and the
 * types of pack files use schemas/long/NAME.json without them, after short forms are expanded.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const folder = fileURLToPath(new URL('../../../schemas', import.meta.url));

/** Keywords whose schemas are conditions and need no titles. */
const CONDITIONS = new Set(['if', 'not']);

/** Adds a title to every property of a schema. */
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

/** Creates the schema for short forms (`short`), or for expanded files. */
function inForm(node, short) {
  if (Array.isArray(node)) return node.map((each) => inForm(each, short));
  if (typeof node !== 'object' || node === null) return node;
  const { written, ...rest } = node;
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inForm(value, short)]));
  return short && written ? merged(own, written) : own;
}

/** Merges maps, and replaces other values; null removes a key. */
function merged(into, from) {
  const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMap(into) || !isMap(from)) return from;
  const made = { ...into };
  for (const [key, value] of Object.entries(from)) {
    if (value === null) delete made[key];
    else made[key] = merged(made[key], value);
  }
  return made;
}

mkdirSync(join(folder, 'long'), { recursive: true });
for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
  const data = parse(readFileSync(join(folder, file), 'utf8'));
  const name = file.replace(/\.yaml$/, '.json');
  if (!file.endsWith('.schema.yaml')) write(name, data);
  else {
    write(name, titled(inForm(data, true)));
    write(join('long', name), titled(inForm(data, false)));
  }
}

function write(name, schema) {
  writeFileSync(join(folder, name), `${JSON.stringify(schema, null, 2)}\n`);
}
