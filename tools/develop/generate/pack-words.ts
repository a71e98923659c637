import { join } from 'node:path';
import { loadPack, PackCache } from '../../../engine/index.js';
import { installation, packsIn } from '../../command/installation.js';
import { typeName, wordsInterface } from '../../words/types.js';

const HEADER = `// Written by \`npm run types:pack\` from packs/; a test compares. Change the packs, not this file.
`;

/** Generates types with the names of the included packs, unformatted. @throws Error for a pack with errors */
export function packWords(): string {
  const cache = PackCache.ofInstallation({ readOnly: true });
  const programs = packsIn(join(installation(), 'packs')).map((folder) => {
    const { pack } = loadPack(folder, { cache });
    if (!pack) throw new Error(`${folder} has errors`);
    return pack;
  });
  const members = programs.map(
    ({ model: { settings } }) => `    ${JSON.stringify(settings.name)}: ${typeName(settings.name)};`,
  );
  return [
    HEADER,
    ...programs.map((pack) => wordsInterface(pack)),
    "declare module '../../engine/control/words.cjs' {",
    '  interface Packs {',
    ...members,
    '  }',
    '}',
  ].join('\n');
}
