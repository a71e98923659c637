import fc from 'fast-check';
import qs from 'qs';
import { decodeForm, decodeQuery } from '../../../engine/api/form.js';
import { decodeJson } from '../../../engine/codecs/index.js';
import { wireKeys, type Wire } from '../../../engine/api/form.js';
import { processorTime } from '../../support/processor-time.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => {
  const decoded = decodeForm(text);
  return decoded.ok ? decoded.value : decoded.reason;
};
const json = (text: string) => {
  const decoded = decodeJson(bytes(text));
  return decoded.ok ? decoded.value : decoded.reason;
};

describe('forms', () => {
  test.each<[string, unknown]>([
    ['', {}],
    ['a=1', { a: '1' }],
    ['a=1&b=two+words&c=%C3%A9', { a: '1', b: 'two words', c: 'é' }],
    ['a=&b', { a: '', b: '' }],
    ['&&a=1&', { a: '1' }],
    ['a=b=c', { a: 'b=c' }],
    ['=1', { '': '1' }],
    ['a[b]=1&a[c][d]=2', { a: { b: '1', c: { d: '2' } } }],
    ['a%5Bb%5D=1', { a: { b: '1' } }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[]=', { a: [''] }],
    ['a[0]=x&a[1]=y', { a: ['x', 'y'] }],
    ['a[1]=y&a[0]=x', { a: ['x', 'y'] }],
    ['a[10]=z&a[9]=y&a[3]=x', { a: ['x', 'y', 'z'] }],
    ['a[0][x]=1&a[0][y]=2&a[1][x]=3', { a: [{ x: '1', y: '2' }, { x: '3' }] }],
    ['a[][x]=1&a[][y]=2&a[][x]=3', { a: [{ x: '1', y: '2' }, { x: '3' }] }],
    ['a[][x][]=1&a[][x][]=2', { a: [{ x: ['1', '2'] }] }],
    ['a[99999]=x', { a: { '99999': 'x' } }],
    ['a[0]=x&a[b]=y', { a: { '0': 'x', b: 'y' } }],
    ['a[01]=x', { a: { '01': 'x' } }],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['a[b]=1&a[b]=2', { a: { b: ['1', '2'] } }],
    ['a[b=1', { 'a[b': '1' }],
    ['a]b=1', { 'a]b': '1' }],
    ['a]b[c]=1', { 'a]b[c]': '1' }],
    ['a[b]c=1', { 'a[b]c': '1' }],
    ['a[[b]]=1', { 'a[[b]]': '1' }],
    ['[a]=1', { '[a]': '1' }],
    ['a[toString]=1&hasOwnProperty=2', { a: { toString: '1' }, hasOwnProperty: '2' }],
  ])('%s', (text, value) => {
    expect(read(text)).toEqual(value);
    expect(decodeForm(bytes(text))).toEqual({ ok: true, value });
    expect(decodeQuery(text)).toEqual({ ok: true, value });
  });

  test.each<[string, string]>([
    ['a=1&a[b]=2', "'a[b]' is given both as a value and with members"],
    ['a[b]=2&a=1', "'a' is given both as a value and with members"],
    ['a[b]=2&a[b][c]=1', "'a[b][c]' is given both as a value and with members"],
    ['a[]=1&a[b]=2', "'a[b]' is given both with and without indices"],
    ['a[0]=1&a[]=2', "'a[]' is given both with and without indices"],
    ['__proto__=1', "'__proto__' cannot be the name of a parameter"],
    ['__proto__[x]=1', "'__proto__' cannot be the name of a parameter"],
    ['a[__proto__][x]=1', "'__proto__' cannot be the name of a parameter"],
    ['a[constructor][prototype][x]=1', "'constructor' cannot be the name of a parameter"],
    ['a[%5F_proto__]=1', "'__proto__' cannot be the name of a parameter"],
    ['a=%ff', "'%ff' is not valid percent-encoded UTF-8"],
    ['a=%C3', "'%C3' is not valid percent-encoded UTF-8"],
    ['a=100%', "'100%' is not valid percent-encoded UTF-8"],
    ['%zz=1', "'%zz' is not valid percent-encoded UTF-8"],
    [
      `a${'[b]'.repeat(21)}=1`,
      "'a[b][b][b][b][b][b][b][b][b][b][b][b][b][b][b][b][b][b][b...' is nested deeper than 20 levels",
    ],
  ])('%s is refused', (text, reason) => {
    expect(read(text)).toBe(reason);
  });

  test('20 levels and 1,000 parameters are taken, one more is not', () => {
    expect(decodeForm(`a${'[b]'.repeat(20)}=1`).ok).toBe(true);
    const many = (count: number) => Array.from({ length: count }, (_, at) => `a[${at}]=x`).join('&');
    expect(decodeForm(many(1000)).ok).toBe(true);
    expect(read(many(1001))).toBe('there are more than 1000 parameters');
  });

  test('floods are rejected with little work', async () => {
    const floods = [
      Array.from({ length: 10_000 }, (_, at) => `a[${at}][b][c]=x`).join('&'),
      `a${'[b]'.repeat(300_000)}=1`,
      `a${'['.repeat(1_000_000)}=1`,
      `a${'[]'.repeat(500_000)}=1`,
      'a=1&'.repeat(250_000),
      'a[]=1&'.repeat(150_000),
      'a[][b]=1&'.repeat(100_000),
      `a=${'%41'.repeat(300_000)}`,
    ];
    expect(await processorTime(() => floods.forEach((flood) => decodeForm(flood)))).toBeLessThan(1000);
  });

  test('bytes that are not UTF-8 are refused', () => {
    expect(decodeForm(Uint8Array.of(0x61, 0x3d, 0xff))).toEqual({ ok: false, reason: 'the body is not valid UTF-8' });
    expect(decodeQuery('a=\xff')).toEqual({ ok: false, reason: 'the query is not valid UTF-8' });
  });

  test('a query carries UTF-8 as raw bytes or as text', () => {
    expect(decodeQuery(Buffer.from('a=é').toString('latin1'))).toEqual({ ok: true, value: { a: 'é' } });
    expect(decodeQuery('a=日')).toEqual({ ok: true, value: { a: '日' } });
  });

  test('a list remembers its indices for parameters that turn out to be maps', () => {
    const value = read('m[2024]=x&m[7]=y&n[]=z');
    expect(value).toEqual({ m: ['y', 'x'], n: ['z'] });
    const { m, n } = value as unknown as Record<string, Wire[]>;
    expect(wireKeys(m)).toEqual(['7', '2024']);
    expect(wireKeys(n)).toBeUndefined();
  });

  test('what the official client encodes comes back', () => {
    const text = fc.string({ unit: 'grapheme' });
    const key = fc.oneof(
      fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/),
      fc.stringMatching(/^[A-Z][^[\]]{0,5}$/, { size: 'small' }),
    );
    const safeKey = key.filter((each) => !['constructor', 'prototype'].includes(each));
    const { params } = fc.letrec<{ value: Wire; params: { [key: string]: Wire } }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.array(tie('value'), { minLength: 1, maxLength: 12 }),
        fc.dictionary(safeKey, tie('value'), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
      ),
      params: fc.dictionary(safeKey, tie('value'), { maxKeys: 6, noNullPrototype: true }),
    }));
    fc.assert(
      fc.property(params, (given) => {
        const encoded = qs.stringify(given, { arrayFormat: 'indices' });
        fc.pre(encoded.split('&').length <= 1000);
        const literal = encoded.replace(/%5B/g, '[').replace(/%5D/g, ']');
        for (const form of [encoded, literal, qs.stringify(given, { arrayFormat: 'brackets', filter: flat })]) {
          if (form.includes('skipped')) continue;
          expect(decodeForm(form)).toEqual({ ok: true, value: given });
        }
      }),
    );
  });

  /** Lists inside lists cannot be written with empty brackets. */
  function flat(_prefix: string, value: unknown): unknown {
    return Array.isArray(value) && value.some((each) => typeof each === 'object') ? 'skipped' : value;
  }

  test('nothing throws, and no answer reaches a prototype', () => {
    const pieces = fc.constantFrom(
      'a',
      'b',
      '[',
      ']',
      '[]',
      '=',
      '&',
      '%',
      '%5B',
      '%00',
      '+',
      '0',
      '1',
      '__proto__',
      'constructor',
      'é',
      '\ud800',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(pieces, { maxLength: 40 }).map((each) => each.join('')),
        ),
        (text) => {
          for (const decoded of [decodeForm(text), decodeQuery(text)]) {
            if (decoded.ok) expect(Object.getPrototypeOf(decoded.value)).toBe(Object.prototype);
            else expect(decoded.reason).not.toBe('');
          }
        },
      ),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
        decodeForm(body);
        decodeJson(body);
        decodeQuery(Buffer.from(body).toString('latin1'));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('JSON bodies', () => {
  test.each<[string, unknown]>([
    ['', {}],
    [' \n', {}],
    ['{}', {}],
    ['\ufeff{"a":1}', { a: 1 }],
    ['{"a":[null,true,1.5,"x",{"b":{}}]}', { a: [null, true, 1.5, 'x', { b: {} }] }],
    ['{"constructor":1}', { constructor: 1 }],
  ])('%j', (text, value) => {
    expect(json(text)).toEqual(value);
  });

  test.each<[string, string | RegExp]>([
    ['[]', 'the body must be a JSON object'],
    ['null', 'the body must be a JSON object'],
    ['"x"', 'the body must be a JSON object'],
    ['{"a":', /^the body is not valid JSON: /],
    ["{'a':1}", /^the body is not valid JSON: /],
    ['{"__proto__":{"x":1}}', "'__proto__' cannot be a key"],
    ['{"a":[{"__proto__":1}]}', "'__proto__' cannot be a key"],
    ['{"a":1e999}', 'the body has a number that is too large'],
    [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'the body is nested deeper than 64 levels'],
    [`{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`, 'the body is nested deeper than 64 levels'],
  ])('%.40s is refused', (text, reason) => {
    expect(json(text)).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason));
  });

  test('64 levels are taken', () => {
    expect(decodeJson(bytes(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`)).ok).toBe(true);
  });

  test('bytes that are not UTF-8 are refused', () => {
    expect(decodeJson(Uint8Array.of(0x7b, 0xff, 0x7d))).toEqual({ ok: false, reason: 'the body is not valid UTF-8' });
  });

  test('every JSON object comes back', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          fc.jsonValue(),
          { noNullPrototype: true },
        ),
        (value) => {
          const text = JSON.stringify(value);
          fc.pre(!text.includes('"__proto__"'));
          expect(json(text)).toEqual(JSON.parse(text));
        },
      ),
    );
  });
});
