import { inspect, problemsOf } from '../../support/pack-world.js';

const PACK = `ids: { short: { parts: [{ random: 8 }] } }
durations: { bake: 1m }
`;

const FLOW = 'flows:\n  baked: { do: [{ create: cake }] }\n';

function cake(more: { fields?: string; steps?: string; rest?: string } = {}): string {
  return `resource: cake
collection: cakes
path: /cakes
id: { prefix: "", format: short }
fields: { size: integer, note: string?${more.fields ?? ''} }
operations:
  create:
    params: { size: { type: integer, required: true, min: 1, max: 100 }, to: string? }
    do:
${more.steps ?? '      - { create: cake, from: params, with: { note: =params.to } }'}
${more.rest ?? ''}`;
}

const step = (text: string): string =>
  cake({ steps: `      - { create: cake, from: params, with: { note: =params.to } }\n      - ${text}` });

/** The messages of a pack with this cake, with what they suggest. */
function told(text: string): string[] {
  const { problems } = inspect({ 'pack.yaml': PACK, 'resources/cake.yaml': text });
  return problems.map(({ message, suggestion }) =>
    suggestion === undefined ? message : `${message} -> ${suggestion}`,
  );
}

describe('slips of other languages get the hint', () => {
  test.each([
    ['params.size === 1', 'values are compared with `==` -> params.size == 1'],
    ['params.size !== 1', 'values are compared with `!=` -> params.size != 1'],
    ['params.size = 1', 'values are compared with `==` -> params.size == 1'],
    [
      "params.size > 1 and params.to == 'a and b'",
      "`and` is written `&&` -> params.size > 1 && params.to == 'a and b'",
    ],
    ['params.size > 1 or false', '`or` is written `||` -> params.size > 1 || false'],
    ['not params.to == null', '`not` is written `!` -> !params.to == null'],
    ['params.to ?? "x"', '`a ?? b` is written `default(a, b)`'],
    ['self?.size == 1', 'a missing member is null: `?.` is written `.` -> self.size == 1'],
    ['[1].exists(x => x == 1)', '`xs.map(x => y)` is written `xs.map(x, y)`'],
    ['${params.size} > 1', 'this is already an expression: write it without `${}` -> params.size > 1'],
    ['len(params.to) > 1', "unknown function 'len' -> size"],
    ['params.to.length > 1', 'a string has no members: its length is size(...)'],
    ['params.to.includes("a")', "unknown function 'includes' -> contains"],
    ['params.to == None', "unknown name 'None'"],
    ['{"in": 1}.in == 1', "a member that is called 'in' is read with at(): `c.in` is written `at(c, 'in')`"],
  ])('%s', (expression, message) => {
    const text = JSON.stringify(expression);
    expect(told(step(`{ fail: not_found, when: ${text} }`))).toContainEqual(expect.stringContaining(message));
  });

  test.each([
    ['int', 'integer'],
    ['bool', 'boolean'],
    ['datetime', 'timestamp'],
    ['list', '{ type: array, items: string }'],
    ['str?', 'string?'],
  ])('type: %s', (type, meant) => {
    expect(told(cake({ fields: `, more: "${type}"` }))).toEqual([
      `unknown type '${type.replace('?', '')}' -> ${meant}`,
    ]);
  });

  test('an expression without quotes inside of braces is one mistake', () => {
    const text = cake({ fields: ', made: { type: timestamp, default: ${now} }' });
    expect(problemsOf({ 'pack.yaml': PACK, 'resources/cake.yaml': text })).toEqual([
      'yaml-unquoted resources/cake.yaml:5 a text with ${...} inside { } or [ ] needs quotes',
    ]);
  });

  test.each([
    ['{ kind: retrieve, route: GET /cakes/{id}, return: "=self" }', 'a route with {id} inside { } or [ ] needs quotes'],
    ['{ route: [POST /a/{id}, GET /a/{id}] }', 'a route with {id} inside { } or [ ] needs quotes'],
  ])('a route without quotes in %s is reported at its line', (operation, message) => {
    const text = `${cake()}  eat: ${operation}\nflows:\n  serve: { do: [{ return: { x: =1, y: =2 } }] }\n`;
    const problems = problemsOf({ 'pack.yaml': PACK, 'resources/cake.yaml': text });
    expect(problems).toEqual([`yaml-unquoted resources/cake.yaml:11 ${message}`]);
  });

  test('a duration may be named without quotes', () => {
    expect(told(step('{ let: { at: "shift(now, duration(bake))" } }'))).toEqual([]);
    expect(told(step('{ let: { at: "shift(now, duration(bakes))" } }'))).toContain("unknown duration 'bakes' -> bake");
  });

  test('problems of a file that cannot be read come first', () => {
    const broken = {
      'pack.yaml': PACK,
      'resources/cake.yaml': step('{ run: icing, with: { it: selv } }'),
      'resources/tart.yaml': 'resource: tart\n collection: tarts\n',
    };
    expect(problemsOf(broken)[0]).toMatch(/^yaml-\S+ resources\/tart.yaml/);
  });

  test('a wait without a name', () => {
    const machine = `fields: { status: { enum: [raw, done], machine: true } }
machine: { initial: raw, states: { raw: { after: { 2d: done } }, done: {} } }
operations: [create]
`;
    const text = `resource: cake\ncollection: cakes\nid: { prefix: "", format: short }\n${machine}`;
    expect(told(text)).toContainEqual("a wait has a name here: write '2d' behind one in pack.yaml `durations`");
  });

  test('a name where its value was meant', () => {
    const flow = `flows: { eat: { args: { what: cake }, do: [{ delete: what }] } }\n`;
    const text = cake({
      steps:
        '      - { create: cake, from: params, with: { note: =params.to } }\n      - { run: eat, with: { what: self } }',
      rest: flow,
    });
    expect(told(text)).toContainEqual(expect.stringMatching(/not a string -> =self$/));
  });

  test('a pattern of times, events that are never made, a name twice in a route, a key that there is not', () => {
    expect(told(step('{ let: { at: "format_time(now, \'yyyy-MM-dd\')" } }'))).toContainEqual(
      expect.stringContaining("not 'yyyy'"),
    );
    expect(told(cake({ rest: 'events: { cake.made: { on: created } }\n' }))).toContainEqual(
      expect.stringContaining('no event is ever made'),
    );
    const route = cake().replace('  create:', '  eat: { route: "POST /cakes/{id}/eat/{id}" }\n  create:');
    expect(told(route)).toContainEqual(expect.stringContaining("'{id}' stands twice"));
    expect(told(cake().replace('    params:', '    xyzzy: 1\n    params:')).join()).toContain(
      'which takes kind, route,',
    );
  });
});

