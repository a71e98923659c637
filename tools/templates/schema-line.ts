import { dirname, join, relative } from 'node:path';
import { FOLDERS, SINGLE_FILES } from '../../engine/pack/index.js';
import { installation } from '../command/installation.js';

/**
 * Returns the first line of a pack's file, in which editors find the JSON Schema that completes and explains its keys.
 * @param folder of the pack, absolute
 * @param path of the file inside the pack, with `/`
 * @returns undefined for a file that isn't part of a pack
 */
export function schemaLine(folder: string, path: string): string | undefined {
  const [top, ...inner] = path.split('/');
  const kinds = inner.length === 0 ? SINGLE_FILES : FOLDERS;
  if (!path.endsWith('.yaml') || !Object.hasOwn(kinds, top)) return undefined;
  const schema = join(installation(), 'schemas', `${kinds[top]}.schema.json`);
  const way = relative(join(folder, dirname(path)), schema).replaceAll('\\', '/');
  return `# yaml-language-server: $schema=${way}`;
}
