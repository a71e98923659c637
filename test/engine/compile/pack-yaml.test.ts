import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { loadPack } from '../../../engine/index.js';
import { sampleOf } from '../../support/sample.js';

/** Every key of pack.yaml that holds an expression or a name is checked when the pack loads, and told at its line. */

const PACKS = [
  'test/samples/full',
  'test/samples/delivery',
  'test/packs/parcels',
  'test/packs/letters',
  'test/packs/keyring',
  'test/packs/forge',
  'test/packs/herald',
  'test/packs/greenhouse',
  'test/packs/notary',
];

/** Keys that none of these packs has; written behind the first one's. */
const MORE = `answers: { add: { request_id: "\${request.id}" } }
search: { param: query, envelope: { data: "\${data}", more: "\${has_more}" }, on_expand: { total: "\${total_count}" } }
outside: [{ paths: [/v1/unicorns], error: wrong_state, with: { action: "\${vars.vendor}", status: none } }]
rate_limits:
  all: { limit: 5, window: 1m, error: wrong_state, when: request.id != null, per: request.id, cost: "request.id == null ? 1 : 2", spent: "request.id == null ? 1 : 2", headers: { X-Left: "\${remaining}" } }
realistic: { headers: { X-Served-By: "\${request.id}" } }
start: { languages: [{ name: curl, code: "curl {url}" }], collections: [customers] }
`;
const KINDS = ['expression', 'template', 'values', 'steps', 'name'];

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

/** A text in a pack.yaml that holds an expression or a name, and the same with a mistake in it. */
interface Slot {
  readonly pack: string;
  /** Where it stands, such as `delivery.transports.*.url`. */
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly mistaken: string;
}

/** Paths of pack.yaml, without the places in lists, that the schema gives to an expression, a template, steps or a name. */
function slotsOfSchema(schema: Schema, path: readonly string[] = []): string[] {
  const kind = schema.$ref?.split('/').at(-1);
  const own = kind !== undefined && KINDS.includes(kind) ? [path.join('.')] : [];
  const inner = Object.entries(schema.properties ?? {}).flatMap(([key, each]) => slotsOfSchema(each, [...path, key]));
  const { additionalProperties: more, items } = schema;
  const any = typeof more === 'object' ? slotsOfSchema(more, [...path, '*']) : [];
  return [...own, ...inner, ...any, ...(items ? slotsOfSchema(items, path) : [])];
}

const SCHEMA_SLOTS = slotsOfSchema(JSON.parse(readFileSync('schemas/pack.schema.json', 'utf8')) as Schema);

/** The slot of the schema that a path leads to or into. */
function slotOf(path: readonly (string | number)[]): string | undefined {
  return SCHEMA_SLOTS.find((slot) => {
    const keys = slot.split('.');
    return keys.length <= path.length && keys.every((key, index) => key === '*' || key === String(path[index]));
  });
}

/** The first name that an expression reads, misspelt; a plain name likewise. */
function misspelt(text: string, isExpression: boolean): string | undefined {
  if (text.startsWith('=')) return text.replace(/^=\s*(?:\w+\()*([A-Za-z_]\w*)/, (all) => `${all}zz`);
  if (text.includes('${')) return text.replace(/\$\{\s*(?:\w+\()*([A-Za-z_]\w*)/, (all) => `${all}zz`);
  if (isExpression) return text.replace(/(?<!['\w.])(endpoint|self|url|events|request|call)\b/, '$1zz');
  return /^[a-z_]+$/.test(text) ? `${text}zz` : undefined;
}

function textOf(pack: string): string {
  return `${readFileSync(join(pack, 'pack.yaml'), 'utf8')}${pack === PACKS[0] ? MORE : ''}`;
}

function slotsIn(pack: string): Slot[] {
  const source = textOf(pack);
  const lines = new LineCounter();
  const found: Slot[] = [];
  visit(parseDocument(source, { lineCounter: lines }), {
    Scalar(key, node, ancestors) {
      if (typeof node.value !== 'string' || !node.range) return;
      const path = ancestors.flatMap((each) => {
        if (typeof each !== 'object' || !('key' in each)) return [];
        return [String(isScalar(each.key) ? each.key.value : each.key)];
      });
      const slot = slotOf(path);
      const isTemplate = node.value.includes('${') || node.value.startsWith('=');
      if (slot === undefined && !isTemplate) return;
      const isExpression =
        slot !== undefined &&
        slot !== 'delivery.transports.*.events' &&
        /\.(active|allow|cost|events|per|scopes|secret|spent|transport|url|version|when)$/.test(`.${path.join('.')}`);
      if (
        !isTemplate &&
        !isExpression &&
        !/(resource|error|else|format|renderings|times\.mixed|through\.\w+|start\.collections|routes\.ids\.\w+|transports\.\w+\.events)$/.test(
          path.join('.'),
        )
      )
        return;
      const mistaken = misspelt(node.value, isExpression);
      if (mistaken === undefined || mistaken === node.value) return;
      const line = lines.linePos(node.range[0]).line;
      found.push({ pack, path: `${path.join('.')}${key === 'key' ? ' (key)' : ''}`, line, text: node.value, mistaken });
    },
  });
  return found;
}

const SLOTS = PACKS.flatMap(slotsIn);
const written: string[] = [];
afterAll(() => {
  for (const folder of written) rmSync(folder, { recursive: true, force: true });
});

test('the packs of this test hold every kind of slot that the schema has', () => {
  const held = new Set(SLOTS.map(({ path }) => slotOf(path.replace(' (key)', '').split('.'))));
  const named = ['vars', 'ids', 'formats', 'durations', 'auth.others', 'versions.told_by'];
  // Those of tenants, listeners, actors and responses have tests of their own (test/engine/tenants, listener-mistakes.test.ts,
  // test/engine/api/access.test.ts, test/engine/delivery/responses.test.ts).
  const left = SCHEMA_SLOTS.filter(
    (slot) =>
      !held.has(slot) &&
      !named.includes(slot) &&
      !/\b(?:tenants|socket|actor|gives_up|on_response|on_failure)\b/.test(slot),
  );
  expect(left).toEqual([]);
});

test.each(sampleOf(SLOTS, 6).map((slot) => [`${slot.pack} ${slot.path}: ${slot.text}`, slot] as const))(
  '%s',
  (_name, slot) => {
    const folder = mkdtempSync(join(tmpdir(), 'pack-yaml-'));
    written.push(folder);
    cpSync(slot.pack, folder, { recursive: true });
    const lines = textOf(slot.pack).split('\n');
    // A long text is folded over several lines; its beginning is whole.
    const [from, to] = lines.some((line) => line.includes(slot.text))
      ? [slot.text, slot.mistaken]
      : [slot.text.slice(0, 20), slot.mistaken.slice(0, 22)];
    const at = lines.findIndex((line, index) => index >= slot.line - 1 && line.includes(from));
    lines[at] = lines[at].replace(from, () => to);
    writeFileSync(join(folder, 'pack.yaml'), lines.join('\n'));
    const { problems } = loadPack(folder);
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors.map((problem) => [problem.file, problem.line])).toContainEqual(['pack.yaml', at + 1]);
  },
);
