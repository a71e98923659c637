import { difference, parseSamples, parseValues } from './documented-samples.js';

const SAMPLE = '{ "id": "pi_...", "n": 1, "x": ..., "list": [..., { "a": null }, ...], ... }';

test.each([
  ['fits', { id: 'pi_1', n: 1, x: [], list: [1, { a: null }, 2], more: true }, undefined],
  ['another text', { id: 'ch_1', n: 1, x: 1, list: [{ a: null }] }, 'answer.id is "ch_1", not "pi_..."'],
  ['another number', { id: 'pi_1', n: 2, x: 1, list: [{ a: null }] }, 'answer.n is 2, not 1'],
  ['nothing where anything may be', { id: 'pi_1', n: 1, list: [{ a: null }] }, 'answer.x is missing'],
  [
    'no such item',
    { id: 'pi_1', n: 1, x: 1, list: [{ a: 0 }] },
    'answer.list has nothing like item 0 of the sample: [{"a":0}]',
  ],
])('a sample and an answer: %s', (_, answer, wanted) => {
  expect(difference(parseSamples(SAMPLE)[0], answer)).toBe(wanted);
});

test('what is shown without `...` is all there is', () => {
  const [object, list] = parseSamples('{"a": 1} [1]');
  expect(difference(object, { a: 1, b: 2 })).toBe('answer.b is not shown');
  expect(difference(list, [1, 2])).toBe('answer has 2 items, not 1');
});

test('values stand one after another, also without space', () => {
  expect(parseValues('{"a":"}{"}[1]\n{}')).toEqual([{ a: '}{' }, [1], {}]);
  expect(() => parseValues('{} oops')).toThrow('not JSON: oops');
});
