import { join } from 'node:path';
import { loadPack } from '../../../engine/index.js';
import { runCommand } from '../../support/command.js';
import { overlaidPack } from '../../support/overlaid-pack.js';
import { ROOT } from '../../support/root.js';

const TROUPE = join(ROOT, 'test', 'packs', 'troupe');

interface Report {
  readonly valid: boolean;
  readonly packs: readonly { readonly problems: readonly Readonly<Record<string, unknown>>[] }[];
}

async function validate(...args: readonly string[]): Promise<{ readonly code: number; readonly report: Report }> {
  const { code, stdout } = await runCommand(['validate-pack', ...args, '--json']);
  return { code, report: JSON.parse(stdout) as Report };
}

test('what has no description is a warning of `validate-pack --complete`, at its line, and of nothing else', async () => {
  const { code, report } = await validate(TROUPE, '--complete');
  expect([code, report.valid]).toEqual([0, true]);
  const told = report.packs[0].problems.map(({ file, line, code: kind, message }) => [
    String(file).replace(/^.*resources\//, ''),
    line,
    kind,
    message,
  ]);
  expect(told).toContainEqual(['part.yaml', 13, 'missing-description', "operation 'create' has no `description`"]);
  expect(told).toContainEqual([
    'part.yaml',
    14,
    'missing-description',
    "parameter 'play', 'player', 'role' has no `description`",
  ]);
  expect(told).toContainEqual(['play.yaml', 15, 'missing-description', "state 'open' has no `description`"]);
  expect(loadPack(TROUPE).problems).toEqual([]);
});

test('`--strict` counts these warnings, and a description ends one', async () => {
  const written =
    '# resources/parcel.yaml\noperations:\n  list: { title: List parcels, description: All parcels. }\n  cancel: {}\n';
  const { code, report } = await validate(overlaidPack([written], 'described'), '--complete', '--strict');
  const messages = report.packs[0].problems.flatMap(({ file, message }) =>
    String(file).endsWith('parcel.yaml') ? [message] : [],
  );
  expect(code).toBe(1);
  expect(messages).toContain("operation 'cancel' has no `description`");
  expect(messages).not.toContain("operation 'list' has no `description`");
});
