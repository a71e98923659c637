import * as fc from 'fast-check';
import { glob } from '../../../engine/model/index.js';
import { RandomStream } from '../../../engine/world/index.js';
import { linked, problemsOf } from './linked-model.js';

const settingsOf = (pack: string, vars: Record<string, string> = {}) => linked({ 'pack.yaml': pack }, vars).settings;

test('a pack that says nothing gets what most vendors do', () => {
  const settings = settingsOf('');
  expect(settings).toMatchObject({
    title: settings.name,
    time: 'iso8601',
    basePath: '',
    updateMethod: 'PATCH',
    auth: { schemes: ['bearer'], keyPrefix: 'key_', keyLength: 24 },
    requests: 'json',
    contentType: 'application/json',
    rejectUnknown: true,
    longestText: null,
    collectProblems: false,
    lists: { param: 'limit', size: 10, min: 1, max: 100, after: ['cursor'], before: null, lenient: false },
    search: null,
    expansion: null,
    versions: null,
    idempotency: null,
    headers: [],
    events: null,
    delivery: null,
  });
  expect(settings.requestId.ids.make(new RandomStream(1))).toMatch(/^req_[0-9A-Za-z]{16}$/);
});

test('idempotency: what is left out of it', () => {
  expect(settingsOf('idempotency: { header: Idempotency-Key }\n').idempotency).toEqual({
    header: 'idempotency-key',
    methods: new Set(['POST']),
    replayedHeader: null,
    originalHeader: null,
    echoHeader: null,
    maxLength: 255,
    keep: 'all',
    param: null,
    retention: 86_400_000,
  });
});

test('durations: as text, with a description, without end', () => {
  const { durations } = settingsOf(
    'durations: { short: 90s, long: { default: 1d12h, description: a while }, never: none }\n',
  );
  expect([...durations.values()]).toEqual([
    { name: 'short', defaultMs: 90_000, description: '' },
    { name: 'long', defaultMs: 129_600_000, description: 'a while' },
    { name: 'never', defaultMs: null, description: '' },
  ]);
});

test('versions: the current one is the only one unless there is a pattern', () => {
  const { versions } = settingsOf('versions: { header: V, current: 1.0 }\n'.replace('1.0', '"1.0"'));
  expect(['1.0', '1x0', '2.0'].map((each) => versions?.pattern.test(each))).toEqual([true, false, false]);
});

test('variables stand in the names of headers, and a variable that is given replaces the pack’s', () => {
  const pack = 'vars: { Vendor: Acme }\nheaders: { "${vars.Vendor}-Version": "1" }\n';
  expect(settingsOf(pack).headers).toMatchObject([{ name: 'Acme-Version', value: '1' }]);
  expect(settingsOf(pack, { Vendor: 'Neutral' }).headers).toMatchObject([{ name: 'Neutral-Version', value: '1' }]);
});

test.each<[string, string, Record<string, string>, string]>([
  ['an unknown id format', 'request_id: { format: shrt }\nids: { short: { parts: [x] } }\n', {}, 'unknown-id-format'],
  ['an unknown variable', 'vars: { vendor: a }\nheaders: { "${vars.vndor}-V": "1" }\n', {}, 'unknown-variable'],
  ['a given variable that the pack does not have', 'vars: { vendor: a }\n', { vndor: 'x' }, 'unknown-variable'],
])('%s is told', (_, pack, vars, code) => {
  const [told, ...more] = problemsOf(linked({ 'pack.yaml': pack }, vars));
  expect([told.split(':')[0], more]).toEqual([code, []]);
});

test('a pattern of names matches as a star does: any characters, and nothing else is special', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', '_', '+', '(') });
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.array(name, { maxLength: 4 }), (parts, fillings) => {
      const text = parts.reduce((all, part, index) => `${all}${fillings[index - 1] ?? ''}${part}`);
      expect(glob(parts.join('*')).test(text)).toBe(true);
      expect(glob(parts.join('')).test(`${parts.join('')}a`)).toBe(false);
    }),
  );
  expect(glob('order.*').test('order_paid')).toBe(false);
  expect(glob('*.paid').test('order.paid.late')).toBe(false);
});
