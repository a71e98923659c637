import { check, schemaValid } from './schema-valid-pack.js';

interface Mistake {
  readonly name: string;
  readonly file: string;
  /** The whole file, or what to put in place of a text of the sound file. */
  readonly text: string | readonly [string, string];
  /** `line:column code` and the suggestion if there is one, for each problem. */
  readonly problems: readonly string[];
  readonly message?: string;
}

const loan = 'resources/loan.yaml';
const lend = 'flows/lend.yaml';
const flow = (steps: string): string => `flow: lend\ndo:\n${steps}`;

const MISTAKES: readonly Mistake[] = [
  // YAML
  {
    name: 'an open bracket',
    file: lend,
    text: 'flow: lend\ndo: [1, 2\n',
    problems: ['2:5 yaml-bad-indent'],
  },
  {
    name: 'a tab as indentation',
    file: lend,
    text: 'flow: lend\nargs:\n\ta: string\ndo: []\n',
    problems: ['3:1 yaml-tab-as-indent'],
  },
  { name: 'an unfinished quote', file: lend, text: 'flow: "lend\ndo: []\n', problems: ['3:1 yaml-missing-char'] },
  {
    name: 'an unknown tag',
    file: lend,
    text: 'flow: !shout lend\ndo: []\n',
    problems: ['1:7 yaml-tag-resolve-failed'],
  },
  {
    name: 'two documents',
    file: lend,
    text: 'flow: lend\ndo: []\n---\nflow: other\n',
    problems: ['3:1 yaml-multiple-docs'],
  },
  { name: 'a duplicate key', file: lend, text: 'flow: lend\ndo: []\nflow: other\n', problems: ['3:1 duplicate-key'] },
  {
    name: 'a forbidden key',
    file: lend,
    text: 'flow: lend\nargs: { __proto__: string }\ndo: []\n',
    problems: ['2:9 forbidden-key'],
  },
  { name: 'a map as key', file: lend, text: 'flow: lend\n? { a: b }\n: c\ndo: []\n', problems: ['2:3 bad-key'] },
  { name: 'an unknown anchor', file: lend, text: 'flow: lend\ndo: *steps\n', problems: ['2:5 unknown-anchor'] },
  {
    name: 'an anchor that contains itself',
    file: lend,
    text: 'flow: lend\ndo: &a [*a]\n',
    problems: ['2:9 unknown-anchor'],
  },
  {
    name: 'a number that loses digits',
    file: 'tables/rooms.yaml',
    text: ['attic', '42424242424242424242'],
    problems: ['5:13 number-unsafe'],
  },
  { name: 'a merge of a list', file: lend, text: 'flow: lend\n<<: [1]\ndo: []\n', problems: ['2:5 bad-merge'] },
  { name: 'an empty file', file: lend, text: '# nothing\n', problems: ['1:1 file-empty'] },
  // Keys
  {
    name: 'a misspelt key',
    file: loan,
    text: ['fields:', 'feilds:'],
    problems: ["5:1 unknown-key 'fields'"],
    message: "unknown key 'feilds' in resource",
  },
  {
    name: 'a key in other case',
    file: 'pack.yaml',
    text: ['base_path', 'basePath'],
    problems: ["5:1 unknown-key 'base_path'"],
  },
  {
    name: 'a misspelt key of a field',
    file: loan,
    text: ['default: 0', 'defualt: 0'],
    problems: ["8:25 unknown-key 'default'"],
  },
  {
    name: 'a key of parameters on a field',
    file: loan,
    text: ['default: 0', 'clamp: true'],
    problems: ['8:25 unknown-key'],
  },
  {
    name: 'a misspelt key of a state',
    file: loan,
    text: ['entry: [charge]', 'entri: [charge]'],
    problems: ["15:7 unknown-key 'entry'"],
  },
  {
    name: 'a misspelt key of a transition',
    file: loan,
    text: ['guard: paid', 'gaurd: paid'],
    problems: ["16:42 unknown-key 'guard'"],
  },
  {
    name: 'a misspelt key of an operation',
    file: loan,
    text: ['route:', 'rout:'],
    problems: ["27:5 unknown-key 'route'"],
  },
  {
    name: 'a misspelt key of a nested map of pack.yaml',
    file: 'pack.yaml',
    text: ['default: 10', 'defalt: 10'],
    problems: ["12:63 unknown-key 'default'"],
  },
  {
    name: 'a missing key',
    file: loan,
    text: ['collection: loans\n', ''],
    problems: ['1:1 missing-key'],
    message: "resource needs the key 'collection'",
  },
  { name: 'a machine without initial', file: loan, text: ['  initial: open\n', ''], problems: ['10:1 missing-key'] },
  {
    name: 'a row-like list entry without its key',
    file: 'scenarios.yaml',
    text: ['{ name: slow, ', '{ '],
    problems: ['3:5 missing-key'],
  },
  {
    name: 'an event without a moment',
    file: loan,
    text: ['{ on: updated }', '{}'],
    problems: ['35:3 missing-key'],
    message: "event needs 'on', 'enter' or 'emit'",
  },
  {
    name: 'a field without a type',
    file: loan,
    text: ['{ ref: book }', '{ hidden: true }'],
    problems: ['6:3 missing-key'],
  },
  {
    name: 'variants beside steps',
    file: 'causes.yaml',
    text: ['    variants:', '    do: []\n    variants:'],
    problems: ['5:5 unknown-key'],
  },
  // Values
  {
    name: 'a map for a list',
    file: loan,
    text: ['indexes: [book]', 'indexes: { book: 1 }'],
    problems: ['4:10 wrong-type'],
    message: "'indexes' must be a list, not a map",
  },
  {
    name: 'a number for a type',
    file: loan,
    text: ['timestamp?', '7'],
    problems: ['7:8 wrong-type'],
    message: "'due' must be text or a map, not the number 7",
  },
  {
    name: 'an unquoted truth for an expression',
    file: loan,
    text: ['"self.fee == 0"', 'true'],
    problems: ['18:17 wrong-type'],
  },
  {
    name: 'nothing where a list belongs',
    file: lend,
    text: 'flow: lend\ndo:\n',
    problems: ['2:1 wrong-type'],
    message: "'do' must be a list, not nothing",
  },
  {
    name: 'a bad enum value',
    file: 'pack.yaml',
    text: ['[bearer]', '[Bearer]'],
    problems: ["11:19 invalid-value 'bearer'"],
  },
  {
    name: 'a bad moment of an event',
    file: loan,
    text: ['on: updated', 'on: update'],
    problems: ["35:23 invalid-value 'updated'"],
  },
  {
    name: 'a bad duration',
    file: 'pack.yaml',
    text: ['default: 21d', 'default: 21 days'],
    problems: ['9:25 invalid-value'],
  },
  { name: 'a bad route', file: loan, text: ['POST /v1', 'POTS /v1'], problems: ['27:12 invalid-value'] },
  {
    name: 'a bad pattern',
    file: 'magic.yaml',
    text: ['^loan_test_', '(loan'],
    problems: ['4:17 invalid-value'],
    message: "'(loan' is not a regular expression",
  },
  { name: 'a bad name as key', file: 'errors.yaml', text: ['lent_out', 'lent out'], problems: ['4:3 invalid-value'] },
  {
    name: 'a misspelt key of a named type',
    file: 'types.yaml',
    text: ['update: merge', 'updat: merge'],
    problems: ["2:38 unknown-key 'update'"],
  },
  { name: 'a bad version', file: 'pack.yaml', text: ['0.1.0', '1'], problems: ['3:10 wrong-type'] },
  { name: 'a status out of range', file: 'errors.yaml', text: ['404', '4040'], problems: ['3:24 invalid-value'] },
  {
    name: 'an object type without fields',
    file: loan,
    text: ['timestamp?', '{ type: object }'],
    problems: ['7:3 missing-key'],
  },
  {
    name: 'items of something that is no list',
    file: loan,
    text: ['timestamp?', '{ type: arry, items: string }'],
    problems: ["7:16 invalid-value 'array'"],
  },
  { name: 'an entry given twice', file: loan, text: ['[book]', '[book, due, book]'], problems: ['4:22 invalid-value'] },
  // Steps
  {
    name: 'a misspelt step',
    file: lend,
    text: flow('  - crate: loan\n    with: {}\n'),
    problems: ["3:5 unknown-step 'create'"],
  },
  {
    name: 'an unheard-of step',
    file: lend,
    text: flow('  - when: "true"\n    launch: rocket\n'),
    problems: ['4:5 unknown-step'],
  },
  { name: 'a step without its key', file: lend, text: flow('  - to: { a: 1 }\n'), problems: ['3:5 unknown-step'] },
  {
    name: 'two steps in one',
    file: lend,
    text: flow('  - set: self\n    to: { a: 1 }\n    send: go\n'),
    problems: ['5:5 two-steps'],
  },
  {
    name: 'a key of another step',
    file: lend,
    text: flow('  - fail: lent_out\n    to: self\n'),
    problems: ['4:5 unknown-key'],
  },
  {
    name: 'a misspelt key of a step',
    file: lend,
    text: flow('  - run: lend\n    wiht: {}\n'),
    problems: ["4:5 unknown-key 'with'"],
  },
  {
    name: 'a condition without then',
    file: lend,
    text: flow('  - if: a\n    else: []\n'),
    problems: ['3:5 missing-key'],
  },
  { name: 'a set without values', file: lend, text: flow('  - set: self\n'), problems: ['3:5 missing-key'] },
  { name: 'a step that is text', file: lend, text: flow('  - return\n'), problems: ['3:5 wrong-type'] },
  {
    name: 'a mistake deep inside',
    file: lend,
    text: flow('  - for: x\n    in: xs\n    do:\n      - if: x\n        then: [{ sett: self, to: {} }]\n'),
    problems: ["7:18 unknown-step 'set'"],
  },
  {
    name: 'two mistakes in one file',
    file: lend,
    text: 'flow: 5\nreturn: x\ndo: []\n',
    problems: ['1:7 wrong-type', "2:1 unknown-key 'returns'"],
  },
];

