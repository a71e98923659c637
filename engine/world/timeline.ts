import { Ledger, type StoredChange } from './ledger.js';
import type { Timer } from './rows.js';
import type { Transaction } from './transaction.js';
import type { WorldConfig } from './config.js';
import type { TimerQueue } from './timers.js';

/** What the timeline sees of a world. */
interface TimedWorld {
  readonly config: WorldConfig;
  readonly timers: TimerQueue;
}

/** A command that is running, and where the streams were before it. */
export interface OpenCommand<W extends TimedWorld> {
  readonly world: W;
  readonly transaction: Transaction;
  readonly random: number;
  readonly outside: number;
  readonly seq: number;
  /** What it changed, and the same as JSON, if that was written before it is committed. */
  stored?: StoredChange[];
  texts?: string[];
}

/** What the packs of a company share: one clock, one ledger, one order of commands. A world of one pack has one of its own. */
export class Timeline<W extends TimedWorld> {
  /** In the order of the company. */
  readonly worlds: W[] = [];
  readonly ledger: Ledger;
  /** Numbers of entries whose moments were named. */
  readonly moments = new Map<string, number>();
  readonly watchers: ((nowMs: number) => void)[] = [];
  /** Earlier moments that were asked for, by the numbers of their entries: the first world of each. */
  readonly atHand = new Map<number, W>();
  /** Finishes the command that was left half done; null: there is none. */
  unfinished: (() => void) | null = null;
  /** Counts resets and rewinds. */
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

  /** Several packs share it. */
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

  /** The world of a pack of the company; the first one where none is named. */
  of(pack: string | undefined): W {
    const found = pack === undefined ? this.worlds[0] : this.worlds.find(({ config }) => config.pack === pack);
    if (!found) throw new Error(`the ledger names the pack '${pack}', which this company does not have`);
    return found;
  }
}
