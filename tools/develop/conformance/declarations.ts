import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installation } from '../../command/installation.js';
import { recordOf } from './json.js';

/** The client's `.d.ts` files as data. */
export interface Declarations {
  /** JSON Schemas (draft 7) by declaration name, e.g. `Stripe.PaymentIntent.NextAction`. */
  definitions: Readonly<Record<string, unknown>>;
  /** Name of the declaration of `data.object` by event type, e.g. `charge.refunded` -> `Stripe.Charge`. */
  eventObjects: Readonly<Record<string, unknown>>;
}

const project = installation();
const modules = join(project, 'node_modules');
const roots = join(project, 'tools', 'develop', 'conformance', 'roots.ts');
const generator = join(modules, 'ts-json-schema-generator', 'bin', 'ts-json-schema-generator.js');
const eventTypes = join(modules, 'stripe', 'types', 'EventTypes.d.ts');

/** Docs, sorting and type checks are off to save time. */
const generatorOptions = [
  ...['--type', 'Roots', '--expose', 'all', '--jsDoc', 'none', '--functions', 'hide'],
  ...['--no-type-check', '--no-top-ref', '--no-ref-encode', '--unstable', '--minify'],
];

/** Version of the cache file's own layout. */
const layout = 1;

/**
 * Reads the client's declarations from `node_modules/.cache/conformance/<hash>.json`, generating that file when the
 * client, the generator or `roots.ts` changed. Generating runs the generator in its own process and takes seconds;
 * concurrent test workers may both do it, the rename makes either result good.
 */
export function loadDeclarations(): Declarations {
  const folder = join(modules, '.cache', 'conformance');
  const cached = join(folder, `${cacheKey()}.json`);
  if (!existsSync(cached)) {
    mkdirSync(folder, { recursive: true });
    const partial = `${cached}.${process.pid}`;
    writeFileSync(partial, JSON.stringify(generate(`${partial}.schema`)));
    renameSync(partial, cached);
  }
  const content = recordOf(JSON.parse(readFileSync(cached, 'utf8')), cached);
  return {
    definitions: recordOf(content.definitions, 'definitions'),
    eventObjects: recordOf(content.eventObjects, 'eventObjects'),
  };
}

/** The pinned client, e.g. `stripe@17.5.0`, for messages. */
export function clientName(): string {
  return `stripe@${versionOf('stripe')}`;
}

function generate(schemaFile: string): Declarations {
  const files = ['--path', roots, '--tsconfig', join(project, 'tsconfig.json'), '--out', schemaFile];
  execFileSync(process.execPath, [generator, ...files, ...generatorOptions], { cwd: project, stdio: 'pipe' });
  const schema = recordOf(JSON.parse(readFileSync(schemaFile, 'utf8')), schemaFile);
  rmSync(schemaFile);
  return { definitions: recordOf(schema.definitions, 'definitions'), eventObjects: readEventObjects() };
}

/**
 * Reads which object each event type carries from the text of the client's event declarations. They are generated
 * and regular, and this costs 1 ms where the generator takes 6 s for the same.
 */
function readEventObjects(): Record<string, string> {
  const text = readFileSync(eventTypes, 'utf8');
  const objects = new Map<string, string>();
  for (const [, event, object] of text.matchAll(
    /namespace (\w+Event) \{\s+interface Data extends Stripe\.Event\.Data \{\s+object:\s+([\w.]+);/g,
  )) {
    objects.set(event, object);
  }
  const byType: Record<string, string> = {};
  for (const [, event, type] of text.matchAll(/interface (\w+Event)\s+extends\s+EventBase \{\s+type:\s+'([^']+)';/g)) {
    const object = objects.get(event);
    if (object === undefined) throw new Error(`${event}: no declaration of data.object found`);
    byType[type] = object;
  }
  return byType;
}

function cacheKey(): string {
  const parts = [layout, versionOf('stripe'), versionOf('ts-json-schema-generator'), versionOf('typescript')];
  const hash = createHash('sha256').update(JSON.stringify([...parts, generatorOptions]));
  return hash.update(readFileSync(roots)).digest('hex').slice(0, 16);
}

function versionOf(name: string): string {
  const manifest = recordOf(JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')), name);
  return String(manifest.version);
}