test('`${}` around a whole expression says nothing more, wherever an expression stands', () => {
  const text = step('{ fail: not_found, with: { id: x, param: x }, when: "${params.size > 100}" }');
  expect(told(text)).toEqual(["nothing uses duration 'bake'"]);
  const machine = cake({
    fields: ', status: { enum: [raw, done], machine: true }',
    rest: `machine:
  initial: raw
  states: { raw: { after: { slow: { target: done, guard: big } } }, done: {} }
guards: { big: " \${self.size > 3} " }
delays: { slow: "\${minutes(self.size)}" }
`,
  });
  expect(told(machine).filter((each) => !each.includes('durations'))).toEqual(["nothing uses duration 'bake'"]);
});

test('a text with a dot that means nothing here is a text', () => {
  const texts = (type: string): string[] =>
    told(step(`{ return: { type: ${type} } }`)).filter((each) => each.startsWith('this is the text'));
  expect(texts('cake.created')).toEqual([]);
  expect(texts('cake.note')).toEqual(["this is the text 'cake.note', not an expression -> =cake.note"]);
  expect(texts('params.created')).toHaveLength(1);
});

test('a member in a longer text lacks its ${}', () => {
  const texts = (type: string): string[] =>
    told(step(`{ return: { type: "${type}" } }`)).filter((each) => each.includes('is text here'));
  expect(texts('a cake.note of ${cake.id}')).toEqual(["'cake.note' is text here, not an expression -> ${cake.note}"]);
  expect(texts('${cake.id}-params.size')).toEqual([]);
  expect(texts('${cake.id} on request.id')).toHaveLength(1);
  for (const text of [
    'a cake.created',
    "a ${cake.note} of 'cake.note'",
    'www.cake.note',
    '${cake.note == null} or not',
  ])
    expect(texts(text)).toEqual([]);
});

test('a flow with the name of a function, and an id that the state would lack', () => {
  const flow = 'flows: { size: { args: { n: integer }, returns: integer, do: [{ return: 1 }] } }\n';
  expect(told(cake({ rest: flow }))).toContainEqual(
    "expressions cannot call flow size: 'size' is a function of the language",
  );
  expect(told(cake({ fields: ', id: { type: string, hidden: true }' }))).toContainEqual(
    'an id is no secret, or the state could not be seeded back: `internal: true` keeps it from clients',
  );
  expect(told(cake({ fields: ', id: { type: string, internal: true }' }))).toEqual(["nothing uses duration 'bake'"]);
});

