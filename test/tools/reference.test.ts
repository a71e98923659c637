import { loadPack } from '../../engine/index.js';
import { explain, nearest, reference } from '../../tools/reference/index.js';
import { removeShops, writeShop } from '../support/shop.js';

afterAll(removeShops);

function shop() {
  const { pack } = loadPack(writeShop());
  if (!pack) throw new Error('the shop is not sound');
  return pack;
}

test('the reference tells calls, fields, states, events, errors, pins, magic values, scenarios and durations', () => {
  const text = reference(shop());
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
    'Stand for customer: `cus_test_ann`, `cus_test_bob`.',
    '| `broken` |  |',
    '| `pack_time` | 2h |  |',
    '### order.released',
  ]) {
    expect(text).toContain(`${line}\n`);
  }
});

test.each([
  ['orders.pay', ['POST /v1/orders/{id}/pay', 'resources/order.yaml:54', 'send: pay']],
  ['too_dear', ['errors.yaml:10', 'raised at:', 'resources/order.yaml:45']],
  ['order.noted', ['emitted when a step emits it', 'flows/note_it.yaml:6']],
  ['note_it', ['flow note_it', 'emit: order.noted']],
  ['pack_time', ['waited for at:', 'resources/order.yaml:24']],
  ['order.released', ['causes.yaml:2', "self.status == 'held'"]],
])('explain %s', (name, parts) => {
  const text = explain(shop(), name);
  for (const part of parts) expect(text).toContain(part);
});

test('a name that is nearly one', () => {
  const pack = shop();
  expect(explain(pack, 'orders.pya')).toBeUndefined();
  expect(nearest(pack, 'orders.pya')).toBe('orders.pay');
});
