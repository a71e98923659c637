import { conformanceOf, ConformanceRecorder } from '../../tools/develop/conformance/index.js';
import { charge, declined, event, invoice, list, paymentIntent, price, subscription } from './conformance-fixtures.js';

/** A copy of a body with the value at a path replaced; `undefined` removes the key. */
function changed(body: unknown, path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(body);
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let place: unknown = copy;
  for (const step of steps) place = Reflect.get(Object(place), step);
  if (value === undefined) Reflect.deleteProperty(Object(place) as object, last);
  else Reflect.set(Object(place), last, value);
  return copy;
}

function without(body: Record<string, unknown>, key: string): unknown {
  return changed(body, key, undefined);
}

function found(body: unknown): string[] {
  return conformanceOf(body).map(({ code, path }) => `${code} ${path}`);
}

describe('bodies as the client declares them are clean', () => {
  const bodies: [string, unknown][] = [
    ['a charge', charge()],
    ['a payment intent in the neutral vendor words', paymentIntent()],
    ['a price', price()],
    ['a subscription with nested lists', subscription()],
    ['an invoice', invoice()],
    ['an expanded field', { ...charge(), payment_intent: { ...paymentIntent(), latest_charge: charge() } }],
    ['an expanded field that was deleted', { ...price(), product: { id: 'p', object: 'product', deleted: true } }],
    ['a deleted object', { id: 'cus_1', object: 'customer', deleted: true }],
    ['a list of different objects', list([charge(), price()], '/v1/things')],
    ['an empty list', list([], '/v1/charges')],
    ['a search result', { ...list([charge()], '/v1/charges/search'), object: 'search_result', next_page: null }],
    ['an error', declined()],
    ['an event', event('charge.succeeded', charge())],
    [
      'an event with previous attributes',
      event('charge.updated', charge(), { description: null, metadata: { a: null } }),
    ],
    ['an upcoming invoice without id', event('invoice.upcoming', without(invoice(), 'id'))],
    ['an upcoming invoice with a null id', event('invoice.upcoming', { ...invoice(), id: null })],
    ['an event newer than the client', event('invoice_payment.paid', { id: 'inpay_1', object: 'invoice_payment' })],
  ];

  it.each(bodies)('%s', (_name, body) => {
    expect(conformanceOf(body)).toEqual([]);
  });
});

describe('a difference is reported once, where it is', () => {
  const differences: [string, unknown, string][] = [
    ['a missing key', without(charge(), 'captured'), 'missing captured'],
    ['a missing nullable key', without(charge(), 'review'), 'missing review'],
    ['a missing nested key', changed(charge(), 'billing_details.phone', undefined), 'missing billing_details.phone'],
    ['a null that is not allowed', changed(charge(), 'amount', null), 'null amount'],
    ['an optional key with null', { ...charge(), level3: null }, 'null level3'],
    ['a number as string', changed(charge(), 'amount', '2000'), 'type amount'],
    ['a string as number', changed(charge(), 'currency', 840), 'type currency'],
    ['a boolean as string', changed(charge(), 'paid', 'true'), 'type paid'],
    ['an object as string', changed(charge(), 'outcome', 'ok'), 'type outcome'],
    ['an array as object', changed(paymentIntent(), 'payment_method_types', {}), 'type payment_method_types'],
    ['a wrong enum value', changed(charge(), 'status', 'paid'), 'value status'],
    ['a wrong nullable enum value', changed(price(), 'tax_behavior', 'none'), 'value tax_behavior'],
    [
      'a wrong deep value',
      changed(charge(), 'payment_method_details.card.exp_year', '2030'),
      'type payment_method_details.card.exp_year',
    ],
    ['an unknown key', { ...charge(), colour: 'red' }, 'unknown-key colour'],
    ['an unknown nested key', changed(charge(), 'outcome.colour', 1), 'unknown-key outcome.colour'],
    ['metadata that is no string', changed(charge(), 'metadata', { order: 7 }), 'type metadata.order'],
    [
      'a wrong array element',
      changed(paymentIntent(), 'payment_method_types', ['card', 1]),
      'type payment_method_types[1]',
    ],
    ['a wrong list item', list([price(), changed(price(), 'active', 1)], '/v1/prices'), 'type data[1].active'],
    ['a list without has_more', without(list([], '/v1/prices'), 'has_more'), 'missing has_more'],
    ['a list without url', without(list([], '/v1/prices'), 'url'), 'missing url'],
    [
      'a problem inside a nested list',
      changed(subscription(), 'items.data.0.price.recurring.interval', 'moon'),
      'value items.data[0].price.recurring.interval',
    ],
    [
      'a problem inside an expanded field',
      { ...charge(), payment_intent: changed(paymentIntent(), 'amount', null) },
      'null payment_intent.amount',
    ],
    ['another object in an expanded field', { ...charge(), payment_intent: price() }, 'value payment_intent.object'],
    ['an object name nobody declares', { id: 'x_1', object: 'gadget' }, 'unknown-object object'],
    ['a body without object name', { id: 'x_1' }, 'missing object'],
    ['a deleted object with more keys', { id: 'c', object: 'customer', deleted: true, name: 'A' }, 'unknown-key name'],
    ['a deleted form that does not exist', { ...charge(), deleted: true }, 'value object'],
    ['an error of unknown type', changed(declined(), 'error.type', 'sad_error'), 'value error.type'],
    ['an error with an unknown key', changed(declined(), 'error.mood', 'sad'), 'unknown-key error.mood'],
    ['an error with a key of the client', changed(declined(), 'error.statusCode', 402), 'unknown-key error.statusCode'],
    [
      'an error with a wrong object',
      changed(declined(), 'error.payment_intent.amount', '1'),
      'type error.payment_intent.amount',
    ],
    ['a wrong object inside an event', event('charge.failed', changed(charge(), 'paid', 1)), 'type data.object.paid'],
    ['an object that this event does not carry', event('charge.failed', price()), 'value data.object.object'],
    ['an unknown event type', event('charge.lost', charge()), 'value type'],
    ['an id missing in an event', event('invoice.created', without(invoice(), 'id')), 'missing data.object.id'],
    [
      'an unknown previous attribute',
      event('charge.updated', charge(), { colour: 'red' }),
      'unknown-key data.previous_attributes.colour',
    ],
    ['a body that is no object', 'ok', 'type '],
  ];

  it.each(differences)('%s', (_name, body, problem) => {
    expect(found(body)).toEqual([problem]);
  });
});

