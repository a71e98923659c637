import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { newPack } from '../../tools/templates/new-pack.js';

/** Packs that are blocks of YAML, laid over the pack that `sandbox init-pack` makes. */

type Data = Readonly<Record<string, unknown>>;

/** How deep keys stand beside those of the pack; below that they replace them. */
const DEPTHS: Readonly<Record<string, number>> = { 'pack.yaml': 1, 'errors.yaml': 2 };
const DEPTH = 2;
const made: string[] = [];

/**
 * Writes a pack into a folder of its own, which `removeOverlaid` removes.
 * @param blocks each begins with the file that it is laid over (`# pack.yaml`); `# calls` is an example
 * @param title of the example
 */
export function overlaidPack(blocks: readonly string[], title: string): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'overlaid-')), 'shop');
  made.push(dirname(folder));
  const files: Record<string, string> = { ...newPack('shop') };
  delete files['examples/parcel.yaml'];
  for (const block of blocks) {
    const name = /^# (\S+)/.exec(block)?.[1] ?? '';
    const over: unknown = parse(block);
    if (name === 'calls') files['examples/entry.yaml'] = stringify({ example: title, calls: over });
    else {
      const base: unknown = Object.hasOwn(files, name) ? parse(files[name]) : {};
      files[name] = stringify(laidOver(base, over, DEPTHS[name] ?? DEPTH));
    }
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

export function removeOverlaid(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
}

function laidOver(base: unknown, over: unknown, depth: number): unknown {
  if (depth === 0 || !isMap(base) || !isMap(over)) return over;
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) result[key] = laidOver(base[key], value, depth - 1);
  return result;
}

function isMap(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
