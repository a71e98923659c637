import { problemsOf } from '../../support/pack-world.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** Shapes of objects in a pack with versions: a version shows what a shape returns as it shows the rest. */

const files = (change: string): Record<string, string> => ({
  'pack.yaml': `
versions: { header: Acme-Version, current: "2025-01-01", base: "2025-01-01", newer: ["2025-06-01"], pattern: "^[0-9-]+$", told_by: object }
`,
  'resources/order.yaml': `
resource: order
collection: orders
id: { prefix: ord_ }
fields:
  object: { const: order }
  note: string?
  total: { type: integer, default: 5 }
  sums: { type: object, fields: { net: { type: integer, default: 1 }, tax: { type: integer, default: 2 } } }
shapes: { full: [total, sums] }
operations:
  create: { params: { note } }
  retrieve: { shape: full }
  list: {}
  whole: { kind: action, route: "GET /orders/{id}/whole", return: "=rest(self, 'full')" }
`,
  'versions/2025-06-01.yaml': `version: "2025-06-01"
changes:
  - title: One
    resources:
      order:
${change}`,
});
const CHANGE = `        rename: { note: remark }
        add: { half: { type: integer, view: "=self.total * 10" } }
        remove: [sums.tax]
`;

const OLD = '2025-01-01';
const NEW = '2025-06-01';

const sandbox = startSandbox(files(CHANGE));

const asked = async (path: string, version: string, method = 'GET'): Promise<Record<string, unknown>> => {
  const headers = {
    authorization: `Bearer ${sandbox.key}`,
    'acme-version': version,
    'content-type': 'application/json',
  };
  const body = method === 'GET' ? undefined : JSON.stringify({ note: 'blue' });
  const response = await fetch(`${sandbox.url}${path}`, { method, headers, body });
  return (await response.json()) as Record<string, unknown>;
};

test('an operation with a shape shows what the shape returns in every version', async () => {
  const made = await asked('/orders', OLD, 'POST');
  expect(made).toEqual({ id: made['id'], object: 'order', note: 'blue' });
  const [first, second, whole, listed] = await Promise.all([
    asked(`/orders/${String(made['id'])}`, OLD),
    asked(`/orders/${String(made['id'])}`, NEW),
    asked(`/orders/${String(made['id'])}/whole`, NEW),
    asked('/orders', NEW),
  ]);
  expect(first).toEqual({ ...made, total: 5, sums: { net: 1, tax: 2 } });
  const newer = { id: made['id'], object: 'order', remark: 'blue', half: 50 };
  expect(second).toEqual({ ...newer, total: 5, sums: { net: 1 } });
  expect(whole).toEqual(second);
  expect(listed).toMatchObject({ data: [newer] });
  expect(JSON.stringify(listed)).not.toContain('total');
});

test.each([
  [
    'renamed',
    'rename: { total: sum }',
    "field-of-shape versions/2025-06-01.yaml:6 a shape of the resource returns 'total'",
  ],
  [
    'changed',
    'change: { total: { type: string, view: "=string(self.total)" } }',
    "field-of-shape versions/2025-06-01.yaml:6 a shape of the resource returns 'total'",
  ],
  [
    'shown in a shape by a version',
    `add: { all: { type: any, view: "=rest(self, 'full')" } }`,
    'expression versions/2025-06-01.yaml:6 versions show objects without shapes: write rest(object)',
  ],
])('what a shape returns is not %s', (_name, change, problem) => {
  expect(problemsOf(files(`        ${change}\n`))).toEqual([expect.stringContaining(problem)]);
});

test('a version may remove what a shape returns', () => {
  expect(problemsOf(files('        remove: [total]\n'))).toEqual([]);
});
