import { PackWorld, problemsOf } from '../../support/pack-world.js';

const ORDER = `resource: order
collection: orders
fields: { bread: string }
operations:
  create: { params: { bread: { type: string, required: true } } }
`;

/** What an operation with these steps answers. */
function answer(steps: string, given: Record<string, number | null> = {}): unknown {
  const operation = `  knead:
    route: POST /knead
    params: { n: integer }
    let: { given: params.n }
    do:
${steps.replace(/^/gm, '      ')}
`;
  return new PackWorld({ 'resources/order.yaml': ORDER + operation }).do('orders.knead', given)['value'];
}

test.each([
  [
    'a skipped step leaves what its name meant before',
    `- let: { x: "1" }
- let: { x: "2" }
  when: params.n > 5
- return: { value: "\${x}" }`,
    { n: 1 },
    1,
  ],
  [
    'a step that is not skipped binds its name anew',
    `- let: { x: "1" }
- let: { x: "2" }
  when: params.n > 5
- return: { value: "\${x}" }`,
    { n: 9 },
    2,
  ],
  [
    'a name of a skipped step is null in every round of a loop',
    `- for: i
  in: "[1, 2, 3]"
  do:
    - let: { odd: "i" }
      when: i != 2
  collect: "\${odd}"
  as: seen
- return: { value: "\${seen}" }`,
    {},
    [1, null, 3],
  ],
  [
    'an object that a skipped step would have made is null in every round',
    `- for: bread
  in: "['rye', '', 'bun']"
  do:
    - create: order
      when: bread != ''
      with: { bread: "\${bread}" }
  collect: "\${order == null ? 'none' : order.bread}"
  as: seen
- return: { value: "\${seen}" }`,
    {},
    ['rye', 'none', 'bun'],
  ],
  [
    'a loop over nothing collects nothing',
    `- { for: i, in: "[]", do: [{ let: { x: "1" } }], collect: "\${i}", as: seen }
- return: { value: "\${seen}" }`,
    {},
    [],
  ],
])('%s', (_name, steps, given, value) => {
  expect(answer(steps, given)).toEqual(value);
});

const broken = (steps: string): string[] =>
  problemsOf({ 'resources/order.yaml': `${ORDER}  knead: { do: ${steps} }\n` });

test('adding to a value of the steps around a block is told: it would be lost', () => {
  const steps = `[{ let: { xs: "[]" } }, { for: i, in: "[1]", do: [{ let: { xs: "append(xs, i)" } }] }, { return: "\${xs}" }]`;
  expect(broken(steps)).toEqual([
    expect.stringContaining("lost-value resources/order.yaml:6 'xs' of the steps around"),
  ]);
});

test.each([
  ['a name of the same block', `[{ let: { x: "1" } }, { let: { x: "x + 1" } }, { return: "\${x}" }]`],
  ['another value under the same name', `[{ let: { x: "1" } }, { for: i, in: "[1]", do: [{ let: { x: "i" } }] }]`],
])('%s is no loss', (_name, steps) => {
  expect(broken(steps)).toEqual([]);
});

test('collect and as go together', () => {
  expect(broken('[{ for: i, in: "[1]", do: [{ let: { x: "i" } }], collect: "${x}" }]')).toEqual([
    expect.stringContaining("missing-key resources/order.yaml:6 'collect' needs the key 'as' beside it"),
  ]);
});
