import { loadPack } from '../../engine/index.js';
import { runExamples } from '../../tools/examples/index.js';
import { samplePack } from '../support/sample-pack.js';

const full = samplePack('full');

async function told(...replacements: readonly (readonly [string, string])[]): Promise<string[]> {
  const { problems, source } = loadPack(full.write(full.patched('examples/pay.yaml', ...replacements)));
  expect(problems).toEqual([]);
  const results = await runExamples(source);
  return results.problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`);
}

test('an example that holds', async () => {
  const { source, problems } = loadPack(full.folder);
  expect(problems).toEqual([]);
  expect(await runExamples(source)).toEqual({ examples: 1, calls: 3, problems: [] });
});

test.each<[string, [string, string], string]>([
  ['another status', ['status: 200', 'status: 201'], '8:23 POST /v1/orders/${order}/pay returned 200, not 201: {"id":'],
  [
    'an error where success is expected',
    ['amount: 500,', 'amount: 0,'],
    '3:11 POST /v1/orders returned 400, not a success: {"error":',
  ],
  ['another value', ['thanks for 500', 'thanks'], '8:72 body.note is "thanks for 500", not "thanks"'],
  ['a missing key', ['note: thanks for 500', 'notes: thanks'], '8:73 body.notes is missing: expected "thanks"'],
  ['a condition that is false', ["startsWith('or_')", "startsWith('x')"], '5:54 body.id is "or_'],
  ['fewer items', ['[{ id: "${order}" }]', '[]'], '12:44 body.resources.orders has 1 items, not 0'],
  ['a value to save that is not there', ['order: id', 'order: idd'], "6:20 the response has no 'idd'"],
])('%s is told where it is written', async (_name, replacement, message) => {
  const [first] = await told(replacement);
  expect(first).toContain(`examples/pay.yaml:${message}`);
});
