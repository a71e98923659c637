import type { JournalRecord, StoredChange, StoredEntry, StoredRecord, TraceSubject } from '../world/index.js';
import { equal } from '../values/index.js';

/** Maximum number of changes in an entry that is compared with its trace; the entry of a call usually has fewer. */
const FEW = 100;

type PackedTrace = Extract<JournalRecord, { readonly kind: 'trace' }>;

/** Replaces an object of a trace that equals a change in the trace's ledger entry. */
interface Put {
  readonly resource: number;
  /** Index of the equal change in the entry. */
  readonly put: number;
  /** Origins of the object's values; absent: the change contains equal origins. */
  readonly provenance?: TraceSubject['provenance'];
}

/** A journal record, whose trace lacks the data in its ledger entry. */
type Shortened = JournalRecord | (Omit<PackedTrace, 'trace'> & { readonly trace: object });

/** Removes the data that a trace shares with its ledger entry, which is most of it. @param newest the newest entry */
export function shortened(record: JournalRecord, newest: StoredEntry): Shortened {
  if (record.kind !== 'trace' || record.trace.entry !== newest.n) return record;
  const { changes } = newest;
  if (changes.length > FEW) return record;
  const subjects = record.trace.subjects.map((subject): TraceSubject | Put => {
    const { resource, value, provenance } = subject;
    const put = changes.findIndex((change) => change.op === 'put' && equal(change.value, value));
    if (put < 0) return subject;
    const isSame = equal(provenance, fromOf(changes[put]));
    return isSame ? { resource, put } : { resource, put, provenance };
  });
  return { ...record, trace: { ...record.trace, subjects } };
}

/**
 * Restores the data of a trace that `shortened` removed.
 * @param entryOf returns the ledger entry with a number, if it was read
 * @returns undefined if the trace's entry is missing
 */
export function lengthened(
  record: StoredRecord,
  entryOf: (n: number) => StoredEntry | undefined,
): StoredRecord | undefined {
  if (record.kind !== 'trace') return record;
  const { trace } = record;
  const all: readonly (TraceSubject | Put)[] = trace.subjects;
  if (!all.some((subject) => 'put' in subject)) return record;
  const entry = entryOf(trace.entry);
  if (entry === undefined) return undefined;
  const subjects: TraceSubject[] = [];
  for (const subject of all) {
    if (!('put' in subject)) {
      subjects.push(subject);
      continue;
    }
    const change = entry.changes[subject.put];
    if (change?.op !== 'put') return undefined;
    const { resource, provenance = fromOf(change) } = subject;
    subjects.push({ resource, value: change.value, provenance });
  }
  return { ...record, trace: { ...trace, subjects } };
}

function fromOf(change: StoredChange): TraceSubject['provenance'] {
  return (change.op === 'put' ? change.from : undefined) ?? null;
}
