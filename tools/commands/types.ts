import { writeFileSync } from 'node:fs';
import { typeName, wordsInterface } from '../words/types.js';
import { Exit, type Output } from '../command/output.js';
import { soundPack } from '../command/sound-pack.js';

/** The parsed options of `sandbox types`. */
export interface TypesOptions {
  readonly out?: string;
}

const MODULE = '@vendor-sandbox/sandbox/words';

/**
 * Prints the names of a pack as types for the control client, or writes them to a file; returns the exit code.
 * @throws Failure if there is no such pack or it has errors
 */
export async function types(given: string, { out }: TypesOptions, output: Output): Promise<number> {
  const pack = await soundPack(given, output);
  const { name } = pack.model.settings;
  const members = [...new Set([name, given])].map((each) => `    ${JSON.stringify(each)}: ${typeName(name)};`);
  const text = [
    `// Written by \`sandbox types ${given}\`.`,
    `import type {} from '${MODULE}';`,
    '',
    wordsInterface(pack),
    `declare module '${MODULE}' {`,
    '  interface Packs {',
    ...members,
    '  }',
    '}',
  ].join('\n');
  if (out === undefined) output.print(text);
  else writeFileSync(out, `${text}\n`);
  return Exit.done;
}
