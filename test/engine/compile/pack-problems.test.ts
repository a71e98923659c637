import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPack } from '../../../engine/index.js';
import { overlaidPack } from '../../support/overlaid-pack.js';
import { runCommand } from '../../support/command.js';

/** What is wrong in a pack laid over the one that `sandbox init-pack` makes, and what the validator reports. */

/** What is wrong, and what the validator has to say of it; the place is the file that the block is laid over. */
const REPORTED: readonly (readonly [block: string, says: string])[] = [
  ['# pack.yaml\nrequest_id: { prefix: req_, header: "X-${vars.nope}-Id" }', 'nope'],
  ['# pack.yaml\nidempotency: { header: "Idem ${vars.nope}" }', 'nope'],
  ['# pack.yaml\nidempotency: { header: Idem, replayed_header: X Y }', 'X Y'],
  ['# pack.yaml\nheaders: { X-A: "${nonsense}" }', 'nonsense'],
  ['# pack.yaml\nheaders: { X-A: "${unknown_fn(1)}" }', 'unknown_fn'],
  ['# pack.yaml\nheaders: { X-A: "${foo.bar+1}" }', 'foo'],
  ['# pack.yaml\nrealistic: { headers: { X-A: "${nonsense}" } }', 'nonsense'],
  [
    '# pack.yaml\nvars: { realistic: "on" }\nrealistic: { without: [X-A] }\nheaders: { X-A: "${nonsense}" }',
    'nonsense',
  ],
  ['# resources/parcel.yaml\noperations: { eat: { route: "POST /v1/parcels/{id}/eat/{id}" } }', '{id}'],
  [
    '# resources/parcel.yaml\nmachine: { initial: ready, states: { ready: { after: { 2d: gone } }, gone: {} } }',
    'durations',
  ],
  [
    '# resources/parcel.yaml\nflows: { f: { args: { one: parcel }, do: [] } }\noperations: { eat: { do: [{ run: f, with: { one: self } }] } }',
    '=self',
  ],
  ['# resources/parcel.yaml\noperations: { eat: { xyzzy: 1 } }', 'route'],
  ['# resources/parcel.yaml\nfields: { stops: list }', 'array'],
  ['# resources/parcel.yaml\nfields: { due: datetime }', 'timestamp'],
  ['# resources/parcel.yaml\nfields: { due: { type: string, default: "${format_time(now, \'YYYY-QQ\')}" } }', 'QQ'],
];

test.each(REPORTED)('%s is reported with %s', (block, says) => {
  const { problems } = loadPack(overlaidPack([block], ''));
  const file = /^# (\S+)/.exec(block)?.[1];
  const text = problems
    .filter((each) => each.file === file)
    .map(({ message, suggestion }) => `${message} ${suggestion ?? ''}`);
  expect(text).toContainEqual(expect.stringContaining(says));
});

test('events that no world ever makes are reported, and fail a strict run', async () => {
  const folder = overlaidPack([], '');
  const pack = readFileSync(join(folder, 'pack.yaml'), 'utf8');
  writeFileSync(join(folder, 'pack.yaml'), pack.replace(/^(?:events|delivery):\n(?: .*\n)+/gm, ''));
  const { code, stdout, stderr } = await runCommand(['validate-pack', folder, '--strict']);
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('no event is ever made');
});

/** Resources whose ids look alike. @param field another field of the last one */
function problemsOfAlike(field: string) {
  const names = ['ant', 'bee', 'cow', 'dog', 'eel', 'fox'];
  const alike = names.map(
    (name) => `# resources/${name}.yaml
resource: ${name}
collection: ${name}s
id: { prefix: "", format: plain }
fields: { size: { type: integer, default: 1 }${name === 'fox' ? field : ''} }
operations: [create, retrieve]`,
  );
  return loadPack(overlaidPack(['# pack.yaml\nids: { plain: { parts: [{ random: 12 }] } }', ...alike], '')).problems;
}

test('ids that look alike are no problem where each reference says what it names', () => {
  expect(problemsOfAlike(', of: { ref: ant, nullable: true }')).toEqual([]);
});

test('many resources whose ids look alike, and that one reference may name, are one warning', () => {
  const problems = problemsOfAlike(', of: { ref: [ant, bee, cow, dog, eel, fox], nullable: true }');
  expect(problems.map(({ file, code, message }) => [file, code, message.replace(/'.+'/, 'ID')])).toEqual([
    [
      'resources/bee.yaml',
      'ambiguous-ids',
      'ids of ant, bee, cow, dog and 2 more cannot be distinguished: ID could be any of them',
    ],
  ]);
});
