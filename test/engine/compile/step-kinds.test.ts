import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_STEP_KINDS, stepsOfFile } from '../../../engine/model/index.js';
import { type FileKind, SourceFile, STEP_KINDS } from '../../../engine/pack/index.js';
import type { Json } from '../../../engine/values/index.js';
import { ROOT } from '../../support/root.js';

/** Files beside those of the kinds. */
const HELPERS = ['arguments', 'condition', 'index', 'kind', 'names', 'skip', 'target'];

interface Definition {
  readonly title: string;
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: boolean;
  readonly anyOf?: readonly { readonly required: readonly string[] }[];
  readonly allOf?: readonly { readonly if: { readonly required: readonly string[] }; readonly then: object }[];
}

const { definitions } = JSON.parse(readFileSync(join(ROOT, 'schemas', 'definitions.schema.json'), 'utf8')) as {
  readonly definitions: Readonly<Record<string, Definition>>;
};

describe('a kind of step has', () => {
  test.each(ALL_STEP_KINDS)('%s: a definition of its own in the schemas', (kind) => {
    const definition = definitions[`${kind}_step`];
    expect(definition).toMatchObject({ title: `${kind} step`, additionalProperties: false });
    expect(definition.required).toContain(kind);
    expect(definition.properties).toHaveProperty('when');
  });

  test('its key in the definition of a step, which leads to its own', () => {
    const { properties, anyOf, allOf } = definitions['step'];
    const kinds = [...ALL_STEP_KINDS];
    expect(Object.keys(properties)).toEqual(kinds);
    expect(anyOf).toEqual(kinds.map((kind) => ({ required: [kind] })));
    expect(allOf).toEqual(
      kinds.map((kind) => ({ if: { required: [kind] }, then: { $ref: `#/definitions/${kind}_step` } })),
    );
  });

  test('a key that goes with no other kind, so that kinds can be told apart', () => {
    const companions = Object.values(STEP_KINDS).flatMap(({ keys }): readonly string[] => keys);
    expect(ALL_STEP_KINDS.filter((kind) => companions.includes(kind))).toEqual([]);
  });

  test('one file in engine/compile/steps', () => {
    const files = readdirSync(join(ROOT, 'engine', 'compile', 'steps')).map((name) => name.replace('.ts', ''));
    const wanted = ALL_STEP_KINDS.map((kind) => kind.replaceAll('_', '-'));
    expect(files.sort()).toEqual([...wanted, ...HELPERS].sort());
  });

  test.each(ALL_STEP_KINDS)('%s: a row in docs/reference/pack-language.md with its keys', (kind) => {
    const lines = readFileSync(join(ROOT, 'docs', 'reference', 'pack-language.md'), 'utf8').split('\n');
    const table = lines.slice(lines.indexOf('## Steps'));
    const row = table.find((line) => new RegExp(`^\\| \`${kind}\\b`).test(line)) ?? '';
    const named = [...row.matchAll(/`(\w+)/g)].map(([, name]) => name);
    const own = STEP_KINDS[kind].keys.filter((key) => key !== 'when');
    expect(named).toEqual(expect.arrayContaining([kind, ...own]));
  });
});

describe('steps are found', () => {
  const inner = { if: 'true', then: [{ for: 'x', in: '[]', do: [{ fail: 'a' }] }], else: [{ fail: 'b' }] };
  const below = [[], ['then', 0], ['then', 0, 'do', 0], ['else', 0]];

  test.each<[FileKind, Json, (string | number)[]]>([
    ['flow', { flow: 'x', do: [inner] }, ['do', 0]],
    ['resource', { actions: { then: [inner] } }, ['actions', 'then', 0]],
    ['resource', { operations: { do: { do: [inner] } } }, ['operations', 'do', 'do', 0]],
    ['causes', { causes: { x: { do: [inner] } } }, ['causes', 'x', 'do', 0]],
    ['causes', { causes: { x: { variants: [{ do: [inner] }] } } }, ['causes', 'x', 'variants', 0, 'do', 0]],
    ['pack', { delivery: { endpoint: { exhausted: [inner] } } }, ['delivery', 'endpoint', 'exhausted', 0]],
  ])('in a file of kind %s: %j', (kind, data, at) => {
    const found = [...stepsOfFile(new SourceFile('x.yaml', kind, '', data))];
    expect(found.map(({ place }) => place.path)).toEqual(below.map((path) => [...at, ...path]));
    expect(found[0].step).toBe(inner);
  });

  test('not where something only has a name of theirs', () => {
    const data = { fields: { do: { enum: [{ run: 'x' }] } }, operations: ['create'], branches: ['do'] };
    expect([...stepsOfFile(new SourceFile('x.yaml', 'resource', '', data))]).toEqual([]);
  });
});
