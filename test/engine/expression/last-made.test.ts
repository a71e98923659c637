import * as fc from 'fast-check';
import { LastMade, MemberNames, unlessSame, unlessSameMembers } from '../../../engine/expression/support.js';
import type { Json, JsonObject } from '../../../engine/values/index.js';

/** So often that what is asked of members is compiled long before the end. */
const OFTEN = 200;

const names = fc.uniqueArray(
  fc.constantFrom('a', 'b-c', '__proto__', 'constructor', '7', 'toString', "it's", 'x', ''),
  {
    maxLength: 6,
  },
);
const shared: JsonObject = { of: 'all' };
const value = fc.constantFrom<Json>(null, true, 'text', 0, 1.5, shared);

/** Objects with the same members, as one place of a compiled text makes them. */
const objects = names.chain((keys) =>
  fc
    .array(fc.array(value, { minLength: keys.length, maxLength: keys.length }), { minLength: 2, maxLength: 8 })
    .map((rows) =>
      rows.map((row) => {
        const made: Record<string, Json> = {};
        keys.forEach((key, at) =>
          Object.defineProperty(made, key, { value: row[at], enumerable: true, writable: true, configurable: true }),
        );
        return made;
      }),
    ),
);

const entries = (object: JsonObject): unknown => Object.entries(object);

test('a place makes equal objects, also once its comparison is compiled, and one where it makes the same again', () => {
  fc.assert(
    fc.property(objects, (made) => {
      const place = new LastMade();
      for (let n = 0; n < OFTEN; n++) {
        const one = made[n % made.length];
        const given = place.object(one);
        expect(entries(given)).toEqual(entries(one));
        expect(place.object(Object.defineProperties({}, Object.getOwnPropertyDescriptors(one)))).toBe(given);
      }
    }),
    { numRuns: 60 },
  );
});

test('of members by their names the same is said before and after that is compiled', () => {
  fc.assert(
    fc.property(objects, objects, (made, others) => {
      const keys = new MemberNames(Object.keys(made[0]));
      for (let n = 0; n < OFTEN; n++) {
        const [one, other] = [made[n % made.length], made[(n * 3 + 1) % made.length]];
        const stranger = others[n % others.length];
        expect(unlessSameMembers(one, other, keys)).toBe(unlessSame(one, other));
        expect(unlessSameMembers(stranger, other, keys)).toBe(unlessSame(stranger, other));
        const numbers = Object.values(one).filter((each) => typeof each === 'number');
        expect(keys.sumOf(one)).toBe(numbers.reduce((sum, each) => sum + each + 1, -1));
      }
    }),
    { numRuns: 60 },
  );
});
