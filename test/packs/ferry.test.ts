import { join } from 'node:path';
import { loadPack } from '../../engine/index.js';
import { formatProblems } from '../../engine/pack/index.js';
import { form } from '../support/http.js';
import { ROOT } from '../support/root.js';
import { packIn } from '../support/sample-pack.js';
import { forTests, TestSandbox } from '../support/start-sandbox.js';

/** Rules between parameters, in a vendor of ferries that was invented for them. */

const ferry = forTests(new TestSandbox('test/packs/ferry'), { reset: {} });
const NEW = { 'ferry-version': '2025-06-01' };

/** What a call comes to: its status, or the error's code, parameter and message. */
async function outcome(line: string, body: unknown, headers = {}): Promise<readonly unknown[]> {
  const called = await ferry.call<Record<string, unknown>>(line, body, headers);
  const { code, param, message } = called.body;
  return called.status === 200 ? [200] : [called.status, code, param, message];
}

test('the pack has no problem, not even a warning', () => {
  const { problems, source } = loadPack(join(ROOT, 'test', 'packs', 'ferry'));
  expect(formatProblems(problems, { format: 'text', color: false, source })).toBe('');
});

const A = { amount: 100 };

/** Title, body of the call, and what is wrong with it: code, parameter, message; nothing: it is fine. */
const CREATED: readonly (readonly [string, object, ...string[]])[] = [
  ['one of a group', { ...A, coupon: 'c' }],
  ['two of a group', { ...A, coupon: 'c', voucher: 'v' }, 'parameters_exclusive', 'voucher', 'Either coupon or voucher'],
  ['a value that does not count', { ...A, refundable: false, change_fee: 5, fare: 'flex' }],
  ['a value that counts', { ...A, refundable: true, change_fee: 5, fare: 'flex' }, 'parameters_exclusive', 'change_fee', 'Either refundable or change_fee'],
  ['only with a value, which is another', { ...A, change_fee: 5, fare: 'saver' }, 'parameter_only_with', 'change_fee', 'change_fee only where fare is flex'],
  ['only with a value, which is not given', { ...A, change_fee: 5 }, 'parameter_only_with', 'change_fee', 'change_fee only where fare is flex'],
  ['never in one operation', { ...A, fare: 'flex', coupon: 'c' }, 'parameter_not_with', 'coupon', 'coupon not with fare'],
  ['none of those of which one is needed', { note: 'x' }, 'parameters_missing', 'passengers', 'passengers or vehicle or amount is needed'],
  ['none is needed with another value', { quick: true }],
  ['what one of two needs', { ...A, to: 'Dover' }, 'parameter_needed', 'passengers', 'passengers is needed with to'],
  ['a list that may not hold something', { quick: true, passengers: [{ name: 'A' }, { name: 'B', pets: 1 }] }, 'parameter_not_with', 'passengers.1.pets', 'passengers.1.pets not with quick'],
  ['a value inside that is not allowed', { quick: true, vehicle: { country: 'nl', rack: { kind: 'tow' } } }, 'parameter_not_with', 'vehicle.rack.kind', 'vehicle.rack.kind not with quick'],
  ['exactly one in a list: none', { passengers: [{ pets: 1 }] }, 'parameters_missing', 'passengers.0.name', 'passengers.0.name or passengers.0.profile is needed'],
  ['together: one is missing', { passengers: [{ name: 'A', berth: '1' }] }, 'parameter_needed', 'passengers.0.cabin', 'passengers.0.cabin is needed with passengers.0.berth'],
  ['inside an object of a type', { vehicle: { country: 'nl', rack: { height_cm: 20 } } }, 'parameter_only_with', 'vehicle.rack.height_cm', 'vehicle.rack.height_cm only where vehicle.rack.kind is roof'],
  ['a form by kind that fits', { vehicle: { country: 'gb', plate: 'AB12 CDE' } }],
  ['a form by kind that does not', { vehicle: { country: 'fr', plate: 'AB12 CDE' } }, 'plate_invalid', '', 'AB12 CDE is no plate of fr'],
  ['a length by kind', { vehicle: { country: 'nl', plate: '123456789' } }, 'plate_invalid', '', '123456789 is no plate of nl'],
  ['the smallest by kind', { amount: 5000, coin: 'ISK' }, 'parameter_below_minimum', 'amount', 'amount is at least 10000'],
  ['a step by kind', { amount: 10050, coin: 'isk' }, 'parameter_invalid_step', 'amount', 'amount is a multiple of 100'],
  ['numbers that rise, or stay', { ...A, boarding_at: 5, sails_at: 5 }],
  ['numbers that fall', { ...A, boarding_at: 6, sails_at: 5 }, 'parameters_not_ascending', 'sails_at', 'sails_at is below boarding_at'],
  ['items of a list that rise', { ...A, stops: [{ at_hour: 1, kind: 'buoy' }, { kind: 'buoy' }, { at_hour: 2, kind: 'quay' }] }],
  ['an item of a list that falls', { ...A, stops: [{ at_hour: 2 }, { at_hour: 1, kind: 'quay' }] }, 'parameters_not_ascending', 'stops.1.at_hour', 'stops.1.at_hour is below stops.0.at_hour'],
  ['a last item with another value', { ...A, stops: [{ kind: 'quay' }, { kind: 'buoy' }] }, 'parameter_only_with', 'stops.1.kind', 'stops.1.kind only where it is quay'],
  ['a last item without the value', { ...A, stops: [{ kind: 'quay' }, { at_hour: 2 }] }, 'parameter_only_with', 'stops.1.kind', 'stops.1.kind only where it is quay'],
  ['no item', { ...A, stops: [] }],
  ['one number alone', { ...A, sails_at: 5 }],
  ['values of a list that differ', { passengers: [{ name: 'A' }, { name: 'B' }] }],
  ['a value that a list repeats', { passengers: [{ name: 'A' }, { name: 'A' }] }, 'parameter_not_unique', 'passengers.1.name', 'passengers.1.name is there twice'],
  ['a kind without limits', { amount: 1, coin: 'xyz' }],
];

