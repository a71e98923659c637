import { loadPack } from '../../../engine/index.js';
import { samplePack } from '../../support/sample-pack.js';
import { mistake, type Mistake, toldAbout } from './mistake.js';

const full = samplePack('full');

const ORDER = 'resources/order.yaml';
const CUSTOMER = 'resources/customer.yaml';
const PACK = 'pack.yaml';

const MISTAKES: readonly Mistake[] = [
  // Machines
  mistake(
    'a trigger that no step sends',
    ORDER,
    'on: { release: paid }',
    'on: { releasd: paid, release: paid }',
    'trigger-never-sent',
  ),
  mistake(
    'a state that nothing leaves',
    ORDER,
    '{ on: { release: paid } }',
    '{ on: { release: held }, after: { pack_time: held } }',
    'inescapable-state',
  ),
  mistake(
    'a state that nothing enters',
    ORDER,
    '    lost: {}',
    '    lost: {}\n    gone: {}',
    `${ORDER}:29 unreachable-state`,
  ),
  mistake('a state that does not exist', ORDER, 'pack_time: lost', 'pack_time: losst', "unknown-state 'lost'"),
  mistake('a delay without a duration', ORDER, 'pack_time: lost', 'pak_time: lost', "unknown-delay 'pack_time'"),
  mistake('a guard that does not exist', ORDER, 'guard: is_small', 'guard: is_smal', "unknown-guard 'is_small'"),
  mistake(
    'a guard that nothing names',
    ORDER,
    'guards:\n',
    'guards:\n  is_big: "self.amount > 5"\n',
    `${ORDER}:30 unused-guard`,
  ),
  mistake('an action that does not exist', ORDER, 'entry: thank', 'entry: thnk', "unknown-action 'thank'"),
  mistake(
    'a refusal of a trigger that does not exist',
    ORDER,
    '  release: { error',
    '  relese: { error',
    "unknown-trigger 'release'",
  ),
  mistake(
    'a limit of objects by a field that does not exist',
    ORDER,
    'collection: orders\n',
    'collection: orders\nat_most: { objects: 9, until: creatd }\n',
    `${ORDER}:3 unknown-field 'created'`,
  ),
  mistake('a guard that is not true or false', ORDER, '"self.amount < 1000"', '"self.amount + 1000"', 'wrong-type'),
  mistake(
    'an action that moves the clock',
    ORDER,
    '  thank:\n',
    '  thank:\n    - { advance_clock: "${now}" }\n',
    `${ORDER}:34 misplaced-step`,
  ),
  mistake(
    'a parameter that nothing reads',
    ORDER,
    "default(params.why, 'none')",
    'string(self.amount)',
    `${ORDER}:55 unused-parameter`,
  ),
  mistake(
    'a parameter without effect that a step reads',
    ORDER,
    'max_length: 20 }',
    'max_length: 20, effect: none }',
    `${ORDER}:57 expression`,
  ),
  mistake(
    'an effect that does not exist',
    ORDER,
    'max_length: 20 }',
    'max_length: 20, effect: nothing }',
    'invalid-value',
  ),
  // Events
  mistake(
    'an event that no step emits',
    ORDER,
    'order.noted: { emit: true }',
    'order.noted: { emit: true }\n  order.seen: { emit: true }',
    `${ORDER}:66 event-never-emitted`,
  ),
  mistake(
    'an event of deleting what nothing deletes',
    ORDER,
    'order.noted: { emit: true }',
    'order.noted: { emit: true }\n  order.gone: { on: deleted }',
    `${ORDER}:66 event-never-emitted`,
  ),
  mistake(
    'an event of updating what nothing updates',
    'resources/endpoint.yaml',
    'operations: [create, retrieve, list, delete]',
    'operations: [create, retrieve, list, delete]\nevents: { endpoint.made: { on: created } }',
  ),
  mistake(
    'an event that is not declared',
    'flows/note_it.yaml',
    'emit: order.noted',
    'emit: order.notd',
    "unknown-event 'order.noted'",
  ),
  // Pins
  mistake(
    'a pin of no field that nothing reads',
    ORDER,
    'risk: { at: created }',
    'rsik: { at: created }',
    "pin-never-binds 'risk'",
  ),
  mistake(
    'a pin of a member that does not exist',
    ORDER,
    'risk: { at: created }',
    'address.strett: { at: created }',
    "unknown-field 'street'",
  ),
  mistake(
    'a pin of a moment that does not exist',
    ORDER,
    'risk: { at: created }',
    'risk: { at: creatd }',
    "unknown-moment 'created'",
  ),
  mistake(
    'branches that nothing reads',
    ORDER,
    `"pinned('branch') == 'refused'"`,
    '"self.amount == 7"',
    `${ORDER}:68 pin-never-binds`,
  ),
  // Patterns and ids
  mistake('a pattern that cannot run in linear time', PACK, '^[^@ ]+@[^@ ]+$', '^(?:[a-z]+(?=@))@$', 'unsafe-pattern'),
  mistake('a pattern that is none', PACK, '^[^@ ]+@[^@ ]+$', '^[^@ +@$', 'invalid-value'),
  mistake('ids that cannot be told apart', CUSTOMER, 'prefix: cus_', 'prefix: or_', `${ORDER}:3 ambiguous-ids`),
  mistake(
    'ids that do not match their pattern',
    PACK,
    '{ parts: [{ random: 14 }] }',
    '{ parts: [{ random: 14 }], pattern: "[a-z]{3}" }',
    `${CUSTOMER}:3 id-pattern`,
    'resources/endpoint.yaml:3 id-pattern',
    'resources/event.yaml:3 id-pattern',
    `${ORDER}:3 id-pattern`,
  ),
  // Magic values
  mistake(
    'magic values that do not look like their family',
    'magic.yaml',
    '"cus_test_${person.name}"',
    '"cus_tst_${person.name}"',
    'magic-value-unlike',
  ),
  mistake('a family that takes ordinary ids', 'magic.yaml', '"^cus_test_"', '"^cus_"', 'magic-values-overlap'),
  // Constants
  mistake('a default that is no value of the field', ORDER, 'default: low', 'default: lw', 'invalid-value'),
  mistake('a default of another type', 'resources/endpoint.yaml', 'default: true', 'default: "yes"', 'invalid-value'),
  mistake('a default expression of another type', ORDER, 'default: "${now}"', 'default: "${self.id}"', 'wrong-type'),
  mistake('bounds that nothing can meet', ORDER, 'min: 1 }', 'min: 9, max: 1 }', 'invalid-value'),
  mistake(
    'bounds of text',
    CUSTOMER,
    'email: { type: string, format: email }',
    'email: { type: string, max: 3 }',
    'wrong-type',
    'pack.yaml:10 unused-format',
  ),
  mistake('a length of a number', ORDER, 'min: 1 }', 'max_length: 1 }', 'wrong-type'),
  // Operations
  mistake('a misspelt standard operation', CUSTOMER, '  retrieve: {}', '  retreive: {}', "idle-operation 'retrieve'"),
  mistake('filters of what is no list', CUSTOMER, '  list: {', '  lst: {', "idle-operation 'list'", 'key-not-read'),
  mistake(
    'two operations on one route',
    ORDER,
    '{id}/release',
    '{id}/pay',
    'duplicate-route',
    `${ORDER}:52 duplicate-route`,
  ),
  mistake(
    'a route parameter that nothing declares',
    ORDER,
    '{id}/release',
    '{id}/release/{reason}',
    'unknown-route-parameter',
  ),
  // Names that nothing uses
  mistake('a format that does not exist', CUSTOMER, 'format: email', 'format: emial', "unknown-format 'email'"),
  mistake('a type that nothing uses', 'types.yaml', 'address: {', 'spare: string\naddress: {', 'unused-type'),
  mistake('a table that nothing uses', 'magic.yaml', 'person: people', 'person: peple', "unknown-table 'people'"),
  mistake(
    'a variable that nothing uses',
    PACK,
    'vars: { vendor: acme }',
    'vars: { vendor: acme, spare: x }',
    'unused-variable',
  ),
  mistake('a variable that does not exist', PACK, '${vars.vendor}', '${vars.vndor}', "unknown-variable 'vendor'"),
  mistake(
    'a flow that nothing runs',
    'magic.yaml',
    'run: make_test_customer',
    'run: make_test_custmer',
    "unknown-flow 'make_test_customer'",
  ),
  mistake('an error that nothing raises', ORDER, '- fail: too_dear', '- fail: too_deer', "unknown-error 'too_dear'"),
  mistake(
    'a value of scenarios that nothing reads',
    'scenarios.yaml',
    '{ name: broken, fail: internal_error }',
    '{ name: broken, provide: { speed: 2 } }',
    'unused-value',
  ),
  mistake('a scenario that pins no path', 'scenarios.yaml', 'order.branch', 'order.brnch', "unknown-pin-path 'branch'"),
  mistake(
    'a scenario for a call that there is not',
    'scenarios.yaml',
    '{ name: broken, fail: internal_error }',
    '{ name: broken, operations: [orders.creat], fail: internal_error }',
    "unknown-operation 'orders.create'",
  ),
  // Examples
  mistake(
    'a call to a route that does not exist',
    'examples/pay.yaml',
    'call: POST /v1/orders\n',
    'call: POST /v1/ordrs\n',
    "unknown-route 'POST /v1/orders'",
  ),
  mistake(
    'a name that no call has saved',
    'examples/pay.yaml',
    '/v1/orders/${order}/pay',
    '/v1/orders/${ordr}/pay',
    "unknown-name 'order'",
  ),
  // Required values
  mistake(
    'a required field that nothing sets',
    CUSTOMER,
    '  email: string?',
    '  email: string',
    `${CUSTOMER}:12 missing-field`,
  ),
  // Names of every kind
  mistake(
    'a resource that does not exist',
    CUSTOMER,
    'email: string?',
    'email: { ref: ordr, nullable: true }',
    "unknown-resource 'order'",
  ),
  mistake(
    'a field that does not exist',
    'flows/make_test_customer.yaml',
    'with: { email:',
    'with: { emial:',
    "unknown-field 'email'",
  ),
  mistake(
    'an argument that does not exist',
    'magic.yaml',
    'with: { email:',
    'with: { emial:',
    "unknown-argument 'email'",
  ),
  mistake('a parameter that does not exist', ORDER, 'default(params.why', 'default(params.wy', "expression 'why'"),
  mistake(
    'a function that does not exist',
    ORDER,
    "default(params.why, 'none')",
    "defualt(params.why, 'none')",
    "expression 'default'",
  ),
  mistake('a variable of steps that does not exist', ORDER, 'released: ${why}', 'released: ${whi}', "expression 'why'"),
  mistake(
    'a collection of exactly that name',
    CUSTOMER,
    'collection: customers',
    'collection: orders',
    'duplicate-collection',
    `${ORDER}:2 duplicate-collection`,
  ),
  mistake(
    'a state that a pin waits for',
    ORDER,
    'risk: { at: created }',
    'risk: { at: piad }',
    "unknown-moment 'paid'",
  ),
  mistake('a state that an event waits for', ORDER, '{ enter: paid }', '{ enter: paidd }', "unknown-state 'paid'"),
  mistake(
    'a duration that does not exist',
    ORDER,
    '"self.amount < 1000"',
    `"milliseconds(duration('pack_tme')) < 1000"`,
    "expression 'pack_time'",
  ),
  mistake(
    'an error of a scenario',
    'scenarios.yaml',
    'fail: internal_error',
    'fail: internal_eror',
    "unknown-error 'internal_error'",
  ),
  mistake(
    'a scenario that an example asks for',
    'examples/pay.yaml',
    'form: { amount: 500',
    'headers: { X-Mock-Scenario: brokn }\n    form: { amount: 500',
    "unknown-scenario 'broken'",
  ),
  mistake(
    'a cause that an example makes happen',
    'examples/pay.yaml',
    '  - call: GET /state',
    '  - { plane: control, call: POST /world/events, json: { cause: order.relesed } }\n  - call: GET /state',
    "unknown-cause 'order.released'",
  ),
  // Types
  mistake(
    'text in place of a number',
    ORDER,
    'with: { amount: "${params.amount}" }',
    'with: { amount: "a lot" }',
    'wrong-type',
  ),
  mistake(
    'a number in place of text, through let and a flow',
    ORDER,
    `text: "released: \${why}"`,
    'text: "${self.amount}"',
    'wrong-type',
  ),
  mistake('a comparison of a number with text', ORDER, 'params.amount > 100000', `params.amount > 'a'`, 'expression'),
  mistake(
    'a constant outside of the words of a field',
    ORDER,
    'to: { note: "thanks for ${self.amount}" }',
    'to: { risk: lw }',
    'invalid-value',
  ),
  mistake(
    'a delay that is no duration',
    ORDER,
    'guards:\n',
    'delays:\n  patience: "5"\nguards:\n',
    `${ORDER}:30 unused-delay`,
    `${ORDER}:30 wrong-type`,
  ),
  mistake('a delay beyond all delays', 'scenarios.yaml', 'name: broken', 'name: broken, delay: 11m', 'invalid-value'),
  mistake('a timeout beyond all timers', PACK, '      headers:', '      timeout: 2h\n      headers:', 'invalid-value'),
  mistake('a duration beyond all calendars', PACK, '{ pack_time: 2h }', '{ pack_time: 99999999d }', 'invalid-value'),
  mistake('rows that ask the world', 'scenarios.yaml', 'name: broken', 'name: "b${random_string(3)}"', 'expression'),
  mistake(
    'a mistake in what a scenario pins',
    'scenarios.yaml',
    'order.branch: refused',
    'order.branch: "${refused}"',
    'expression',
  ),
  // Unused
  mistake(
    'an error that nothing uses',
    'errors.yaml',
    'too_dear:',
    'too_far: { status: 402, body: { message: far } }\n  too_dear:',
    'unused-error',
  ),
  mistake(
    'a duration that nothing waits for',
    PACK,
    '{ pack_time: 2h }',
    '{ pack_time: 2h, spare_time: 1h }',
    'unused-duration',
  ),
  mistake(
    'a value that two magic entries make',
    'magic.yaml',
    '"cus_test_${person.name}"',
    '"cus_test_same"',
    'duplicate-magic-value',
  ),
  mistake('an error without a status', 'errors.yaml', 'too_dear: { status: 402,', 'too_dear: {', 'missing-key'),
];

