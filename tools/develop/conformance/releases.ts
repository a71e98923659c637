import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installation } from '../../command/installation.js';
import { type Allowances, allowances } from './allowances.js';
import { Conformance, type ConformanceOptions } from './bodies.js';
import type { ShapeProblem } from './check.js';
import { type Declarations, extract } from './extract.js';

const modules = join(installation(), 'node_modules');
const cache = join(modules, '.cache', 'conformance');
const EXTRACT = join(installation(), 'tools', 'develop', 'conformance', 'extract.ts');

/** A client release to check bodies against. */
export interface ConformanceRelease {
  /** Package and version, such as `stripe@20.4.1`. */
  readonly name: string;
  readonly conformance: Conformance;
}

/** Allowances without the objects that later releases declare. */
const LATER: Allowances = { ...allowances, objects: [] };

/**
 * Reads the declarations of an installed release from the cache in `node_modules/.cache/conformance`. The cache is written again if the release or
 * its reader has changed. Reading takes seconds; test workers may do it concurrently, since the file is renamed atomically.
 * @param folder of the package
 */
export function releaseOf(folder: string, allowed = LATER): ConformanceRelease {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string };
  const key = createHash('sha256').update(readFileSync(EXTRACT)).digest('hex').slice(0, 16);
  const cached = join(cache, `${version}-${key}.json`);
  if (!existsSync(cached)) {
    mkdirSync(cache, { recursive: true });
    const partial = `${cached}.${process.pid}`;
    writeFileSync(partial, JSON.stringify(extract(typesOf(folder), join(modules, '@types'), `${partial}.ts`)));
    renameSync(partial, cached);
  }
  const declarations = JSON.parse(readFileSync(cached, 'utf8')) as Declarations;
  return { name: `stripe@${version}`, conformance: new Conformance(declarations, allowed) };
}

/** Finds the folder of a release's declarations; since release 21, they are beside the code. */
function typesOf(folder: string): string {
  const old = join(folder, 'types', 'index.d.ts');
  return existsSync(old) ? old : join(folder, 'esm', 'stripe.esm.node.d.ts');
}

/** The client that the project is tested with, read on import so that this doesn't count against a test's time limit. */
export const PINNED = releaseOf(join(modules, 'stripe'), allowances);

/** Checks a body against the types of the pinned client. */
export function conformanceOf(value: unknown, options: ConformanceOptions = {}): ShapeProblem[] {
  return PINNED.conformance.of(value, options);
}