describe('all layers are told in one run', () => {
  test('a key, a type, a state, a name and an operation, each in its place', () => {
    const problems = problemsOf({
      'pack.yaml': `${PACK}xyzzy: true\nheaders: { X-A: "\${nonsense}" }\n`,
      'resources/cake.yaml': cake({ fields: ', more: int, old: { type: string, defalt: x }' }),
      'resources/pie.yaml': `resource: pie
collection: pies
id: { prefix: "", format: short }
fields: { size: integer, status: { enum: [raw, done], machine: true } }
machine: { initial: raw, states: { raw: { on: { bake: don } }, done: {} } }
operations:
  create: {}
  bake: { do: [{ send: bake }, { creat: pie }, { fail: no_such_error }, { set: self, to: { weight: 1 } }] }
  eat: { do: [{ fail: not_found, when: "self.taste" }] }
`,
      'resources/tart.yaml': 'resource: tart\ncollection: [tarts\n',
    });
    const places = problems.map((each) => each.split(' ').slice(0, 2).join(' '));
    expect(places).toEqual(
      expect.arrayContaining([
        'unknown-key pack.yaml:5',
        'expression pack.yaml:6',
        'unknown-type resources/cake.yaml:5',
        'unknown-key resources/cake.yaml:5',
        'unknown-state resources/pie.yaml:5',
        'unknown-step resources/pie.yaml:8',
        'unknown-error resources/pie.yaml:8',
        'unknown-field resources/pie.yaml:8',
        'expression resources/pie.yaml:9',
      ]),
    );
    expect(places.some((each) => each.includes('resources/tart.yaml'))).toBe(true);
    expect(problems.filter((each) => /\btart(?!\.yaml)|defalt.*unknown-field/.test(each))).toEqual([]);
  });

  test('nothing is told of what only misses what is broken', () => {
    const other = `resource: pie
collection: pies
id: { prefix: "", format: short }
fields: { cake: { ref: cake }, size: integer }
operations:
  create: { params: { cake: { ref: cake, required: true } }, do: [{ create: pie, from: params, with: { size: "\${get(cake, params.cake).size}" } }] }
`;
    const files = { 'pack.yaml': PACK, 'resources/pie.yaml': other };
    const broken = problemsOf({ ...files, 'resources/cake.yaml': cake().replace('fields: {', 'fields: [') });
    expect(broken.every((each) => each.includes('resources/cake.yaml'))).toBe(true);
    const misspelt = problemsOf({ ...files, 'resources/cake.yaml': cake().replace('size: integer', 'siz: integer') });
    expect(misspelt.length).toBeGreaterThan(0);
  });
});

test('a view of another type than its field is a warning: an `=` may be missing', () => {
  const views = (view: string): string[] =>
    told(cake({ fields: `, big: { type: boolean, view: "${view}" }` })).filter((each) => each.startsWith('this is'));
  expect(views('self.size > 3')).toEqual(['this is a string, the field is a boolean']);
  expect(views('=self.size > 3')).toEqual([]);
  expect(views('=self.size')).toEqual(['this is a number, the field is a boolean']);
});

describe('what a step works on is an object whose resource is known', () => {
  const each = (list: string): string => step(`{ for: each, in: "${list}", do: [{ set: each, to: { note: x } }] }`);

  const found = (list: string): string[] => told(each(list)).filter((problem) => !problem.startsWith('nothing uses'));

  test('also where a list may be empty', () => {
    expect(found('params.to == null ? [] : all(cake, {})')).toEqual([]);
    expect(found('default(params.to == null ? all(cake, {}) : null, [])')).toEqual([]);
  });

  test('else it is a mistake, said once', () => {
    expect(found('from_json(params.to)')).toEqual([
      "the resource of 'each' is not known: read the object with get(resource, id)",
    ]);
    expect(found('parms.to')).toEqual([expect.stringContaining("unknown name 'parms'")]);
  });
});

describe('what anybody may create has a number that stays', () => {
  const opened = (open: string, rest = ''): string =>
    cake({ rest }).replace('  create:\n', `  create:\n    open: ${open}\n`);
  const ofCreation = (text: string): string[] => told(text).filter((each) => each.startsWith('every caller'));

  test.each([
    ['none', opened('true'), 1],
    ['`at_most`', opened('true', 'at_most: { objects: 50 }\n'), 0],
    ['a secret that callers bring', opened('secret'), 0],
    [
      'a flow that creates',
      opened('true', FLOW).replace('{ create: cake, from: params, with: { note: =params.to } }', '{ run: baked }'),
      1,
    ],
    [
      'steps that create nothing',
      opened('true').replace('{ create: cake, from: params, with: { note: =params.to } }', '{ return: {} }'),
      0,
    ],
  ])('%s', (_, text, warnings) => {
    expect(ofCreation(text)).toHaveLength(warnings);
  });

  test('at its line', () => {
    const { problems } = inspect({ 'pack.yaml': PACK, 'resources/cake.yaml': opened('true') });
    expect(problems.find(({ code }) => code === 'unbounded-creation')).toMatchObject({ severity: 'warning', line: 8 });
  });
});
