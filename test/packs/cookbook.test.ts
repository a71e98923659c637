import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPack } from '../../engine/index.js';
import { formatProblems } from '../../engine/pack/index.js';
import { runExamples } from '../../tools/examples/index.js';
import { overlaidPack } from '../support/overlaid-pack.js';
import { ROOT } from '../support/root.js';

/**
 * The entries of docs/guides/cookbook.md: each is laid over the pack that `sandbox init-pack` makes, has to validate without a
 * warning, and its calls have to be answered as it says.
 */

const entries = [
  ...readFileSync(join(ROOT, 'docs', 'guides', 'cookbook.md'), 'utf8').matchAll(
    /^## (.+)$([\s\S]*?)(?=^## |(?![\s\S]))/gm,
  ),
].map(([, title, text]): [string, string[]] => [
  title,
  [...text.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, block]) => block),
]);

describe('docs/guides/cookbook.md', () => {
  test.each(entries)('%s', async (title, blocks) => {
    const { pack, problems, source } = loadPack(overlaidPack(blocks, title));
    expect(formatProblems(problems, { format: 'text', color: false, source })).toBe('');
    expect(pack).toBeDefined();
    const results = await runExamples(source);
    expect(formatProblems(results.problems, { format: 'text', color: false, source })).toBe('');
    expect(results.calls).toBeGreaterThan(0);
  });
});
