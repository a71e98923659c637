import { problemsOf } from '../../support/pack-world.js';

const ORDER = `resource: order
collection: orders
fields: { bread: string }
`;

test('two operations on one route are told, at both', () => {
  const resource = `${ORDER}operations:
  bake: { route: "POST /orders/{id}/bake", return: 1 }
  burn: { route: "POST /orders/{name}/bake", params: { name: string }, return: 2 }
`;
  const hint = 'operations share a route if each says by `dispatch` which calls mean it';
  expect(problemsOf({ 'resources/order.yaml': resource })).toEqual([
    `duplicate-route resources/order.yaml:5 POST /orders/{}/bake is also the route of orders.burn; ${hint}`,
    `duplicate-route resources/order.yaml:6 POST /orders/{}/bake is also the route of orders.bake; ${hint}`,
  ]);
});

test('flows that run themselves are told, by way of others too', () => {
  const operations = `operations: { bake: { do: [{ run: knead }] } }\n`;
  const problems = problemsOf({
    'resources/order.yaml': ORDER + operations,
    'flows/knead.yaml': 'flow: knead\ndo: [{ if: "true", then: [{ run: rest }] }]\n',
    'flows/rest.yaml': 'flow: rest\ndo: [{ for: x, in: "[1]", do: [{ run: knead }] }]\n',
  });
  expect(problems).toEqual([
    'recursive-flow flows/rest.yaml:2 a flow must not run itself: knead -> rest -> knead (for values that nest, give it a `depth`)',
  ]);
});

test('a flow with a depth may run itself, and its error has to be there', () => {
  const problems = (error: string) =>
    problemsOf({
      'resources/order.yaml': `${ORDER}operations: { bake: { return: "=layers({'in': {}})" } }\n`,
      'flows/layers.yaml': `flow: layers
args: { cake: map }
returns: integer
depth: { most: 20, error: ${error} }
do: [{ return: "=at(cake, 'in') == null ? 1 : 1 + layers(at(cake, 'in'))" }]
`,
    });
  expect(problems('parameter_invalid')).toEqual([]);
  expect(problems('too_hihg')).toEqual(["unknown-error flows/layers.yaml:4 unknown error 'too_hihg'"]);
});

test.each<[string, string, readonly string[]]>([
  [
    'a flow that returns the name of an object',
    'operations: { bake: { do: [{ run: kneaded, as: dough }], return: =dough } }\nflows: { kneaded: { returns: order, do: [{ create: order, with: { bread: rye } }, { return: order }] } }\n',
    ['wrong-type resources/order.yaml:5 the flow returns an object (order), not a string'],
  ],
  [
    'a reference to the name of a variable',
    'operations: { bake: { do: [{ let: { other: "null" } }, { create: slice, with: { of: other } }] } }\n',
    ["invalid-value resources/order.yaml:4 'other' is no id of a slice"],
  ],
  [
    'a deletion of no object',
    'operations: { delete: { route: DELETE /orders } }\n',
    ['no-object resources/order.yaml:4 a delete is of one object, and this route names none: write `{id}` in it'],
  ],
])('%s is an error', (_, more, expected) => {
  const slice =
    'resource: slice\ncollection: slices\nid: { prefix: sl_ }\nfields: { of: { ref: slice, nullable: true } }\n';
  expect(problemsOf({ 'resources/order.yaml': ORDER + more, 'resources/slice.yaml': slice })).toEqual(expected);
});

test('flows of files and of sections run each other, have one name each, and may not run themselves', () => {
  const order = `${ORDER}operations: { bake: { do: [{ run: rest }] } }
flows:
  knead:
    do: [{ run: rest }]
  proof:
    do: [{ return: "\${breed}" }]
  rest:
    do: [{ if: "true", then: [{ run: knead }] }]
`;
  const problems = problemsOf({
    'resources/order.yaml': order,
    'flows/dough/proof.yaml': 'flow: proof\ndo: [{ return: 1 }]\nflows: { fold: { do: [{ return: 1 }] } }\n',
  });
  expect(problems).toEqual([
    "duplicate-flow flows/dough/proof.yaml:1 two flows are called 'proof'",
    "unused-flow flows/dough/proof.yaml:3 nothing uses flow 'fold'",
    "duplicate-flow resources/order.yaml:8 two flows are called 'proof'",
    "unused-flow resources/order.yaml:8 nothing uses flow 'proof'",
    "expression resources/order.yaml:9 unknown name 'breed'",
    'recursive-flow resources/order.yaml:11 a flow must not run itself: knead -> rest -> knead (for values that nest, give it a `depth`)',
  ]);
});

