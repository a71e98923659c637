import { member } from '../values/index.js';
import type { Engine } from '../runtime/index.js';
import { checkpointOf, type JournalRecord, type LedgerHeader, type StoredEntry } from '../world/index.js';
import { exportedFiles } from './files.js';
import { pastOf } from './ledger-position.js';
import { BUG_FORMAT, type Bug, COMPANY_BUG_FORMAT, type ReceivedDelivery, type WrittenBug } from './bug-file.js';
import { BugSteps } from './bug-steps.js';

/**
 * Exports a world: from its beginning if the ledger still contains it, else from the oldest moment in the ledger.
 * @param branched number of the entry at which it was forked from another world
 * @param seals key that encrypts secrets in calls; null: secrets that the world doesn't store are masked
 */
export function bugOf(engine: Engine, header: LedgerHeader, branched: number | null, seals: string | null): WrittenBug {
  const { timeline } = engine.world;
  const { ledger, worlds } = timeline;
  const isWhole = branched === null && ledger.oldest === 0 && (ledger.count === 0 || ledger.entry(1) !== undefined);
  const first = isWhole ? 0 : Math.max(branched ?? 0, ledger.oldest, (ledger.since(0)[0]?.n ?? 1) - 1);
  const start = lastOutOfReach(ledger.since(first), first);
  const before = worlds.flatMap((each) => each.journal.upTo(start));
  const begins = start === 0 ? null : { entry: wholeAt(engine, start), journal: before };
  const journal = worlds.flatMap((each) => each.journal.since(start));
  if (worlds.length > 1) journal.sort((a, b) => a.after - b.after);
  const files = exportedFiles(engine.runtime.surroundings.files);
  return {
    format: header.company === undefined ? BUG_FORMAT : COMPANY_BUG_FORMAT,
    header,
    addresses: engine.company.map(({ runtime }) => runtime.surroundings.address.origin),
    begins,
    receivers: receivedIn(journal.map(({ record }) => record)),
    ...(files === undefined ? {} : { files }),
    steps: new BugSteps(engine, begins?.entry ?? null, journal, seals).written(),
  };
}

/** Returns the state after an entry as a single entry: the ledger's first one if it is that state, else a new one. */
function wholeAt(engine: Engine, n: number): StoredEntry {
  const [entry, ...rest] = engine.world.timeline.ledger.upTo(n) ?? [];
  return entry?.n === n && rest.length === 0 ? entry : checkpointOf(pastOf(engine, n));
}

/** The entry of the last rewind to before the ledger's start: a replay can't repeat it, so steps begin after it. */
function lastOutOfReach(entries: readonly StoredEntry[], first: number): number {
  const back = entries.findLast(({ command, args }) => command === 'rewind' && Number(member(args, 'entry')) < first);
  return back?.n ?? first;
}

function receivedIn(journal: readonly JournalRecord[]): Bug['receivers'] {
  const received: Record<string, ReceivedDelivery[]> = {};
  for (const record of journal) {
    if (record.kind !== 'attempt' || record.status === 'recorded') continue;
    const { status, error, response } = record.attempt;
    (received[record.delivery] ??= []).push({ status, error, response });
  }
  return received;
}
