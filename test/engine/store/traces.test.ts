import { lengthened, shortened } from '../../../engine/store/traces.js';
import {
  HeldSubject,
  type JournalRecord,
  type StoredRecord,
  type Provenance,
  type StoredChange,
  type StoredEntry,
} from '../../../engine/world/index.js';

/** What a trace repeats of its entry is written once, and read as it was. */

const FROM: readonly Provenance[] = [{ path: 'risk', source: 'pin', value: 7 }];

const put = (id: string, from?: readonly Provenance[]): StoredChange & { readonly op: 'put' } => {
  const change = { op: 'put', collection: 'things', id, seq: 1, value: { id, text: 'x'.repeat(50) } } as const;
  return from ? { ...change, from } : change;
};

const entryOf = (n: number, changes: readonly StoredChange[]): StoredEntry => ({
  n,
  at: 0,
  command: 'things.create',
  origin: 'call',
  request: null,
  trace: 'trc_1',
  args: null,
  after: { random: 0, seq: 0, requests: 0, outside: 0 },
  changes,
});

const traceOf = (entry: number, subjects: readonly unknown[]): JournalRecord =>
  ({ kind: 'trace', trace: { id: 'trc_1', entry, subjects }, requests: 1 }) as unknown as JournalRecord;

const read = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const [one, two] = [put('a'), put('b', FROM)];
const entry = entryOf(3, [one, { op: 'clock', now: 5 }, two]);

test.each([
  ['objects of its entry', [{ resource: 0, value: one.value, provenance: null }], false],
  ['with where their values came from', [{ resource: 1, value: two.value, provenance: FROM }], false],
  ['or told by itself', [{ resource: 0, value: one.value, provenance: FROM }], false],
  ['and nothing of it', [{ resource: 1, value: two.value, provenance: null }], false],
  ['an object that both write when they are read', [new HeldSubject(0, { ...one.value }, null)], false],
  ['an object of before', [{ resource: 0, value: { ...one.value, more: 1 }, provenance: null }], true],
])('a trace tells of %s', (_what, subjects, isWhole) => {
  const record = traceOf(3, subjects);
  const kept = shortened(record, entry);
  expect(JSON.stringify(kept).includes('xxx')).toBe(isWhole);
  const known = read(entry) as StoredEntry;
  expect(lengthened(read(kept) as StoredRecord, (n) => (n === 3 ? known : undefined))).toEqual(read(record));
});

test('a trace of another entry, or of one of many changes, stays whole', () => {
  const subjects = [{ resource: 0, value: one.value, provenance: null }];
  expect(shortened(traceOf(2, subjects), entry)).toEqual(traceOf(2, subjects));
  const large = entryOf(
    3,
    Array.from({ length: 200 }, () => one),
  );
  expect(shortened(traceOf(3, subjects), large)).toEqual(traceOf(3, subjects));
});

test('a trace whose entry is missing is told', () => {
  const kept = read(
    shortened(traceOf(3, [{ resource: 0, value: one.value, provenance: null }]), entry),
  ) as StoredRecord;
  expect(lengthened(kept, () => undefined)).toBeUndefined();
  expect(lengthened(kept, () => entryOf(3, []))).toBeUndefined();
});
