import { join } from 'node:path';
import { loadPack } from '../../../engine/index.js';
import { reportUndescribed } from '../../../engine/compile/index.js';
import { parameterDescription } from '../../../engine/program/index.js';
import { exportDocument } from '../../../tools/openapi/export.js';
import { runCommand } from '../../support/command.js';
import { overlaidPack } from '../../support/overlaid-pack.js';
import { ROOT } from '../../support/root.js';
import { sampleOf } from '../../support/sample.js';

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

test.each(sampleOf(['task-automation', 'payments', 'team-chat', 'code-hosting'], 2))(
  'nothing of %s lacks a description',
  (name) => {
    const { pack } = loadPack(join(ROOT, 'packs', name));
    expect(pack && reportUndescribed(pack).map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([]);
  },
);

test('a parameter is described by its operation, else by `params:` of the resource, its field or its named type', () => {
  const written = [
    '# types.yaml\nweight: { type: integer, description: In grams. }\n',
    '# resources/parcel.yaml',
    'fields: { weight: { type: weight, nullable: true }, label: { type: string?, description: What stands on it. } }',
    'params: { note: { type: string, description: For us. } }',
    'operations:',
    '  remark: { kind: action, params: { note }, return: =params.note }',
    '  send:',
    '    kind: action',
    '    return: "=[params.weight, params.label, params.note, params.loose]"',
    '    params: { weight: weight, label: { type: string, max_length: 20 }, note: { type: string, max_length: 9 }, loose: { type: string } }',
    '  list: { filters: { label: {}, text: { field: label }, heavy: { type: boolean, where: item.weight > 1000 } } }',
  ];
  const { pack, problems } = loadPack(overlaidPack([written[0], written.slice(1).join('\n')], 'inherited'));
  expect(problems).toEqual([]);
  const text = (key: string, param: string) => {
    const found = pack?.operations.find((operation) => operation.key === key);
    return found && pack ? parameterDescription(found, param, pack.model) : null;
  };
  expect(['weight', 'label', 'note', 'loose'].map((param) => text('parcels.send', param))).toEqual([
    'In grams.',
    'What stands on it.',
    'For us.',
    undefined,
  ]);
  expect(['label', 'text', 'heavy'].map((param) => text('parcels.list', param))).toEqual([
    'What stands on it.',
    'What stands on it.',
    undefined,
  ]);
  expect(text('parcels.send', 'id')).toBe('Id of the parcel.');
});

test('an exported document says of each parameter what it means, and names each once', () => {
  const { pack } = loadPack(join(ROOT, 'packs', 'payments'));
  const { paths } = (pack ? exportDocument(pack) : {}) as unknown as {
    readonly paths: Readonly<
      Record<
        string,
        Readonly<Record<string, { readonly parameters: readonly { name: string; description?: string }[] }>>
      >
    >;
  };
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { parameters }] of Object.entries(methods)) {
      const names = parameters.map(({ name }) => name);
      expect([method, path, names]).toEqual([method, path, [...new Set(names)]]);
      expect([method, path, parameters.filter(({ description }) => description === undefined)]).toEqual([
        method,
        path,
        [],
      ]);
    }
});