test('mistakes in parts that a first request does not need are found', () => {
  const files = {
    'pack.yaml': `events: { resource: event, with: { type: "\${type}", body: "\${snapshto}", extra: 1 } }\n`,
    'resources/event.yaml': 'resource: event\ncollection: events\nfields: { type: string, body: any }\n',
    'resources/order.yaml': `${ORDER}operations: { bake: { return: "\${self.breed}" } }\n`,
    'causes.yaml': 'causes: { fire: { do: [{ fail: nothing }] } }\n',
  };
  expect(problemsOf(files)).toEqual([
    expect.stringContaining("unknown-error causes.yaml:1 unknown error 'nothing'"),
    expect.stringContaining("expression pack.yaml:3 unknown name 'snapshto'"),
    expect.stringContaining("unknown-field pack.yaml:3 unknown field 'extra'"),
    expect.stringContaining("expression resources/order.yaml:4 order has no field 'breed'"),
  ]);
});

test('flows and durations that nothing uses are warned of', () => {
  const problems = problemsOf({
    'pack.yaml': 'durations: { rise: 1h, cool: 5m, bake: 30m }\n',
    'resources/order.yaml': `${ORDER}  status: { machine: true }
machine: { initial: baking, states: { baking: { after: { bake: cooling } }, cooling: { after: { patience: eaten } }, eaten: {} } }
delays: { patience: "duration('cool')" }
`.replace('fields: { bread: string }\n', 'fields:\n  bread: string\n'),
    'flows/knead.yaml': 'flow: knead\ndo: [{ return: 1 }]\n',
  });
  expect(problems).toEqual([
    "unused-flow flows/knead.yaml:1 nothing uses flow 'knead'",
    "unused-duration pack.yaml:3 nothing uses duration 'rise'",
  ]);
});

test('what refers to a resource that could not be read is no second mistake', () => {
  const files = {
    'resources/order.yaml': `${ORDER.replace('string', '{ ref: bread }')}operations: { bake: { return: "\${get(self.bread).name}" } }\n`,
    'resources/bread.yaml': 'resorce: bread\ncollection: breads\nfields: { name: string }\n',
  };
  expect(problemsOf(files)).toEqual([expect.stringMatching(/^unknown-key resources\/bread\.yaml:1 .*'resorce'/)]);
});

test('a default of a parameter is a value, not an expression', () => {
  const operations =
    'operations: { bake: { params: { at: { type: string, default: "${vars.hour}" } }, return: =params.at } }\n';
  const problems = problemsOf({
    'resources/order.yaml': ORDER + operations,
    'causes.yaml':
      'causes: { fire: { params: { how: { type: object, fields: { hot: { type: string, default: "=now" } } } }, do: [] } }\n',
  });
  expect(problems).toEqual([
    'invalid-value causes.yaml:1 the default of a parameter is a value: write default(params.how.hot, ...) where it is read',
    'invalid-value resources/order.yaml:4 the default of a parameter is a value: write default(params.at, ...) where it is read',
  ]);
});

test('a parameter that may be left out is no value for a field, unless every route of its operation names it', () => {
  const create = (route: string): string =>
    `operations: { create: { route: ${route}, params: { bread: string }, do: [{ create: order, from: params }] } }\n`;
  expect(problemsOf({ 'resources/order.yaml': ORDER + create("'POST /breads/{bread}/orders'") })).toEqual([]);
  expect(
    problemsOf({ 'resources/order.yaml': ORDER + create("['POST /breads/{bread}/orders', POST /orders]") }),
  ).toEqual([
    "missing-field resources/order.yaml:4 order needs a value for 'bread', but this parameter may be left out",
  ]);
});

test('braces that a task forgot are told, where nothing in the pack is called so', () => {
  const problems = problemsOf({
    'resources/order.yaml': `${ORDER}operations: { create: { params: { bread! } }, retrieve: {} }\n`,
    'causes.yaml': 'causes: { order.lost: { params: { order: { ref: order } }, do: [] } }\n',
    'tasks/a.task.yaml': `task: look
title: The order is read
packs: [bakery]
setup: [{ call: orders.create, with: { bread: rye }, as: order }]
script: [{ after_calls: 1, event: { cause: order.lost, params: { order: order.id } } }]
prompt: Read \${order.id}.
limits: { calls: 3 }
checks: [{ unchanged: true }]
agents:
  reads:
    passes: true
    calls:
      - { call: orders.retrieve, with: { id: "\${order.id" } }
      - { call: orders.retrieve, with: { id: "\${order.id}", note: order.lost, more: an order.id } }
`,
  });
  expect(problems).toEqual([
    "no-expression tasks/a.task.yaml:5 this is the text 'order.id', not a value that was kept",
    "expression tasks/a.task.yaml:13 '${' is never closed",
  ]);
});

test('a default of a column is of its type', () => {
  const table = 'table: ovens\ncolumns: { name: string, hot: { type: boolean, default: very } }\nrows: [{ name: a }]\n';
  const order = `${ORDER}operations: { bake: { return: "\${lookup(ovens, 'name', 'a').hot}" } }\n`;
  expect(problemsOf({ 'resources/order.yaml': order, 'tables/ovens.yaml': table })).toContainEqual(
    expect.stringMatching(/^invalid-value tables\/ovens\.yaml:2 hot must be/),
  );
});
