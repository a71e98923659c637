import { loadPack } from '../../../engine/index.js';
import { minimal } from '../../support/sample-pack.js';

/** Mistakes that authors made with vendors' documents beside them, and what is said about each: only the cause, at its place. */

const PARCEL = `resource: parcel
collection: parcels
id: { prefix: pcl_ }
fields:
  to: { ref: address, nullable: true }
  label: { type: string, view: =self.id }
  also: { type: array, items: { ref: address } }
  status: { machine: true }
machine: { initial: ready, states: { ready: { on: { ship: sent } }, sent: {} } }
operations:
  create:
    params: { to: { ref: address } }
    let: { to: get(params.to) }
    do:
      - create: parcel
        with: { to: =to.id }
  ship: { do: [{ send: ship }] }
  show: { route: 'GET /parcels/{id}/show', return: =self }
`;

const FILES = {
  'resources/parcel.yaml': PARCEL,
  'resources/address.yaml': `resource: address
collection: addresses
id: { prefix: adr_ }
fields: { street: string? }
operations: [create]
`,
};

/** `line:column code message` of each problem, with what was meant. */
function told(from: string, to: string, file = 'resources/parcel.yaml'): string[] {
  const text = (FILES as Record<string, string>)[file] ?? minimal.files[file];
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  const { problems } = loadPack(minimal.write({ ...minimal.files, ...FILES, [file]: text.replace(from, () => to) }));
  return problems.map(
    ({ line, column, code, message, suggestion }) =>
      `${line}:${column} ${code} ${message}${suggestion === undefined ? '' : ` (${suggestion})`}`,
  );
}

test('the pack has no problem', () => {
  expect(told('street', 'street', 'resources/address.yaml')).toEqual([]);
});

test.each([
  [
    '{ to: =to.id }',
    "{ to: \"=find(parcel, {'status': 'sent'}).id\" }",
    "16:21 wrong-type 'to' is the id of an address, not of a parcel",
  ],
  [
    '{ to: =to.id }',
    '{ also: "=all(parcel).map(p, p.id)" }',
    "16:23 wrong-type 'also' is the id of an address, not of a parcel",
  ],
  [
    'return: =self }',
    'return: =self.label }',
    "18:58 expression 'label' is computed for responses: read rest(...).label",
  ],
  [
    'with: { to: =to.id }',
    'from: to.street',
    "16:15 wrong-type 'to.street' is a string: fields come from an object whose fields are declared, such as params",
  ],
  ['{ to: =to.id }', '{ to: to }', "16:21 invalid-value 'to' is no id of an address (=to)"],
  ['return: =self', 'return: self', "18:52 no-expression this returns the text 'self', not the variable (=self)"],
  [
    "route: 'GET /parcels/{id}/show'",
    'route: GET /parcels/{id}/show',
    '18:18 yaml-unquoted a route with {id} inside { } or [ ] needs quotes',
  ],
  [
    'ship: { do: [{ send: ship }] }',
    'retrieve: { route: GET /parcels/one }',
    '17:22 no-object a retrieve is of one object, and this route names none: write `{id}` in it',
  ],
])('%s -> %s', (from, to, expected) => {
  expect(told(from, to)).toContainEqual(expected);
});

test('a state that nothing leads to is reported once, with the trigger that no state takes', () => {
  const states = 'ready: { on: { cancel: gone } }, bought: { on: { pack: packed } }, packed: {}, sent: {}, gone: {}';
  expect(
    told('ready: { on: { ship: sent } }, sent: {}', states).filter((each) => !each.includes('never-sent')),
  ).toEqual([
    expect.stringContaining("unreachable-state no transition leads to 'bought'"),
    expect.stringContaining("unreachable-state no transition leads to 'sent'"),
    expect.stringContaining("unknown-trigger unknown trigger 'ship'"),
  ]);
});

test('a text with a comma, and a duration without a unit', () => {
  expect(told('fault:', 'bad: { status: 401, message: wrong key, wrong word }\n  fault:', 'errors.yaml')).toEqual([
    expect.stringContaining(
      "yaml-unquoted a comma ends a text inside { } and [ ]: put 'wrong key, wrong word' in quotes",
    ),
  ]);
  expect(told('version: 0.1.0', 'version: 0.1.0\ndurations: { wait: { default: 6 } }', 'pack.yaml')).toContainEqual(
    "3:31 wrong-type 'default' must be a duration, like 30s, 5m, 24h or 1d12h, not the number 6 (6s)",
  );
});
