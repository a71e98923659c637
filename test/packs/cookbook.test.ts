import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { loadPack } from '../../engine/index.js';
import { formatProblems } from '../../engine/pack/index.js';
import { runExamples } from '../../tools/examples/index.js';
import { newPack } from '../../tools/templates/new-pack.js';
import { ROOT } from '../tools/command.js';

/**
 * The entries of docs/guides/cookbook.md: each is laid over the pack that `sandbox init-pack` makes, has to validate without a
 * warning, and its calls have to be answered as it says.
 */

type Data = Readonly<Record<string, unknown>>;

/** How deep keys stand beside those of the pack; below that they replace them. */
const DEPTHS: Readonly<Record<string, number>> = { 'pack.yaml': 1, 'errors.yaml': 2 };
const DEPTH = 2;

const entries = [
  ...readFileSync(join(ROOT, 'docs', 'guides', 'cookbook.md'), 'utf8').matchAll(
    /^## (.+)$([\s\S]*?)(?=^## |(?![\s\S]))/gm,
  ),
].map(([, title, text]): [string, string[]] => [
  title,
  [...text.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, block]) => block),
]);

function laidOver(base: unknown, over: unknown, depth: number): unknown {
  if (depth === 0 || !isMap(base) || !isMap(over)) return over;
  const made: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) made[key] = laidOver(base[key], value, depth - 1);
  return made;
}

function isMap(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Writes the pack of an entry into a folder. */
function write(folder: string, title: string, blocks: readonly string[]): void {
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
}

describe('docs/guides/cookbook.md', () => {
  let folder: string;

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'cookbook-')), 'shop');
  });
  afterEach(() => rmSync(dirname(folder), { recursive: true }));

  test.each(entries)('%s', async (title, blocks) => {
    write(folder, title, blocks);
    const { pack, problems, source } = loadPack(folder);
    expect(formatProblems(problems, { format: 'text', color: false, source })).toBe('');
    expect(pack).toBeDefined();
    const results = await runExamples(source);
    expect(formatProblems(results.problems, { format: 'text', color: false, source })).toBe('');
    expect(results.calls).toBeGreaterThan(0);
  });
});