test.each(CREATED)('%s', async (_title, body, ...problem) => {
  const [status, code, param, message] = await outcome('POST /bookings', body);
  expect([code ?? status, param ?? '', message ?? '']).toEqual(problem.length > 0 ? problem : [200, '', '']);
});

test('forms get the names as forms write them', async () => {
  const sent = form({ 'passengers[0][name]': 'A', 'passengers[0][cabin]': 'cb_1', 'passengers[0][pets]': '1' });
  const { body: cabin } = await ferry.call('POST /cabins', { deck: 'upper' });
  sent.set('passengers[0][cabin]', String(cabin['id']));
  sent.set('passengers[0][berth]', '4');
  expect(await outcome('POST /bookings', sent)).toEqual([
    400,
    'no_pets',
    'passengers[0][pets]',
    'No pets on deck upper (passengers[0])',
  ]);
});

test("what was not sent is the object's", async () => {
  const { body } = await ferry.call('POST /bookings', { amount: 100, fare: 'flex' });
  const line = `POST /bookings/${String(body['id'])}`;
  const update = `PATCH /bookings/${String(body['id'])}`;
  expect(await outcome(update, { change_fee: 5 })).toEqual([200]);
  expect(await outcome(update, { change_fee: 5, fare: 'saver' })).toContain('parameter_only_with');
  expect(await outcome(`${line}/close`, {})).toEqual([200]);
  expect(await outcome(update, { change_fee: 5 })).toContain('parameter_not_with');
  expect(await outcome(update, { amount: 60 })).toEqual([200]);
  expect(await outcome(update, { amount: 49 })).toContain('parameter_below_minimum');
});

test('a rule ends with a version, and names parameters as the version does', async () => {
  const both = { ...A, coupon: 'c', voucher: 'v' };
  expect(await outcome('POST /bookings', both)).toContain('Either coupon or voucher');
  expect(await outcome('POST /bookings', { ...A, coupon: 'c', voucher_code: 'v' }, NEW)).toEqual([200]);
});

test('a rule for one setting of the pack', async () => {
  const strict = await new TestSandbox('test/packs/ferry', { vars: { house: 'strict' } }).open();
  try {
    expect((await strict.call('POST /bookings', A)).body).toMatchObject({ code: 'parameter_needed', param: 'note' });
    expect((await strict.call('POST /bookings', { ...A, note: 'n' })).status).toBe(200);
  } finally {
    await strict.close();
  }
});

/** What is wrong with a rule, as `validate-pack` says it. */
const MISTAKES: readonly (readonly [string, string, string, string])[] = [
  ['a name that no operation takes', '[coupon, voucher]', '[coupn, voucher]', "unknown-parameter 'coupon'"],
  ['a value that a parameter never has', '{ fare: flex } }', '{ fare: flx } }', "unknown-value 'flex'"],
  ['a field that the object does not have', 'self.status: closed', 'self.statu: closed', "unknown-field 'status'"],
  ['an operation that there is not', 'never: coupon, in: create', 'never: coupon, in: crate', "unknown-operation 'create'"],
  ['a table that there is not', 'table: coins', 'table: coin', "unknown-table 'coins'"],
  ['a switch that no version has', 'vouchers_add_up', 'vouchers_add', "unknown-switch 'vouchers_add_up'"],
  ['two rules in one', '{ exclusive: [coupon, voucher],', '{ exclusive: [coupon, voucher], together: [coupon, voucher],', 'invalid-value'],
  ['a variable that there is not', 'vars.house: strict', 'vars.hous: strict', "unknown-variable 'house'"],
  ['an error that there is not', 'never: coupon, in: create', 'never: coupon, error: no_pts, in: create', "unknown-error 'no_pets'"],
  ['an error without an argument that it needs', 'never: coupon, in: create', 'never: coupon, error: no_pets, in: create', 'missing-argument'],
  ['a rule that no call can break', 'never: [note, change_fee]', 'never: note, in: list', 'unreachable-rule'],
  ['a path into a text', 'given: change_fee,', 'given: coupon.x,', 'no-fields'],
];

test.each(MISTAKES)('%s is a problem at its place', (_title, from, to, told) => {
  const pack = packIn(join(ROOT, 'test', 'packs', 'ferry'));
  const file = 'resources/booking.yaml';
  const line = pack.files[file].slice(0, pack.files[file].indexOf(from)).split('\n').length;
  const { problems } = loadPack(pack.write(pack.patched(file, [from, to])));
  const [found] = problems.filter((each) => each.line === line);
  expect(`${found.code}${found.suggestion === undefined ? '' : ` '${found.suggestion}'`}`).toBe(told);
});

test('a rule of a type that no parameter has is a warning', () => {
  const pack = packIn(join(ROOT, 'test', 'packs', 'ferry'));
  const { problems } = loadPack(pack.write(pack.patched('resources/booking.yaml', ['vehicle: vehicle', 'vehicle: { type: map }'])));
  expect(problems.map(({ code }) => code)).toContain('unreachable-rule');
});
