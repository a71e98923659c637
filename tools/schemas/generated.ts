import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { installation } from '../installation.js';
import { packTypes } from './pack-types.js';
import { stepKindTables } from './step-kinds.js';

/** The sources that are written from the schemas of pack files: where they stand, and what is in them. */
export async function generatedSources(): Promise<ReadonlyMap<string, string>> {
  const texts = { 'engine/model/files.ts': packTypes(), 'engine/pack/step-kinds.ts': stepKindTables() };
  const sources = new Map<string, string>();
  for (const [name, text] of Object.entries(texts)) {
    const path = join(installation(), name);
    sources.set(path, await format(text, { ...(await resolveConfig(path)), parser: 'typescript' }));
  }
  return sources;
}