test('the shop is sound', () => {
  expect(toldAbout(mistake('nothing', PACK, 'name: shop', 'name: shop'))).toEqual([]);
});

test.each(MISTAKES.map((each) => [each.name, each] as const))('%s', (_name, each) => {
  expect(toldAbout(each).sort()).toEqual([...each.told].sort());
});

describe('a flow in the section of a file that others run too', () => {
  const section = `flows:
  thank_buyer:
    args: { order: order }
    do: [{ run: note_it, with: { order: "\${order}", text: thanks } }]
`;
  const thanks = '- { run: thank_buyer, with: { order: "${self}" } }';
  const own = full.files[ORDER].replace('- send: release\n', `- send: release\n      ${thanks}\n`) + section;
  const line = own.split('\n').indexOf('  thank_buyer:') + 1;

  test('is no mistake while only its own file runs it', () => {
    expect(loadPack(full.write({ [ORDER]: own })).problems).toEqual([]);
  });

  test('needs a file of its own as soon as another does', () => {
    const causes = full.files['causes.yaml'].replace(/\bdo: \[/, (text) => `${text}${thanks.slice(2)}, `);
    const magic = full.files['magic.yaml'].replaceAll('run: make_test_customer', 'run: thank_buyer');
    const shared = { severity: 'warning', code: 'shared-flow', file: ORDER, line, column: 3 };
    const message = (path: string): string =>
      `flow 'thank_buyer' is also run by ${path}: move it to its own file, flows/AREA/thank_buyer.yaml`;
    const told = (files: Readonly<Record<string, string>>) =>
      loadPack(full.write({ [ORDER]: own, ...files })).problems.filter(({ code }) => code === 'shared-flow');
    expect(told({ 'causes.yaml': causes })).toEqual([{ ...shared, message: message('causes.yaml') }]);
    expect(told({ 'magic.yaml': magic })).toEqual([{ ...shared, message: message('magic.yaml') }]);
  });
});
