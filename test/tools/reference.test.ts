import { loadPack } from '../../engine/index.js';
import { nameReference, nearest, reference, referencePages } from '../../tools/reference/index.js';
import { readVendorCalls } from '../../tools/command/vendor-calls.js';
import { samplePack } from '../support/sample-pack.js';

const full = samplePack('full');

function fullPack() {
  const { pack } = loadPack(full.folder);
  if (!pack) throw new Error('the full pack has problems');
  return pack;
}

test('the reference tells calls, fields, states, events, errors, pins, magic values, scenarios and durations', () => {
  const text = reference(fullPack());
  for (const line of [
    '| `POST /v1/orders/{id}/release` | [orders.release](#ordersrelease) |',
    '| `customer` | id of customer or null |  |',
    '| `risk` | one of `low`, `high` | default `"low"` |',
    '  open --> refused: pay [forced_to_refuse]',
    '  open --> lost: after pack_time',
    '| `amount` | integer | required, at least 1 |',
    '| `order.paid` | the status becomes `paid` |  |',
    '| `too_dear` | 402 | ${amount} is too much | `amount` |',
    '| `risk` | `created` | one of `low`, `high` |  |',
    'For customer: `cus_test_ann`, `cus_test_bob`.',
    '| `broken` |  |',
    '| `pack_time` | 2h |  |',
    '### order.released',
  ]) {
    expect(text).toContain(`${line}\n`);
  }
});

/** Where the shop says something, as `file:line`. */
function at(file: string, text: string): string {
  const lines = full.files[file].split('\n');
  const index = lines.findIndex((line) => line.includes(text));
  if (index < 0) throw new Error(`${file} has no '${text}'`);
  return `${file}:${index + 1}`;
}

test.each([
  ['orders.pay', ['POST /v1/orders/{id}/pay', at('resources/order.yaml', 'pay: { do:'), 'send: pay']],
  ['too_dear', [at('errors.yaml', 'too_dear:'), 'raised at:', at('resources/order.yaml', 'fail: too_dear')]],
  ['order.noted', ['emitted when a step emits it', at('flows/note_it.yaml', 'emit: order.noted')]],
  ['note_it', ['flow note_it', 'emit: order.noted']],
  ['pack_time', ['waited for at:', at('resources/order.yaml', 'after: { pack_time')]],
  ['order.released', [at('causes.yaml', 'order.released:'), "self.status == 'held'"]],
])('explain %s', (name, parts) => {
  const text = nameReference(fullPack(), name);
  for (const part of parts) expect(text).toContain(part);
});

test('explain tells which flows an operation runs, and where they stand', () => {
  const section =
    'flows:\n  note_all:\n    args: { order: order }\n    do: [{ run: note_it, with: { order: "${order}", text: all } }]\n';
  const order = full.files['resources/order.yaml'].replace(
    '- send: release\n',
    '- send: release\n      - { run: note_all, with: { order: "${self}" } }\n',
  );
  const { pack, problems } = loadPack(full.write({ 'resources/order.yaml': order + section }));
  expect(problems).toEqual([]);
  if (!pack) return;
  const line = (order + section).split('\n').indexOf('  note_all:') + 1;
  expect(nameReference(pack, 'orders.release')).toContain(
    `it runs:\n  note_all  resources/order.yaml:${line}\n    note_it  flows/note_it.yaml:1\n  note_it  flows/note_it.yaml:1`,
  );
  expect(nameReference(pack, 'note_all')).toContain(
    `flow note_all resources/order.yaml:${line}\n  note_all:\n    args:`,
  );
});

test('a name that is nearly one', () => {
  const pack = fullPack();
  expect(nameReference(pack, 'orders.pya')).toBeUndefined();
  expect(nearest(pack, 'orders.pya')).toBe('orders.pay');
});

describe('pages', () => {
  test('show calls of the official client beside the operations, and which are not emulated', () => {
    const call = (method: string, path: string) => ({ group: 'orders', name: path.slice(-3), method, path });
    const text = referencePages(fullPack(), {
      calls: [call('POST', '/v1/orders/{order}/pay'), call('POST', '/v1/orders/{order}/eat')],
    }).get('calls.md');
    for (const line of [
      '1 of 2 calls of the official client are emulated.',
      '| `POST /v1/orders/{id}/pay` | [orders.pay](resources/orders.md#orderspay) | `orders.pay` |',
      '| `POST /v1/orders/{id}/release` | [orders.release](resources/orders.md#ordersrelease) |  |',
      '| `POST /v1/orders/{order}/eat` | `orders.eat` |',
    ])
      expect(text).toContain(`${line}\n`);
  });

  test('link to hand-written pages of their folder', () => {
    const written = [['differences.md', 'What differs']] as const;
    expect(referencePages(fullPack(), { written }).get('README.md')).toContain('- [What differs](differences.md)\n');
  });

  test.each([
    ['nothing.yaml', 'nothing.yaml'],
    ['tsconfig.json', 'lists no calls'],
    ['packs/payments/tables/risk_levels.yaml', 'METHOD /path is wanted'],
  ])('a list of calls that is none: %s', async (file, reason) => {
    await expect(readVendorCalls(file)).rejects.toThrow(reason);
  });
});