test('a sound pack has no problems', () => {
  expect(check().problems).toEqual([]);
});

test.each(MISTAKES)('$name', ({ file, text, problems, message }) => {
  const changed = typeof text === 'string' ? text : schemaValid.files[file].replace(text[0], text[1]);
  expect(changed).not.toBe(schemaValid.files[file]);
  const found = check({ [file]: changed }).problems;
  const brief = found.map(
    ({ line, column, code, suggestion }) => `${line}:${column} ${code}${suggestion ? ` '${suggestion}'` : ''}`,
  );
  expect(brief).toEqual(problems);
  expect(found.map((problem) => problem.file)).toEqual(problems.map(() => file));
  if (message !== undefined) expect(found[0].message).toBe(message);
});

test('an alias bomb is one problem and no data', () => {
  const levels = Array.from({ length: 9 }, (_, n) => `l${n + 1}: &l${n + 1} [${Array(9).fill(`*l${n}`).join(', ')}]\n`);
  const { problems, source } = check({ 'flows/bomb.yaml': `l0: &l0 [a, b, c]\n${levels.join('')}` });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ code: 'alias-bomb', file: 'flows/bomb.yaml', line: 5 });
  expect(source.files.find((file) => file.path === 'flows/bomb.yaml')?.broken).toBe(true);
});

