import { inspect } from '../../support/pack-world.js';

/** Every mistake that is found in browser.yaml when a pack loads: its code, its line, and what was probably meant. */

const PACK = `auth: { others: { public: { prefix: pk_, browsers: true }, quiet: { prefix: qk_ } } }
`;

const ORDER = `resource: order
collection: orders
fields: { note: string?, status: string?, return_to: string? }
operations:
  create: { keys: [public], params: { note: string } }
  retrieve: { keys: [public] }
  watch: { kind: action, route: "GET /watched/{id}", keys: [public], do: [{ return: "\${{'left': 1}}" }] }
  pay: { kind: action, route: "POST /orders/{id}/pay", keys: [public], do: [{ set: self, to: { note: paid } }] }
  note: { kind: action, route: "GET /orders/{id}/notes/{note}", keys: [public], params: { note: string }, do: [{ set: self, to: { note: "\${params.note}" } }] }
  delete: {}
`;

const PAGE = (name: string, framed: boolean): string => `page: ${name}
resource: order
route: GET /show/${name}/{id}
framed: ${framed}
title: Order
body: [{ text: "An order" }]
`;

/** Line 1 to 27. */
const GOOD = `script: [/js, /js/two.js]
global: Bakery
versions: { /js: 3 }
key: public
ignores: [register]
objects: { wallet: { ready: null } }
elements: { method: elements, kinds: { card: { inputs: {} } } }
methods:
  buy: { takes: [data], operation: orders.create, sends: { note: data.note }, gives: order }
  look: { takes: [id], operation: orders.retrieve, id: id }
  pay:
    takes: [id, options]
    operation: orders.pay
    id: id
    next: [{ at: return_to, opens: frame }, { at: note, opens: page }]
    again: look
    fails_at: note
    stays: { options.stay: true }
    leaves: { to: options.to, unless: { options.stay: true }, adds: { order: id, ok: =yes } }
  open: { takes: [id], page: full, id: id }
  frame: { takes: [id, options], page: framed, id: id, mounts: &mounts { watches: orders.retrieve, until: { status: paid } } }
  other: { takes: [id, options], page: framed, id: id, mounts: { watches: orders.watch, until: { left: 0 }, tells: options.done, leaves: { to: return_to, when: { status: paid }, fills: { "{ID}": id } } } }
  visit:
    takes: [options]
    page: framed
    id: options.id
    opens: { methods: { open: open }, ready: options.onReady, calls: { seen: options.onSeen }, ends: [seen], opened: { call: seen }, left: { call: seen, with: [1] } }
unsupported: { weigh: use the scales }
sessions: { begin: { id: id, again: look, loads: load, shows: get, elements: { createCard: card }, actions: { pay: { takes: [], operation: orders.create, sends: { note: elements.values } } } } }
`;

/** What is found in the file with one text of it replaced by another: `file:line code message -> suggestion`. */
function found(from: string, to: string): string[] {
  if (!GOOD.includes(from)) throw new Error(`there is no ${from}`);
  const { problems } = inspect({
    'pack.yaml': PACK,
    'resources/order.yaml': ORDER,
    'pages/full.yaml': PAGE('full', false),
    'pages/framed.yaml': PAGE('framed', true),
    'browser.yaml': GOOD.replace(from, to),
  });
  return problems.map(
    ({ code, file, line, message, suggestion = '' }) => `${file}:${line} ${code} ${message} -> ${suggestion}`,
  );
}

test('nothing is found in a file without mistakes', () => expect(found('Bakery', 'Bakery')).toEqual([]));

