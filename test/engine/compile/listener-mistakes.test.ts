import { loadPack } from '../../../engine/index.js';
import { samplePack } from '../../support/sample-pack.js';

const radio = samplePack('radio');

/** What is wrong with the pack after a change of a file: code, suggestion, and the text of the line. */
function mistakes(file: string, from: string, to: string): (string | undefined)[][] {
  const changed = radio.patched(file, [from, to]);
  const { problems } = loadPack(radio.write(changed));
  const textOf = (name: string, line: number): string =>
    (changed[name] ?? radio.files[name]).split('\n')[line - 1].trim();
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ code, suggestion, file: name, line }) => [code, suggestion, textOf(name, line)]);
}

test('the pack of the tests has no mistakes', () => {
  expect(mistakes('pack.yaml', 'version: 0.1.0', 'version: 0.1.1')).toEqual([]);
});

test.each<[from: string, to: string, code: string, suggestion: string | undefined]>([
  ['opened: set.on', 'opened: set.onn', 'unknown-cause', 'set.on'],
  ['closed: set.off', 'closed: set.offf', 'unknown-cause', 'set.off'],
  ['refused: no_such_set', 'refused: no_such_sett', 'unknown-error', 'no_such_set'],
  ['path: /v1/air/{listener}', 'path: /v1/air/{set}', 'invalid-value', undefined],
  ['path: /v1/air/{listener}', 'path: /v1/{listener}/air', 'invalid-value', undefined],
  ['protocol: radio-v1', 'protocol: radio v1', 'invalid-value', undefined],
  ['protocol: radio-v1', 'share: 0', 'invalid-value', undefined],
  ['protocol: radio-v1', 'greeting: { set: "${listner}" }', 'expression', 'listener'],
  ['protocol: radio-v1', 'ends: { when: event.tpe == null, say: {} }', 'expression', 'type'],
  ['protocol: radio-v1', 'ends: { when: event.type, say: {} }', 'wrong-type', undefined],
  ['protocol: radio-v1', 'ends: { when: "true", say: { of: "${reply}" } }', 'expression', undefined],
  [
    'post: { url: "endpoint.url", body: "${rest(event)}" }',
    'post: { method: GET, url: "endpoint.url", body: "${rest(event)}" }',
    'invalid-value',
    undefined,
  ],
  ['listener: endpoint.set', 'listener: endpoint.sett', 'expression', 'set'],
  ['listener: endpoint.set', 'listener: endpoint.talks', 'wrong-type', undefined],
  ['awaits_response: endpoint.talks', 'awaits_response: endpoint.set', 'wrong-type', undefined],
  ['to: reply.id', 'to: message.id', 'expression', undefined],
  [`responds: "reply.kind == 'over'"`, `responds: "'over'"`, 'wrong-type', undefined],
  [`acknowledges: "reply.kind == 'heard'"`, 'acknowledges: 12', 'wrong-type', undefined],
  ['status: reply.status', 'status: replay.status', 'expression', 'reply'],
  ['headers: reply.headers', 'headers: endpoint.headers', 'expression', undefined],
])('%s -> %s is a mistake at its line', (from, to, code, suggestion) => {
  expect(mistakes('pack.yaml', from, to)).toEqual([[code, suggestion, to]]);
});

test('sockets of one path have everything in common but their messages', () => {
  const [, air] = /( {4}air:[^]*?) {2}retries/.exec(radio.files['pack.yaml']) ?? [];
  const twice = (other: string): (string | undefined)[][] => mistakes('pack.yaml', air, `${air}${other}`);
  const second = air.replace('air:', 'waves:').replace('/v1/waves', '/v1/air');
  expect(twice(second.replace('said: "${body}"', 'heard: "${body}"'))).toEqual([]);
  expect(twice(second.replace("'over'", "'roger'"))).toMatchObject([['invalid-value', undefined, 'to: reply.id']]);
  expect(twice(second.replace('radio-v1', 'radio-v2'))).toMatchObject([
    ['invalid-value', undefined, 'protocol: radio-v2'],
  ]);
  expect(twice(second.replace('radio-v1', 'radio-v2').replace('/v1/air', '/v1/waves'))).toEqual([]);
});

test('what a message is made of is checked, and what its world events take', () => {
  expect(mistakes('pack.yaml', 'ear: "${endpoint.id}"', 'ear: "${signature}"')).toMatchObject([
    ['expression', undefined, expect.stringContaining('signature')],
  ]);
  expect(mistakes('pack.yaml', 'refused: no_such_set', '')).toMatchObject([
    ['missing-key', undefined, expect.anything()],
  ]);
  expect(mistakes('causes.yaml', 'params: { listener: ', 'params: { name: ')).toMatchObject([
    ['expression', undefined, expect.stringContaining('params.listener')],
    ['expression', undefined, expect.stringContaining('params.listener')],
    ['missing-argument', undefined, 'opened: set.on'],
  ]);
});
