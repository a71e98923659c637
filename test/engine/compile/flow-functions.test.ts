import { PackWorld, problemsOf } from '../../support/pack-world.js';
import { minimal } from '../../support/sample-pack.js';

/** Flows that only compute, called in expressions: a printer of labels. */
const FLOWS = {
  'flows/shorten.yaml': `flow: shorten
args: { text: string, most: integer? }
returns: string
do:
  - { fail: too_long, with: { size: "=size(text)" }, when: size(text) > 20 }
  - let: { end: "default(most, 5)" }
  - if: size(text) > end
    then: [{ return: "=substring(text, 0, end) + '.'" }]
  - { return: =text }
`,
  'flows/lines.yaml': `flow: lines
args: { label: label }
returns: { type: array, items: string }
do:
  - for: word
    in: split(label.text, ' ')
    collect: =shorten(word)
    as: words
    do: []
  - { return: =words }
`,
  'flows/twin.yaml': `flow: twin
args: { of: label }
returns: label?
do: [{ return: "=find(label, {'text': of.text})" }]
`,
};
const LABEL = (operations: string): Record<string, string> => ({
  'resources/label.yaml': `resource: label
collection: labels
fields:
  text: string
  shown: { type: string, view: "=shorten(self.text, 3)" }
  at: { type: integer, default: 1 }
operations:
  create: { params: { text!: string } }
  used: { kind: retrieve, route: "GET /used/{id}", return: { all: "=lines(self)", one: "=twin(self)" } }
${operations}`,
});
const ERRORS = '  too_long: { status: 400, args: { size: integer }, body: { error: "${size} is too long" } }\n';

function world(operations = ''): PackWorld {
  return new PackWorld({ ...FLOWS, ...LABEL(operations) }, 'labels', ERRORS);
}
const asked = (operations: string, text: string): unknown => {
  const labels = world(operations);
  const made = labels.do('labels.create', { text });
  return JSON.parse(labels.call('labels.show', {}, { id: String((made as { id: string }).id) }).body ?? 'null');
};

test.each([
  ['a constant', "shorten('warehouse', 4)", 'ware.'],
  ['what is left out is null', "shorten('warehouse')", 'wareh.'],
  ['what a call gives goes on', "upper(shorten('warehouse', 2)) + '!'", 'WA.!'],
  ['an object, and flows that call each other', 'lines(self)', ['glass', 'bottl.']],
  ['an object that comes back', 'twin(self).text', 'glass bottles'],
  ['inside a macro', "split(self.text, ' ').map(w, shorten(w, 1))", ['g.', 'b.']],
])('a flow that only computes is a function: %s', (_what, expression, expected) => {
  expect(asked(`  show: { kind: retrieve, return: { made: "=${expression}" } }`, 'glass bottles')).toEqual({
    made: expected,
  });
});

test('views of objects call flows, also where no command runs, and a failed one rejects the call', () => {
  const labels = world('  retrieve: {}\n  list: {}');
  const made = labels.do('labels.create', { text: 'bottles' }) as { id: string };
  expect(JSON.parse(labels.call('labels.retrieve', {}, { id: made.id }).body ?? '')).toMatchObject({ shown: 'bot.' });
  const { runtime } = labels.engine;
  expect(runtime.reader.answer(0, { text: 'kegs and casks', at: 1 })).toMatchObject({ shown: 'keg.' });
  const late = labels.call('labels.create', { text: 'a very long text of many words' });
  expect(late).toMatchObject({ status: 400, body: '{"error":"30 is too long"}' });
});

const problems = (expression: string, flows: Record<string, string> = {}): string =>
  problemsOf({
    ...FLOWS,
    ...flows,
    ...LABEL(`  show: { kind: retrieve, return: { made: "=${expression}" } }`),
    'errors.yaml': `${minimal.files['errors.yaml']}${ERRORS}`,
  }).join('\n');

const ROUND = (name: string, value: string): Record<string, string> => ({
  [`flows/${name}.yaml`]: `flow: ${name}\nargs: { n: integer }\nreturns: integer\ndo: [{ return: "=${value}" }]\n`,
});
test.each([
  ['shortn(self.text)', {}, "label.yaml:10 unknown function 'shortn'"],
  ['shorten()', {}, 'label.yaml:10 usage: shorten(text, most?)'],
  ['shorten(self.text, 1, 2)', {}, 'label.yaml:10 usage: shorten(text, most?)'],
  ['shorten(self.at)', {}, "label.yaml:10 'text' of shorten() is a string, not a number"],
  ['shorten(self.text) + 1 > 2', {}, 'label.yaml:10'],
  [
    'drop(self)',
    {
      'flows/drop.yaml':
        'flow: drop\nargs: { of: label }\nreturns: integer\ndo:\n  - if: "true"\n    then: [{ delete: of }]\n',
    },
    'flow drop changes things (delete, flows/drop.yaml:6): run it as a step',
  ],
  [
    'outer(self)',
    {
      'flows/drop.yaml': 'flow: drop\nargs: { of: label }\ndo: [{ delete: of }]\n',
      'flows/outer.yaml':
        'flow: outer\nargs: { of: label }\nreturns: integer\ndo: [{ run: drop, with: { of } }, { return: 1 }]\n',
    },
    'flow outer changes things (delete, flows/drop.yaml:3): run it as a step',
  ],
  [
    'nothing_back(self)',
    { 'flows/nothing_back.yaml': 'flow: nothing_back\nargs: { of: label }\ndo: [{ return: 1 }]\n' },
    'flow nothing_back gives nothing (it has no `returns`): run it as a step',
  ],
  [
    'ping(1)',
    { ...ROUND('ping', 'pong(n)'), ...ROUND('pong', 'ping(n) + 1') },
    'a flow must not run itself: ping -> pong -> ping',
  ],
  ['again(1)', ROUND('again', 'again(n)'), 'a flow must not run itself: again -> again'],
])('%s is reported', (expression, flows, message) => {
  expect(problems(expression, flows)).toContain(message);
});

test('a view that calls a flow shows an object as it was, where an event says what it was', () => {
  const labels = new PackWorld({
    'pack.yaml': `
events:
  resource: event
  with: { type, data: =snapshot, before: =previous }
  previous_attributes: "*.updated"
`,
    'resources/event.yaml': `resource: event
collection: events
id: { prefix: evt_ }
fields: { type: string, data: any, before: { type: any, nullable: true } }
operations: { list: {} }
`,
    'resources/label.yaml': `resource: label
collection: labels
id: { prefix: lab_ }
fields:
  text: string
  loud: { type: string, view: =loud(self) }
flows:
  loud:
    args: { it: label }
    returns: string
    do: [{ run: louder, with: { it }, as: text }, { return: =text }]
  louder:
    args: { it: label }
    returns: string
    do: [{ return: =upper(it.text) }]
operations:
  create: { params: { text! } }
  update: { params: { text } }
events: { label.updated: { on: updated } }
`,
  });
  const { id } = labels.do('labels.create', { text: 'a' }) as { id: string };
  labels.call('labels.update', { text: 'b' }, { id });
  const { data } = labels.do('events.list') as { data: { before: unknown }[] };
  expect(data.map(({ before }) => before)).toEqual([{ text: 'a', loud: 'A' }]);
});
