import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { installation } from '../../command/installation.js';
import { controlTypes } from './control-types.js';
import { packTypes } from './pack-types.js';
import { packWords } from './pack-words.js';
import { stepKindTables } from './step-kinds.js';

/** All source files that are generated from schemas and packs, by path. */
export async function generatedSources(): Promise<ReadonlyMap<string, string>> {
  const texts = {
    'engine/model/files.ts': await formatted('engine/model/files.ts', packTypes()),
    'engine/pack/step-kinds.ts': await formatted('engine/pack/step-kinds.ts', stepKindTables()),
    // Long lists of names that .prettierignore excludes, since formatting them takes seconds.
    'engine/control/client-types.cts': await controlTypes(),
    'tools/in-tests/packs.cts': packWords(),
  };
  return new Map(Object.entries(texts).map(([name, text]) => [join(installation(), name), text]));
}

async function formatted(name: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(join(installation(), name))), parser: 'typescript' });
}