it('says what was found and what the client expects', () => {
  expect(conformanceOf(changed(charge(), 'status', 'paid'))[0].message).toBe(
    'is "paid", expected "failed" | "pending" | "succeeded"',
  );
  expect(conformanceOf(changed(charge(), 'balance_transaction', 7))[0].message).toBe(
    'is 7, expected a string | balance_transaction | null',
  );
});

it('takes another vendor word on request', () => {
  const body = { ...paymentIntent(), next_action: { type: 'use_acme_sdk', use_acme_sdk: {} } };
  expect(found(body)).toEqual(['unknown-key next_action.use_acme_sdk']);
  expect(conformanceOf(body, { vendorWord: 'acme' })).toEqual([]);
});

it('takes a preview without id on request', () => {
  const preview = without(invoice(), 'id');
  expect(found(preview)).toEqual(['missing id']);
  expect(conformanceOf(preview, { withoutId: true })).toEqual([]);
});

it('checks an object with less than a millisecond of work', () => {
  const body = { ...subscription(), latest_invoice: invoice() };
  const batches = Array.from({ length: 10 }, () => {
    const before = process.cpuUsage();
    for (let round = 0; round < 50; round += 1) conformanceOf(body);
    return process.cpuUsage(before).user / 1000 / 50;
  });
  expect(Math.min(...batches)).toBeLessThan(0.5); // ms
});

describe('recorder', () => {
  it('is silent about clean bodies', () => {
    const recorder = new ConformanceRecorder();
    recorder.check('GET /v1/charges', list([charge()], '/v1/charges'));
    expect(() => recorder.assertClean()).not.toThrow();
  });

  it('lists each problem once, with its count and where it was seen first', () => {
    const broken = changed(charge(), 'outcome.type', 1);
    const recorder = new ConformanceRecorder();
    recorder.check('POST /v1/charges', broken);
    recorder.check('GET /v1/charges', list([broken, broken], '/v1/charges'));
    recorder.check('charge.succeeded', event('charge.succeeded', broken));
    recorder.check('GET /v1/prices/price_1', without(price(), 'active'));
    expect(() => recorder.assertClean()).toThrow(
      [
        '2 distinct problems in 4 bodies against the types of stripe@17.5.0:',
        '  charge.outcome.type is 1, expected a string (4x, first in POST /v1/charges at outcome.type)',
        '  price.active is missing, price requires it (1x, first in GET /v1/prices/price_1 at active)',
      ].join('\n'),
    );
  });
});
