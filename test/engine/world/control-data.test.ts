import * as fc from 'fast-check';
import type { Json, JsonObject } from '../../../engine/values/index.js';
import { type Fault, Faults, type Pin, type Pinned, Pins, Register } from '../../../engine/world/index.js';

describe('Register', () => {
  test('keeps what was written last, forgets what was removed, and counts its changes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(5), fc.option(fc.nat(9), { nil: undefined }))), (writes) => {
        const register = new Register<number>('waits');
        const model = new Map<string, number>();
        for (const [key, value] of writes) {
          register.write(`k${key}`, value);
          if (value === undefined) model.delete(`k${key}`);
          else model.set(`k${key}`, value);
        }
        expect(new Map(register.entries())).toEqual(model);
        expect([...register.values()].sort()).toEqual([...model.values()].sort());
        expect([register.size, register.version]).toEqual([model.size, writes.length]);
        for (let key = 0; key <= 5; key++) expect(register.get(`k${key}`)).toBe(model.get(`k${key}`));
      }),
    );
  });
});

describe('Pins', () => {
  /** A pin of `mood`; newer ones have greater numbers. */
  function pin(seq: number, more: Partial<Pin> = {}): Pin {
    return {
      id: `pin_${seq}`,
      seq,
      collection: 'orders',
      object: null,
      path: 'mood',
      value: seq,
      once: false,
      ...more,
    };
  }
  function pinsOf(...all: readonly Pin[]): Pins {
    const pins = new Pins(['orders', 'notes']);
    for (const each of all) pins.write(each.id, each);
    return pins;
  }
  const of = (id: string | null, value?: JsonObject): Pinned => ({ resource: 0, id, tenant: 'org_1', value });
  const ofAnn = { owner: { fields: ['customer', 'payer'], id: 'ann' } };

  test.each<[string, Pin[], Json | undefined]>([
    ['none', [], undefined],
    ['one of the collection holds for every object', [pin(1)], 1],
    ['one of the owner is closer, also when it is older', [pin(1, ofAnn), pin(2)], 1],
    ['one of the object is closest, also when it is the oldest', [pin(1, { object: 'a' }), pin(2, ofAnn), pin(3)], 1],
    ['of two as close, the newer one holds', [pin(1), pin(2)], 2],
    ['newer is what has the greater number, not what was written later', [pin(2), pin(1)], 2],
    ['of another object', [pin(1, { object: 'b' })], undefined],
    ['of another path', [pin(1, { path: 'moods' })], undefined],
    ["a tenant's holds for what it has", [pin(1, { tenant: 'org_1' })], 1],
    ["another tenant's does not", [pin(1, { tenant: 'org_2', object: 'a' })], undefined],
    ['nor one of those that no tenant has', [pin(1, { tenant: null })], undefined],
    ['of another resource', [pin(1, { collection: 'notes' })], undefined],
    ['of another owner', [pin(1, { owner: { fields: ['customer'], id: 'bob' } })], undefined],
    ['an owner counts in any of the fields', [pin(1, { owner: { fields: ['owner', 'payer'], id: 'ann' } })], 1],
  ])('%s', (_, all, value) => {
    expect(pinsOf(...all).find(of('a', { id: 'a', payer: 'ann' }), 'mood')?.value).toBe(value);
  });

  test('pins of an owner do not hold for what is not known yet', () => {
    expect(pinsOf(pin(1, ofAnn)).find(of('a'), 'mood')).toBeUndefined();
    expect(pinsOf(pin(1, { object: 'a' })).find(of(null), 'mood')).toBeUndefined();
    expect(pinsOf(pin(1)).find(of(null), 'mood')?.value).toBe(1);
  });

  test('an armed pin is found at once, and a cleared one no more', () => {
    const pins = pinsOf(pin(1));
    expect(pins.find(of('a'), 'mood')?.seq).toBe(1);
    pins.write('pin_2', pin(2));
    expect(pins.find(of('a'), 'mood')?.seq).toBe(2);
    pins.write('pin_2', undefined);
    pins.write('pin_1', undefined);
    expect([pins.find(of('a'), 'mood'), pins.of(0)]).toEqual([undefined, []]);
  });

  test('the closest wins, and of these the newest, whatever is armed', () => {
    const some = fc.record({
      collection: fc.constantFrom('orders', 'notes'),
      object: fc.constantFrom('a', 'b', null),
      owner: fc.constantFrom(null, { fields: ['customer'], id: 'ann' }, { fields: ['customer'], id: 'bob' }),
      path: fc.constantFrom('mood', 'risk'),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 12 }), (all) => {
        const pins = all.map((each, n) => pin(n, each));
        const holds = ({ collection, object, owner, path }: Pin): boolean =>
          collection === 'orders' &&
          path === 'mood' &&
          (object === null ? !owner || owner.id === 'ann' : object === 'a');
        const rank = ({ object, owner, seq }: Pin): number => (object ? 2000 : owner ? 1000 : 0) + seq;
        const [wanted] = pins.filter(holds).sort((x, y) => rank(y) - rank(x));
        expect(pinsOf(...pins).find(of('a', { customer: 'ann' }), 'mood')).toBe(wanted);
        expect(pinsOf(...pins.toReversed()).of(1)).toEqual(pins.filter(({ collection }) => collection === 'notes'));
      }),
    );
  });
});

