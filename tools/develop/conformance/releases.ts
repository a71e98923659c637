import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installation } from '../../command/installation.js';
import { type Allowances, allowances } from './allowances.js';
import { Conformance } from './bodies.js';
import { extract } from './extract.js';
import { recordOf } from './json.js';

const project = installation();
const own = join(project, 'tools', 'develop', 'conformance');
const cache = join(project, 'node_modules', '.cache', 'conformance');

/** A release of the client, to check bodies against. */
export interface ConformanceRelease {
  /** Such as `stripe@20.4.1`. */
  readonly name: string;
  readonly conformance: Conformance;
}

/** Declarations that the pinned release has and later ones have not. */
const GONE = /^ *\| Stripe\.(UsageRecord|UsageRecordSummary);?$/gm;

/**
 * Reads the declarations of another installed release, and caches them.
 * @param folder of the package
 */
export function releaseOf(folder: string): ConformanceRelease {
  const { version } = recordOf(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), folder);
  const roots = rootsOf(Number(String(version).split('.')[0]));
  const key = createHash('sha256')
    .update(roots)
    .update(readFileSync(join(own, 'extract.ts')));
  const cached = join(cache, `${String(version)}-${key.digest('hex').slice(0, 16)}.json`);
  if (!existsSync(cached)) {
    mkdirSync(cache, { recursive: true });
    const partial = `${cached}.${process.pid}`;
    writeFileSync(`${partial}.ts`, roots);
    writeFileSync(
      partial,
      JSON.stringify(extract(`${partial}.ts`, typesOf(folder), join(project, 'node_modules', '@types'))),
    );
    renameSync(partial, cached);
  }
  const content = recordOf(JSON.parse(readFileSync(cached, 'utf8')), cached);
  const declarations = {
    definitions: recordOf(content.definitions, 'definitions'),
    eventObjects: recordOf(content.eventObjects, 'eventObjects'),
  };
  return { name: `stripe@${String(version)}`, conformance: new Conformance(declarations, LATER) };
}

/** Since 21 the declarations are beside the code. */
function typesOf(folder: string): string {
  const old = join(folder, 'types', 'index.d.ts');
  return existsSync(old) ? old : join(folder, 'esm', 'stripe.esm.node.d.ts');
}

/** @param major number of the release: since 19 the second version of the API has folders */
function rootsOf(major: number): string {
  const text = readFileSync(join(own, 'roots.ts'), 'utf8');
  return (major < 19 ? text : text.replace(/Stripe\.V2\.Event/g, 'Stripe.V2.Core.Event'))
    .replace(GONE, '')
    .replace('    | Stripe.Invoice\n', '    | Stripe.Invoice\n    | Stripe.InvoicePayment\n')
    .replace(
      '  v2:\n',
      major < 23 ? '  v2:\n' : '  v2:\n    | Stripe.V2.Core.Account\n    | Stripe.V2.Core.AccountLink\n',
    )
    .replace('  event: ', '  events: Stripe.Event;\n  event: ');
}

/** Allowances without what later releases declare. */
const LATER: Allowances = { ...allowances, objects: [] };
