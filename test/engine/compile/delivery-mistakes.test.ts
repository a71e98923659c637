import { DeliveryWorld, inspect, load } from '../../support/delivery-world.js';
import { samplePack } from '../../support/sample-pack.js';

const pack = samplePack('delivery');

/** What is wrong with the delivery pack after a change: code, and the text of the line it points at. */
function mistakes(from: string, to: string): [string, string][] {
  const changed = pack.patched('pack.yaml', [from, to]);
  const lines = changed['pack.yaml'].split('\n');
  return inspect(pack.write(changed)).problems.map(({ code, line, file: name }) => [
    code,
    name === 'pack.yaml' ? lines[line - 1].trim() : name,
  ]);
}

test('the pack of the tests has no mistakes', () => {
  expect(new DeliveryWorld(load()).defects).toEqual([]);
});

test.each([
  ['resource: hook', 'resource: hok', 'unknown-resource', 'resource: hok'],
  [`active: "endpoint.status == 'on'"`, 'active: "endpoint.stat"', 'expression', 'active: "endpoint.stat"'],
  [`active: "endpoint.status == 'on'"`, 'active: "endpoint.status"', 'wrong-type', 'active: "endpoint.status"'],
  [`events: 'endpoint.events'`, `events: 'endpoint.url'`, 'wrong-type', `events: 'endpoint.url'`],
  [
    `secret: 'concat([endpoint.secret]`,
    `secret: 'concat([endpoint.sekret]`,
    'expression',
    `secret: 'concat([endpoint.sekret]`,
  ],
  [`transport: 'endpoint.kind'`, `transport: "'htp'"`, 'unknown-transport', `transport: "'htp'"`],
  [`transport: 'endpoint.kind'`, `transport: 'endpoint.strict'`, 'wrong-type', `transport: 'endpoint.strict'`],
  ['    queue:', '    queues:', 'unknown-transport', `transport: 'endpoint.kind'`],
  ['send: stop', 'send: stopp', 'unknown-trigger', 'exhausted: [{ send: stopp'],
  [`url: 'endpoint.url'`, `url: 'endpoint.uri'`, 'expression', `url: 'endpoint.uri'`],
  [`body: '\${rest(event)}'`, `body: '\${rest(evt)}'`, 'expression', `body: '\${rest(evt)}'`],
  ['t=${timestamp}', 't=${timestmp}', 'expression', `'\${vars.Vendor}-Signature'`],
  ['${vars.Vendor}-Signature', '${vars.Vendor} Signature', 'bad-header', `'\${vars.Vendor} Signature'`],
  ['X-Access', 'Content-Length', 'bad-header', 'Content-Length'],
  [
    `content: '\${timestamp}.\${body}', key: utf8`,
    `content: '\${time}.\${body}', key: utf8`,
    'expression',
    `signature: { content: '\${time}`,
  ],
  ['join(signatures.map', 'join(signature.map', 'expression', 'join(signature.map'],
  [`queue: '\${endpoint.url}'`, `queue: '\${endpoint.urll}'`, 'expression', `record: { queue: '\${endpoint.urll}'`],
  ['timeout: 300ms', 'timeout: 0s', 'invalid-value', 'timeout: 0s'],
  [`with: { type: '\${type}'`, 'with: { type: x', 'no-event-type', 'with: { type: x'],
  [`register: { url: '\${url}'`, `register: { url: '\${uri}'`, 'expression', `register: { url: '\${uri}'`],
  [
    `register: { url: '\${url}'`,
    `register: { url: '\${url}', colour: red`,
    'unknown-field',
    `register: { url: '\${url}', colour: red`,
  ],
])('%s -> %s is a mistake at its line', (from, to, code, line) => {
  const found = mistakes(from, to);
  expect(found.map(([each]) => each)).toContain(code);
  expect(found.filter(([each]) => each === code).map(([, text]) => text)).toContainEqual(expect.stringContaining(line));
});

test('several transports need a choice, a signature needs a secret', () => {
  expect(mistakes(`    transport: 'endpoint.kind'\n`, '')).toEqual([]);
  const unsigned = mistakes(
    `    secret: 'concat([endpoint.secret], endpoint.old_secret != null ? [endpoint.old_secret] : [])'\n`,
    '',
  );
  expect(unsigned.map(([code]) => code)).toEqual(['no-secret', 'no-secret']);
});
