import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FormatConfig, format } from 'oxfmt';
import { installation } from '../../command/installation.js';
import { controlTypes } from './control-types.js';
import { packTypes } from './pack-types.js';
import { packWords } from './pack-words.js';
import { stepKindTables } from './step-kinds.js';

/** Generates all source files that come from schemas and packs, by path. */
export async function generatedSources(): Promise<ReadonlyMap<string, string>> {
  const texts = {
    'engine/model/files.ts': await formatted('engine/model/files.ts', packTypes()),
    'engine/pack/step-kinds.ts': await formatted('engine/pack/step-kinds.ts', stepKindTables()),
    // `.oxfmtrc.json` excludes these long lists of names from formatting.
    'engine/control/client-types.cts': await controlTypes(),
    'tools/in-tests/packs.cts': packWords(),
  };
  return new Map(Object.entries(texts).map(([name, text]) => [join(installation(), name), text]));
}

async function formatted(name: string, text: string): Promise<string> {
  const rules = JSON.parse(readFileSync(join(installation(), '.oxfmtrc.json'), 'utf8')) as FormatConfig;
  const { code, errors } = await format(name, text, rules);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  return code;
}
