import { problemsOf } from '../../support/pack-world.js';

/** What `validate-pack` says of mistakes in the files of versions: each rule, against the shape before the change. */

const PACK = `
vars: { api: "1" }
versions:
  header: Acme-Version
  current: "\${vars.api}"
  base: "1"
  newer: ["2", "3"]
  told_by: object
`;

const ORDER = `
resource: order
collection: orders
id: { prefix: ord_ }
fields:
  object: { const: order }
  note: string?
  total: { type: integer, default: 0 }
  twice: { type: integer, view: "\${self.total * 2}" }
  address: { type: object, nullable: true, fields: { street: "string?", zip: "string?" } }
operations:
  create:
    params: { note: string, gift: boolean, total: { type: integer, min: 0, max: 1000000 } }
    do:
      - { fail: parameter_missing, with: { param: gift }, when: "version.has('no_gifts') && params.gift == true" }
      - { create: order, with: { note: "\${params.note}", total: "\${params.total}" } }
  retrieve: {}
`;

const GOOD = `    resources:
      order:
        remove: [address.zip]
        rename: { note: remark }
        add: { half: { type: integer, view: "\${self.total / 2}" } }
        change: { total: { type: string, view: "\${string(self.total)}" } }
    operations:
      orders.create:
        rename: { note: remark }
        add: { colour: string }
        move: { sum: { as: { type: object, fields: { amount: integer } }, to: { total: "\${value.amount}" } } }
        refuse: { gift: parameter_missing }
    switches: [no_gifts]
`;

/** A first version with one change; the second one changes nothing unless told. */
function versions(change: string, then = 'changes: []\n'): Record<string, string> {
  return {
    'pack.yaml': PACK,
    'resources/order.yaml': ORDER,
    'versions/2.yaml': `version: "2"\nchanges:\n  - title: One\n${change}`,
    'versions/3.yaml': `version: "3"\n${then}`,
  };
}

/** Codes of what is wrong, each with the text of its line. */
function mistakes(files: Record<string, string>): string[] {
  return problemsOf(files).map((problem) => {
    const [code, place] = problem.split(' ');
    const [file, line] = place.split(':');
    const text = (files[file] ?? '').split('\n')[Number(line) - 1];
    return `${code} ${file === 'versions/2.yaml' || file === 'versions/3.yaml' ? text.trim() : file}`;
  });
}

test('a version without mistakes has none', () => {
  expect(mistakes(versions(GOOD))).toEqual([]);
});

const resource = (text: string): string => `    resources:\n      order:\n        ${text}\n`;
const operation = (text: string): string => `    operations:\n      orders.create:\n        ${text}\n`;
const SWITCH = '    switches: [no_gifts]\n';

test.each<[string, string, string]>([
  ['a field that the version before has not got', resource('remove: [nothing]'), 'unknown-field remove: [nothing]'],
  ['one inside another field', resource('remove: [address.city]'), 'unknown-field remove: [address.city]'],
  ['one inside a field without any', resource('remove: [note.x]'), 'no-fields remove: [note.x]'],
  [
    'a name that is not there to be changed',
    resource('rename: { nte: remark }'),
    'unknown-field rename: { nte: remark }',
  ],
  ['a name that is taken', resource('rename: { note: total }'), 'duplicate-field rename: { note: total }'],
  ['the name of a computed field', resource('rename: { twice: double }'), 'renamed-view rename: { twice: double }'],
  [
    'a new field that is there',
    resource('add: { note: { type: string, view: "x" } }'),
    'duplicate-field add: { note: { type: string, view: "x" } }',
  ],
  ['a new field that nothing computes', resource('add: { half: integer }'), 'no-view add: { half: integer }'],
  [
    'a change of what is not there',
    resource('change: { half: { type: integer, view: 1 } }'),
    'unknown-field change: { half: { type: integer, view: 1 } }',
  ],
  [
    'a view that reads what is not stored',
    resource('add: { half: { type: integer, view: "${self.totl}" } }'),
    'expression add: { half: { type: integer, view: "${self.totl}" } }',
  ],
  [
    'a resource that is not there',
    '    resources: { odrer: { remove: [note] } }\n',
    'unknown-resource resources: { odrer: { remove: [note] } }',
  ],
  [
    'an operation that is not there',
    '    operations: { orders.make: { exists: true } }\n',
    'unknown-operation operations: { orders.make: { exists: true } }',
  ],
  ['a parameter that is not there', operation('remove: [gft]'), 'unknown-parameter remove: [gft]'],
  [
    'a new name of a parameter that is not there',
    operation('rename: { nte: remark }'),
    'unknown-parameter rename: { nte: remark }',
  ],
  [
    'a new name that another parameter has',
    operation('rename: { note: total }'),
    'duplicate-parameter rename: { note: total }',
  ],
  ['a new parameter that is there', operation('add: { note: string }'), 'duplicate-parameter add: { note: string }'],
  [
    'a refusal of what is not there',
    operation('refuse: { gft: parameter_missing }'),
    'unknown-parameter refuse: { gft: parameter_missing }',
  ],
  [
    'a refusal with an error that is not there',
    operation('refuse: { gift: invalid_integr }'),
    'unknown-error refuse: { gift: invalid_integr }',
  ],
  [
    'a move to what is not there',
    operation('move: { sum: { as: integer, to: { totl: "${value}" } } }'),
    'unknown-parameter move: { sum: { as: integer, to: { totl: "${value}" } } }',
  ],
  [
    'a move of another type',
    operation('move: { sum: { as: string, to: { total: "${value}" } } }'),
    'wrong-type move: { sum: { as: string, to: { total: "${value}" } } }',
  ],
])('%s', (_, change, told) => {
  expect(mistakes(versions(`${change}${SWITCH}`))).toEqual([told]);
});

test('a change is checked against the version before, and not against the base', () => {
  const gone = 'changes:\n  - title: Two\n    resources: { order: { remove: [note] } }\n';
  expect(mistakes(versions(`${resource('remove: [note]')}${SWITCH}`, gone))).toEqual([
    'unknown-field resources: { order: { remove: [note] } }',
  ]);
  const again = 'changes:\n  - title: Two\n    resources: { order: { rename: { remark: memo } } }\n';
  expect(mistakes(versions(`${resource('rename: { note: remark }')}${SWITCH}`, again))).toEqual([]);
});

test('a switch that no version has', () => {
  expect(mistakes(versions(resource('remove: [note]')))).toEqual(['expression resources/order.yaml']);
});

test('the list of pack.yaml and the files are the same', () => {
  const { 'versions/3.yaml': _, ...files } = versions(GOOD);
  expect(mistakes(files)).toEqual(['no-version-file pack.yaml']);
  const stranger = { ...versions(GOOD), 'versions/4.yaml': 'version: "4"\nchanges: []\n' };
  expect(mistakes(stranger)).toEqual(['unknown-version versions/4.yaml']);
  const twice = { ...versions(GOOD), 'versions/3.yaml': 'version: "2"\nchanges: []\n' };
  expect(mistakes(twice).length).toBeGreaterThan(0);
  const account = { ...versions(GOOD), 'pack.yaml': PACK.replace('api: "1"', 'api: "9"') };
  expect(mistakes(account)).toEqual(['unknown-version pack.yaml']);
  const teller = { ...versions(GOOD), 'pack.yaml': PACK.replace('told_by: object', 'told_by: objct') };
  expect(mistakes(teller)).toEqual(['unknown-field pack.yaml']);
});