describe('Faults', () => {
  function fault(seq: number, match: JsonObject | null, more: Partial<Fault> = {}): Fault {
    return {
      ...{ id: `fault_${seq}`, seq, collection: 'orders', operation: 'create', kind: 'error', status: 500, error: {} },
      ...{ remaining: null, match, delayMs: 0 },
      ...more,
    };
  }
  function found(all: readonly Fault[], params: JsonObject = {}): number | undefined {
    const faults = new Faults('faults');
    for (const each of all) faults.write(each.id, each);
    return faults.matching('orders', 'create', () => params)[0]?.seq;
  }

  test.each<[string, JsonObject, JsonObject, boolean]>([
    ['nothing to match', {}, { a: 1 }, true],
    ['an equal value', { a: 1 }, { a: 1, b: 2 }, true],
    ['another value', { a: 1 }, { a: 2 }, false],
    ['a parameter that is not there', { a: 1 }, {}, false],
    ['a path', { 'card.number': '4242' }, { card: { number: '4242' } }, true],
    ['a path that leads nowhere', { 'card.number': '4242' }, { card: 'x' }, false],
    ['a number that a form sends as text', { amount: 500 }, { amount: '500' }, true],
    ['a truth that a form sends as text', { live: true }, { live: 'true' }, true],
    ['a text where a number came', { amount: '500' }, { amount: 500 }, false],
    ['a whole list', { items: [1, { a: 2 }] }, { items: [1, { a: 2 }] }, true],
    ['null, of what is not there', { a: null }, {}, true],
    ['one of two', { a: 1, b: 2 }, { a: 1, b: 3 }, false],
  ])('%s', (_, match, params, hits) => {
    expect(found([fault(1, match)], params)).toBe(hits ? 1 : undefined);
  });

  test('the oldest that matches fires; other operations and collections are left alone', () => {
    expect(found([fault(2, null), fault(1, null), fault(3, null)])).toBe(1);
    expect(found([fault(1, { a: 1 }), fault(2, null)])).toBe(2);
    expect(found([fault(1, null, { operation: 'update' }), fault(2, null, { collection: 'notes' })])).toBeUndefined();
  });

  test('parameters are not asked for when no fault could match', () => {
    const asked = (): JsonObject => {
      throw new Error('asked for parameters');
    };
    const faults = new Faults('faults');
    expect(faults.matching('orders', 'create', asked)).toEqual([]);
    faults.write('fault_1', fault(1, { a: 1 }, { operation: 'update' }));
    expect(faults.matching('orders', 'create', asked)).toEqual([]);
  });
});