/** What is replaced, by what, and what is found: line, code, message, suggestion. */
const MISTAKES: readonly (readonly [what: string, from: string, to: string, found: string])[] = [
  [
    'a call without a key',
    'key: public\n',
    '\n',
    "9 browser-key this calls an operation: say with 'key' which key pages have",
  ],
  [
    'an element that is not there',
    'createCard: card',
    'createCard: cart',
    "29 unknown-element-kind unknown element kind 'cart' -> card",
  ],
  ['a look by no method', 'again: look, loads', 'again: lok, loads', "29 unknown-method unknown method 'lok' -> look"],
  ['a name that is taken', 'weigh:', 'begin:', "29 browser-method 'begin' is"],
  [
    'a table that is not there',
    'inputs: {}',
    'inputs: { a: { label: A, fills: a, options: { table: breads } } }',
    "7 unknown-table unknown table 'breads'",
  ],
  [
    'a page over the page without its page',
    '    page: framed\n    id: options.id',
    '    operation: orders.retrieve\n    id: options.id',
    "27 browser-method 'opens' shows a page: it needs 'page'",
  ],
  [
    'a page over the page that may not be framed',
    '    page: framed\n    id: options.id',
    '    page: full\n    id: options.id',
    "27 browser-method the page 'full' is not 'framed'",
  ],
  [
    'mounts and opens',
    '    opens: {',
    '    mounts: *mounts\n    opens: {',
    "28 browser-method a method has either 'mounts' or 'opens'",
  ],
  [
    'a function of no argument',
    'ready: options.',
    'ready: option.',
    "27 unknown-argument unknown argument 'option' -> options",
  ],
  [
    'a call of no argument',
    'seen: options.onSeen',
    'seen: option.onSeen',
    "27 unknown-argument unknown argument 'option' -> options",
  ],
  ['an end that is no call', 'ends: [seen]', 'ends: [sen]', "27 unknown-method unknown method 'sen' -> seen"],
  [
    'an opening that is no call',
    'opened: { call: seen }',
    'opened: { call: sen }',
    "27 unknown-method unknown method 'sen' -> seen",
  ],
  [
    'a leaving that is no call',
    'left: { call: seen,',
    'left: { call: sen,',
    "27 unknown-method unknown method 'sen' -> seen",
  ],
  ['a key that is not there', 'key: public', 'key: pubic', "4 unknown-key unknown key 'pubic' -> public"],
  [
    'a key that pages may not have',
    'key: public',
    'key: quiet',
    "4 browser-key pages of other origins may not call with 'quiet'",
  ],
  [
    'a version of no path',
    '{ /js: 3 }',
    '{ /j: 3 }',
    "3 browser-method the script has no path '/j'; it has /js, /js/two.js",
  ],
  ['one path twice', '/js/two.js]', '/js]', '1 duplicate-route GET /js is also the route of'],
  ['a name of two kinds', 'ignores: [register]', 'ignores: [look]', "5 browser-method 'look' is a method already"],
  ['an object that is a method', '{ wallet:', '{ buy:', "6 browser-method 'buy' is a method already"],
  [
    'elements that are an object',
    'method: elements',
    'method: wallet',
    "7 browser-method 'wallet' is a method that returns an object already",
  ],
  [
    'an operation that is not there',
    'orders.create,',
    'orders.creat,',
    "9 unknown-operation unknown operation 'orders.creat' -> orders.create",
  ],
  [
    'an operation that the key does not open',
    'orders.retrieve, id',
    'orders.delete, id',
    "10 browser-key the key 'public' does not open orders.delete",
  ],
  [
    'neither operation nor page',
    'operation: orders.create, sends: { note: data.note }, ',
    '',
    "9 browser-method a method has either 'operation' or 'page'",
  ],
  [
    'operation and page',
    'page: full',
    'page: full, operation: orders.retrieve',
    "20 browser-method a method has either 'operation' or 'page'",
  ],
  ['a page that is not there', 'page: full', 'page: ful', "20 unknown-page unknown page 'ful' -> full"],
  [
    'a parameter that is not there',
    '{ note: data.note }',
    '{ nota: data.note }',
    "9 unknown-parameter unknown parameter 'nota' -> note",
  ],
  ['an argument that is not taken', 'data.note', 'date.note', "9 unknown-argument unknown argument 'date' -> data"],
  [
    'an id from no argument',
    'orders.retrieve, id: id',
    'orders.retrieve, id: ids',
    "10 unknown-argument unknown argument 'ids' -> id",
  ],
  [
    'no id where the path has one',
    'orders.retrieve, id: id',
    'orders.retrieve',
    "10 browser-method /orders/{id} is of one object: say with 'id'",
  ],
  [
    'a page without its id',
    'page: full, id: id',
    'page: full',
    "20 browser-method /show/full/{id} is of one object: say with 'id'",
  ],
  [
    'a path with more names',
    'orders.retrieve, id',
    'orders.note, id',
    '10 browser-method pages fill {id} of a path only, and /orders/{id}/notes/{note} has {note}',
  ],
  [
    'a method to look again that is not there',
    'again: look',
    'again: lok',
    "16 unknown-method unknown method 'lok' -> look",
  ],
  [
    'a page to look again',
    'again: look',
    'again: open',
    "16 browser-method 'open' opens a page, and looks at no object",
  ],
  [
    'a frame after which nothing looks again',
    '    again: look\n',
    '',
    "15 browser-method when the frame is done, the object is looked at again: say with 'again'",
  ],
  [
    'a next step at no field',
    'at: return_to',
    'at: return_too',
    "15 unknown-field unknown field 'return_too' -> return_to",
  ],
  ['an error at no field', 'fails_at: note', 'fails_at: nope.text', "17 unknown-field unknown field 'nope' -> note"],
  ['a parameter of the address from no field', 'order: id', 'order: idd', "19 unknown-field unknown field 'idd' -> id"],
  [
    'a condition on no argument',
    'stays: { options',
    'stays: { option',
    "18 unknown-argument unknown argument 'option' -> options",
  ],
  ['an address from no argument', 'to: options.to', 'to: opts.to', "19 unknown-argument unknown argument 'opts'"],
  [
    'a condition of leaving on no argument',
    'unless: { options',
    'unless: { option',
    "19 unknown-argument unknown argument 'option' -> options",
  ],
  [
    'what only calls have, beside a page',
    'page: full',
    'gives: order, page: full',
    "20 key-not-read a method with 'page' has no gives: it calls nothing",
  ],
  [
    'parameters beside a page',
    'page: full',
    'sends: { note: id }, page: full',
    "20 key-not-read a method with 'page' has no sends",
  ],
  [
    'a frame without a page',
    'page: framed, id: id, mounts: &mounts',
    'operation: orders.retrieve, id: id, mounts: &mounts',
    "21 browser-method 'mounts' shows a page: it needs 'page'",
  ],
  [
    'a frame with a page that no frame shows',
    'page: framed, id: id, mounts: &mounts',
    'page: full, id: id, mounts: &mounts',
    "21 browser-method the page 'full' is not 'framed', so no frame shows it",
  ],
  [
    'a frame that watches nothing',
    'watches: orders.retrieve',
    'watches: orders.retrive',
    "21 unknown-operation unknown operation 'orders.retrive' -> orders.retrieve",
  ],
  [
    'a frame that watches what the key does not open',
    'watches: orders.retrieve',
    'watches: orders.delete',
    "21 browser-key the key 'public' does not open orders.delete",
  ],
  [
    'a frame that watches by a change',
    'watches: orders.retrieve',
    'watches: orders.pay',
    '21 browser-method a frame asks by GET, and orders.pay is a POST',
  ],
  ['an end at no field', 'until: { status', 'until: { statsu', "21 unknown-field unknown field 'statsu' -> status"],
  [
    'a slip in what a step returns',
    'when: { status',
    'when: { statsu',
    "22 unknown-field unknown field 'statsu' -> status",
  ],
  [
    'an address of the frame at no field',
    'leaves: { to: return_to',
    'leaves: { to: retur_to',
    "22 unknown-field unknown field 'retur_to' -> return_to",
  ],
  ['a text filled from no field', '"{ID}": id', '"{ID}": ids', "22 unknown-field unknown field 'ids' -> id"],
  [
    'a function of no argument',
    'tells: options',
    'tells: option',
    "22 unknown-argument unknown argument 'option' -> options",
  ],
];

test.each(MISTAKES)('%s', (_what, from, to, told) => {
  const [message, suggestion = ''] = told.split(' -> ');
  expect(found(from, to).filter((each) => each.startsWith(`browser.yaml:${message}`))).toEqual([
    expect.stringMatching(new RegExp(` -> ${suggestion}$`)),
  ]);
});