test.each([40, 20_000])('%d levels of brackets never crash the reader', (depth) => {
  const { problems } = check({ [lend]: `flow: lend\ndo: ${'['.repeat(depth)}${']'.repeat(depth)}\n` });
  expect(problems.map(({ code }) => code)).toEqual([depth > 64 ? 'yaml-resource-exhaustion' : 'wrong-type']);
});

test('files and folders that are not read are warnings', () => {
  const { problems } = check({ 'error.yaml': '', 'flow/x.yaml': '', 'flows/a.yml': '', 'README.md': '' });
  expect(problems.map(({ severity, code, file, suggestion }) => [severity, code, file, suggestion])).toEqual([
    ['warning', 'unknown-file', 'error.yaml', 'errors.yaml'],
    ['warning', 'unknown-folder', 'flow', 'flows'],
    ['warning', 'unknown-file', 'flows/a.yml', 'a.yaml'],
  ]);
});

test('flows stand in folders one level deep, other files in none', () => {
  const { problems, source } = check({
    'flows/lending/renew.yaml': 'flow: renew\ndo: []\n',
    'flows/lending/notes.md': '',
    'flows/lending/b.yml': '',
    'flows/lending/late/remind.yaml': 'flow: remind\ndo: []\n',
    'resources/books/book.yaml': '',
  });
  expect(source.all('flow').map(({ path }) => path)).toEqual(['flows/lend.yaml', 'flows/lending/renew.yaml']);
  expect(problems).toMatchObject([
    { code: 'unknown-file', file: 'flows/lending/b.yml', suggestion: 'b.yaml' },
    {
      code: 'unknown-folder',
      file: 'flows/lending/late',
      message: 'flows/ has one level of folders, flows/AREA/NAME.yaml: this folder is not read',
    },
    { code: 'unknown-folder', file: 'resources/books', message: 'resources/ has no folders: this folder is not read' },
  ]);
});

test.each(['resources/loan.yaml', 'flows/lend.yaml', 'causes.yaml', 'magic.yaml'])(
  'the section flows of %s is checked as files of flows are',
  (path) => {
    const section = `flows:
  remind:
    args: { loan: loan }
    retuns: integer
    do: [{ sedn: remind }]
  "no name": { do: [] }
  forget: { flow: forget }
`;
    const before = schemaValid.files[path].split('\n').length - 1;
    const { problems } = check({ [path]: schemaValid.files[path] + section });
    expect(problems.map(({ file, line, code, suggestion }) => [file, line - before, code, suggestion])).toEqual([
      [path, 4, 'unknown-key', 'returns'],
      [path, 5, 'unknown-step', 'send'],
      [path, 6, 'invalid-value', undefined],
      [path, 7, 'missing-key', undefined],
      [path, 7, 'unknown-key', undefined],
    ]);
  },
);

test.each(['pack.yaml'])('a pack without %s is told so', (file) => {
  expect(check({ [file]: null }).problems).toMatchObject([{ code: 'file-missing', file, line: 1, column: 1 }]);
});
