import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPack } from '../../../engine/index.js';
import { formatProblems } from '../../../engine/pack/index.js';
import { ROOT } from '../../support/root.js';
import { folderOfTest } from '../../support/scratch-folder.js';
import { forTests, TestSandbox } from '../../support/start-sandbox.js';

/** Texts that people search with, by a pack's own words, qualifiers and errors; and media types that a pack names. */

const PACK = join(ROOT, 'test', 'packs', 'harbour');
const harbour = forTests(new TestSandbox('test/packs/harbour', { key: 'hb_test', t0: '2025-03-01T12:00:00Z' }), {
  reset: { t0: '2025-03-01T12:00:00Z' },
});

const BOATS = [
  { name: 'Marie', notes: 'an old boat', tags: ['wood', 'two masts'], length: 12 },
  { name: 'Fast Eddie', notes: 'Marie is faster', tags: ['steel'], length: 5, port: 'Lagos' },
  { name: 'Dory', tags: [], length: 4, sold: true, port: 'Porto' },
];

async function found(q: string): Promise<unknown> {
  const { status, body } = await harbour.call(`GET /boats?q=${encodeURIComponent(q)}`);
  return status === 200
    ? (body as { data: { name: string }[] }).data.map(({ name }) => name.split(' ')[0])
    : [status, body];
}

test('the pack has no problem, not even a warning', () => {
  const { problems, source } = loadPack(PACK);
  expect(formatProblems(problems, { format: 'text', color: false, source })).toBe('');
});

describe('with three boats', () => {
  beforeEach(async () => {
    for (const boat of BOATS) await harbour.call('POST /boats', boat);
  });

  test.each([
    ['marie', ['Marie', 'Fast']],
    ['marie in:name', ['Marie']],
    ['"an old"', ['Marie']],
    ['old an', ['Marie']],
    ['-marie', ['Dory']],
    ['marie OR dory', ['Marie', 'Fast', 'Dory']],
    ['NOT (marie OR dory)', []],
    ['tag:"TWO MASTS"', ['Marie']],
    ['tag:steel,"two masts"', ['Marie', 'Fast']],
    ['tag:wood tag:steel', []],
    ['port:Faro port:Porto', ['Marie', 'Dory']],
    ['port:@home', ['Marie']],
    ['-port:Faro -port:Porto', ['Fast']],
    ['length:5', ['Fast']],
    ['length:>5', ['Marie']],
    ['length:>=5', ['Marie', 'Fast']],
    ['length:<5', ['Dory']],
    ['length:4..5', ['Fast', 'Dory']],
    ['length:5..*', ['Marie', 'Fast']],
    ['built:2025-03-01', ['Marie', 'Fast', 'Dory']],
    ['built:>2025-03-01', []],
    ['built:2025-03-01T12:00..*', ['Marie', 'Fast', 'Dory']],
    ['built:*..2025-02-28', []],
    ['sold:true', ['Dory']],
    ['like:fast', ['Fast']],
    ['nick:Old', ['Marie']],
    ['nick:Young', []],
    ['is:large', ['Marie']],
    ['near:ago', ['Fast']],
    ['sort:name is:small', ['Fast', 'Dory']],
  ])('%s', async (q, names) => {
    expect(await found(q)).toEqual(names);
  });
});

test.each([
  ['', 'empty', null],
  ['x'.repeat(61), 'long', null],
  ['a OR b OR c OR d', 'operators', null],
  ['AND', 'nothing', null],
  ['a "b', 'unreadable', null],
  ['(a', 'unreadable', null],
  ['a OR', 'unreadable', null],
  ['colour:red', 'unknown', 'colour'],
  ['length:long', 'bad length', 'long'],
  ['length:1..2..3', 'bad length', '1..2..3'],
  ['built:soon', 'bad built', 'soon'],
  ['sold:maybe', 'bad sold', 'maybe'],
  ['is:huge', 'bad is', 'huge'],
  ['a in:log', 'bad in', 'log'],
  ['port:Atlantis', 'missing', 'Atlantis'],
])('%j is an error even where nothing is there', async (q, reason, word) => {
  expect(await found(q)).toEqual([400, { code: 'Search', reason, ...(word === null ? {} : { word }) }]);
});

test.each([
  ['*/*', 200],
  ['application/json', 200],
  ['application/vnd.harbour+json', 200],
  ['application/vnd.harbour.full', 200],
  ['text/html, application/*;q=0.5', 200],
  ['text/html', 406],
  ['application/vnd.harbour.brief', 406],
])('a caller that accepts %s gets %i', async (accept, status) => {
  const response = await harbour.call('GET /boats?q=a', undefined, { accept });
  expect(response.status).toBe(status);
  if (status === 406) expect(response.body).toEqual({ code: 'Accept', accept, expected: 'application/json' });
});

test.each([
  ['of: item.length }', 'of: item.lenght }', 'expression', 'length'],
  [
    'error: search_wrong, with: { reason: empty }',
    'error: search_wrng, with: { reason: empty }',
    'unknown-error',
    'search_wrong',
  ],
  ['with: { reason: long }', 'with: { resaon: long }', 'unknown-argument', 'reason'],
  ['over: boats_found(params.q)', 'over: boats_fund(params.q)', 'expression', 'boats_found'],
  ['of: item.tags, several: true }', 'of: "{}", several: true }', 'wrong-type', undefined],
  ['  sort: { ignored: true }', '  sort: { ignored: true, of: item.name }', 'two-forms', undefined],
])('a mistake is reported at its line: %s', (right, wrong, code, suggestion) => {
  const folder = folderOfTest();
  cpSync(PACK, folder, { recursive: true });
  const file = join(folder, 'resources', 'boat.yaml');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(right);
  writeFileSync(file, text.replace(right, wrong));
  const [problem] = loadPack(folder).problems;
  const line = text.slice(0, text.indexOf(right)).split('\n').length;
  expect([problem.line, problem.suggestion]).toEqual([line, suggestion]);
  if (code !== 'two-forms') expect(problem.code).toBe(code);
});
