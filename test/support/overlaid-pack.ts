import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMap, parse, parseDocument, stringify, type YAMLMap } from 'yaml';
import { newPack } from '../../tools/templates/new-pack.js';
import { folderOfTest } from './scratch-folder.js';

/** Creates packs from blocks of YAML, merged into the pack that `sandbox init-pack` generates. */

/** Number of levels of keys that are merged, by file; deeper values are replaced. */
const DEPTHS: Readonly<Record<string, number>> = { 'pack.yaml': 1, 'errors.yaml': 2 };
const DEPTH = 2;

/**
 * Writes a pack to a new folder, which is removed after the tests of the file.
 * @param blocks each begins with the name of the file that it is merged into (`# pack.yaml`); `# calls` is an example
 * @param title of the example
 */
export function overlaidPack(blocks: readonly string[], title: string): string {
  const folder = join(folderOfTest(), 'shop');
  const files: Record<string, string> = { ...newPack('shop') };
  delete files['examples/parcel.yaml'];
  for (const block of blocks) {
    const name = /^# (\S+)/.exec(block)?.[1] ?? '';
    if (name === 'calls') files['examples/entry.yaml'] = stringify({ example: title, calls: parse(block) as unknown });
    else files[name] = laidOver(files[name] ?? '{}', block, DEPTHS[name] ?? DEPTH);
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Merges two YAML texts. Works on nodes instead of data, because parsing to data would turn a name without a colon into a pair with null. */
function laidOver(base: string, over: string, depth: number): string {
  const [below, above] = [base, over].map((text) => parseDocument(text));
  if (isMap(below.contents) && isMap(above.contents)) {
    below.contents.flow = below.contents.items.length === 0 ? false : below.contents.flow;
    lay(below.contents, above.contents, depth);
  }
  return below.toString({ lineWidth: 0 });
}

function lay(base: YAMLMap, over: YAMLMap, depth: number): void {
  for (const pair of over.items) {
    const known = base.items.find(({ key }) => String(key) === String(pair.key));
    if (known === undefined) base.items.push(pair);
    else if (depth > 1 && isMap(known.value) && isMap(pair.value)) lay(known.value, pair.value, depth - 1);
    else known.value = pair.value;
  }
}
