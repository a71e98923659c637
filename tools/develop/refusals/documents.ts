import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { installation } from '../../command/installation.js';

/** Hashes the data that a pack's figures depend on: its facts and the rules for violating calls. */
export function measuredHash(pack: string): string {
  const files = [join('packs', pack, 'facts.yaml'), join('tools', 'openapi', 'broken.ts')];
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

/** A vendor's document for measuring a shipped pack. */
export type DocumentSource = {
  readonly pack: string;
  readonly title: string;
  /** Files of the document, relative to the repository or package. */
  readonly paths: readonly string[];
} & (
  | { readonly repository: string; readonly commit: string; readonly npm?: undefined }
  /** The document is in an npm package, named with its version. */
  | { readonly npm: string; readonly repository?: undefined; readonly commit?: undefined }
);

const FILE = join(installation(), 'tools', 'develop', 'refusals', 'documents.yaml');

export const DOCUMENTS = parse(readFileSync(FILE, 'utf8')) as readonly DocumentSource[];
