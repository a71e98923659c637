import { Ledger } from './ledger.js';
import { type StoredChange } from './ledger-entry.js';
import type { Timer } from './rows.js';
import type { Transaction } from './transaction.js';
import type { WorldConfig } from './config.js';
import type { TimerQueue } from './timers.js';

/** The parts of a world that the timeline uses. */
interface TimedWorld {
  readonly config: WorldConfig;
  readonly timers: TimerQueue;
}

/** The running command, and the positions of the random streams before it. */
export interface OpenCommand<W extends TimedWorld> {
  readonly world: W;
  readonly transaction: Transaction;
  readonly random: number;
  readonly outside: number;
  readonly seq: number;
  /** The changes of the command and their JSON, if they were written before the commit. */
  stored?: StoredChange[];
  texts?: string[];
}

/** The common timeline of a company's packs: one clock, one ledger, one order of commands. A world of one pack has its own. */
export class Timeline<W extends TimedWorld> {
  /** The worlds of the packs, in the order of the company. */
  readonly worlds: W[] = [];
  readonly ledger: Ledger;
  /** Numbers of entries whose moments have names. */
  readonly moments = new Map<string, number>();
  readonly watchers: ((nowMs: number) => void)[] = [];
  /** Earlier moments in memory, by entry number: the first pack's world of each. */
  readonly atHand = new Map<number, W>();
  /** Finishes the command that is paused between slices; null: none. */
  unfinished: (() => void) | null = null;
  /** A number that resets and rewinds increment. */
  epoch = 0;
  t0: number;
  nowMs: number;
  /** A reset that the next entry begins with. */
  emptied: StoredChange | null = null;
  open: OpenCommand<W> | null = null;

  constructor({ ledgerLimit, after, t0 }: WorldConfig) {
    this.ledger = new Ledger(ledgerLimit, after);
    this.t0 = t0;
    this.nowMs = t0;
    if (after !== undefined) this.emptied = { op: 'reset', t0, keep: [], renewed: true };
  }

  /** Whether several packs share the timeline. */
  get isShared(): boolean {
    return this.worlds.length > 1;
  }

  /** The world whose timer is due first: by time, then by the order of the packs. */
  next(untilMs: number): { readonly world: W; readonly timer: Timer } | undefined {
    let first: { readonly world: W; readonly timer: Timer } | undefined;
    for (const world of this.worlds) {
      const timer = world.timers.next(untilMs, null);
      if (timer && (first === undefined || timer.due < first.timer.due)) first = { world, timer };
    }
    return first;
  }

  /** The world of a company's pack; the first one if none is named. */
  of(pack: string | undefined): W {
    const found = pack === undefined ? this.worlds[0] : this.worlds.find(({ config }) => config.pack === pack);
    if (!found) throw new Error(`the ledger names the pack '${pack}', which this company does not have`);
    return found;
  }
}
