import { formatProblems, type Problem, ProblemList, suggest } from '../../../engine/pack/index.js';
import { check } from './schema-valid-pack.js';

const PROBLEM: Problem = {
  severity: 'error',
  code: 'unknown-key',
  message: "unknown key 'flw' in flow",
  file: 'flows/lend.yaml',
  line: 2,
  column: 1,
  suggestion: 'flow',
};

describe('ProblemList', () => {
  test('orders by file and position, and keeps each problem once', () => {
    const { source } = check();
    const list = new ProblemList();
    const [loan] = source.all('resource');
    const [lend] = source.all('flow');
    list.add(loan, ['fields', 'due'], 'unknown-type', 'no such type', { offset: 2, suggestion: 'timestamp' });
    list.add(loan, ['resource'], 'bad-key', 'odd name', { at: 'key', severity: 'warning' });
    list.add(loan, ['resource'], 'bad-key', 'odd name', { at: 'key', severity: 'warning' });
    list.add(lend, ['do', 1, 'return'], 'expression', 'unknown variable', { offset: 2 });
    expect(list.all.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)).toEqual([
      'flows/lend.yaml:7:16 expression',
      'resources/loan.yaml:1:1 bad-key',
      'resources/loan.yaml:7:10 unknown-type',
    ]);
    expect(list.errors).toHaveLength(2);
    expect(list.warnings).toHaveLength(1);
  });
});

describe('suggest', () => {
  test.each([
    ['Retrieve', ['retrieve', 'retrieved'], 'retrieve'],
    ['basePath', ['base_path'], 'base_path'],
    ['amuont', ['amount', 'account'], 'amount'],
    ['tpye', ['type', 'title'], 'type'],
    ['rocket', ['create', 'set'], undefined],
    ['as', ['do', 'in', 'to'], undefined],
    ['x', [], undefined],
  ])('%s', (word, candidates, expected) => {
    expect(suggest(word, candidates)).toBe(expected);
  });
});

describe('formatProblems', () => {
  const { source } = check({ 'flows/lend.yaml': 'do: []\nflw: lend\n' });

  test('text, with the line and a caret when the source is at hand', () => {
    const head = "flows/lend.yaml:2:1  error  unknown-key  unknown key 'flw' in flow (did you mean 'flow'?)";
    expect(formatProblems([PROBLEM], { format: 'text', color: false })).toBe(head);
    expect(formatProblems([PROBLEM], { format: 'text', color: false, source })).toBe(
      `${head}\n  2 | flw: lend\n    | ^`,
    );
  });

  test('colours', () => {
    expect(formatProblems([PROBLEM], { format: 'text', color: true })).toContain('\u001b[31merror\u001b[0m');
  });

  test('GitHub workflow commands', () => {
    const text = formatProblems([{ ...PROBLEM, message: 'two\nlines', severity: 'warning' }], {
      format: 'github',
      color: false,
      prefix: 'packs/library/',
    });
    expect(text).toBe(
      "::warning file=packs/library/flows/lend.yaml,line=2,col=1,title=unknown-key::two%0Alines (did you mean 'flow'?)",
    );
  });

  test('JSON', () => {
    expect(JSON.parse(formatProblems([PROBLEM], { format: 'json', color: false }))).toEqual([PROBLEM]);
  });
});
