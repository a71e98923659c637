import { join } from 'node:path';
import { pathPattern, responseDifferences, settingsOf } from '../../../tools/recordings/compare.js';
import { readRecording, recordingsIn } from '../../../tools/recordings/read.js';
import { fallen, type OpenDifference, type RecordingsReport } from '../../../tools/develop/recordings/report.js';
import { startProcess } from '../../support/processes.js';
import { ROOT } from '../../support/root.js';

const FOLDER = join(ROOT, 'test', 'tools', 'recordings');
const MAIN = join(ROOT, 'dist', 'tools', 'develop', 'recordings', 'main.js');
const RULES = { random: [], settings: [], isLater: false, isEarlier: false, ids: new Map<string, string>() };

async function reportOf(file: string): Promise<RecordingsReport> {
  const { stdout, stderr } = await startProcess(process.execPath, [MAIN, join(FOLDER, file), '--json']).ended;
  expect(stderr).toBe('');
  return JSON.parse(stdout) as RecordingsReport;
}

/** Three processes are started, each loads the pack. */

const said = ({ operation, path, recorded, ours }: OpenDifference): string =>
  `${operation} ${path}: ${recorded}, here ${ours}`;

test('a cassette of VCR is played: ids are mapped, what differs is told by field', async () => {
  const report = await reportOf('ruby.yml');
  expect(report.leftOut).toEqual({
    'another host': 1,
    'an object from before the recording': 1,
    'outside the pack': 1,
  });
  expect(report.operations.map(({ operation, calls, equal }) => [operation, calls, equal])).toEqual([
    ['customers.create', 1, 1],
    ['customers.retrieve', 1, 0],
  ]);
  const told = report.differences.map(said);
  expect(told).toContain('customers.retrieve email: "bob@example.com", here "ann@example.com"');
  expect(told).toContain('customers.retrieve livemode: absent, here false');
});

test('a cassette of vcrpy is played at the time of its objects', async () => {
  const { calls, sum, differences: found } = await reportOf('python.yaml');
  expect([calls, sum.calls]).toEqual([3, 3]);
  const told = found.map(said);
  expect(told).toContain('payment_intents.create amount_received: absent, here 0');
  expect(told.filter((line) => /error.param|created|status|client_secret|message|doc_url/.test(line))).toEqual([]);
});

test('a HAR file is played', async () => {
  const { differences: found } = await reportOf('browser.har');
  const told = found.map(said);
  expect(told).toContain('products.create nothing_like_it: true, here absent');
  expect(told.filter((line) => / name/.test(line))).toEqual([]);
});

test('a folder without recordings is told', async () => {
  const { code, stdout } = await startProcess(process.execPath, [MAIN, join(ROOT, 'schemas')]).ended;
  expect(code).toBe(1);
  expect(stdout).toContain('There are no recordings');
});

test('files of recordings are found, others are no recordings', () => {
  expect(recordingsIn(FOLDER).map((file) => readRecording(file).length)).toEqual([1, 3, 5]);
  expect(readRecording(join(ROOT, 'package.json'))).toEqual([]);
});

test('instants may differ by two days, ids by everything but their prefix', () => {
  const told = [
    ...responseDifferences(
      { created: 1_736_942_400, id: 'cus_aaaaaaaaaaaaaa', days: [1, 2], price: 'price_aaaaaaaaaaaaaa' },
      { created: 1_736_950_000, id: 'cus_bbbbbbbbbbbbbb', days: [1, 3], price: 'plan_bbbbbbbbbbbbbb' },
      RULES,
    ),
  ];
  expect(told.map(({ path }) => path)).toEqual(['days.*', 'price']);
});

test('a page that tells of strangers is compared by what the recording made', () => {
  const ids = new Map([['ch_aaaaaaaaaaaaaa', 'ch_bbbbbbbbbbbbbb']]);
  const page = (...data: { id: string; amount: number }[]) => ({ object: 'list', data, has_more: data.length > 1 });
  const recorded = page({ id: 'ch_stranger000000', amount: 9 }, { id: 'ch_aaaaaaaaaaaaaa', amount: 1 });
  const told = [...responseDifferences(recorded, page({ id: 'ch_bbbbbbbbbbbbbb', amount: 2 }), { ...RULES, ids })];
  expect(told.map(({ path, recorded: was, ours }) => [path, was, ours])).toEqual([['data.*.amount', '1', '2']]);
});

test('an id is equal when it stands for the same object', () => {
  const ids = new Map([['cus_aaaaaaaaaaaaaa', 'cus_bbbbbbbbbbbbbb']]);
  const names = new Map([['cus_bbbbbbbbbbbbbb', 'cus_aaaaaaaaaaaaaa']]);
  const rules = { ...RULES, ids, names };
  expect([
    ...responseDifferences({ customer: 'cus_aaaaaaaaaaaaaa' }, { customer: 'cus_bbbbbbbbbbbbbb' }, rules),
  ]).toEqual([]);
  const [other] = responseDifferences({ customer: 'cus_aaaaaaaaaaaaaa' }, { customer: 'cus_cccccccccccccc' }, rules);
  expect(other).toMatchObject({ path: 'customer', expected: null });
});

test('null is no random text, and what a call sent is no setting', () => {
  const rules = {
    ...RULES,
    random: [pathPattern('**.number')],
    settings: settingsOf(['**.fee', { path: '**.paid', either: [true] }]),
  };
  const excuses = (isEcho?: () => boolean): unknown[] =>
    [
      ...responseDifferences(
        { number: 'A-1', fee: 3 },
        { number: null, fee: 4 },
        { ...rules, ...(isEcho && { isEcho }) },
      ),
    ].map(({ expected: excuse }) => excuse);
  expect(excuses()).toEqual([null, 'settings']);
  expect(excuses(() => true)).toEqual([null, null]);
});

test('an operation that fell since the table of a page is named', () => {
  const row = { operation: 'transfers.create', calls: 85, equal: 1, byVersion: 1, bySettings: 7 };
  expect(fallen([row], '| transfers.create | 85 | 84 | 84 | 84 | 98.8 % |')).toEqual([
    'transfers.create: 84 of 85, now 7 of 85',
  ]);
  expect(fallen([row], '| transfers.create | 85 | 7 | 7 | 7 | 8.2 % |')).toEqual([]);
});

test.each([
  ['**.fee', 'fee', true],
  ['**.fee', 'data.*.fee', true],
  ['**.fee', 'fee.amount', true],
  ['**.fee', 'fees', false],
  ['lines.*.id', 'lines.*.id', true],
  ['lines.*.id', 'id', false],
])('the pattern %s and the path %s', (pattern, path, fits) => expect(pathPattern(pattern).test(path)).toBe(fits));
