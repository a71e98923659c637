import { Ledger } from './ledger.js';
import { type StoredChange } from './ledger-entry.js';
import type { Timer } from './rows.js';
import type { Transaction } from './transaction.js';
import type { WorldConfig } from './config.js';
import type { TimerQueue } from './timers.js';

/** The members of a world that the timeline reads. */
interface TimedWorld {
  readonly config: WorldConfig;
  readonly timers: TimerQueue;
}

/** The running command, with the positions of the random streams before it, for a rollback. */
export interface OpenCommand<W extends TimedWorld> {
  readonly world: W;
  readonly transaction: Transaction;
  readonly random: number;
  readonly outside: number;
  readonly seq: number;
  /** The command's changes, encoded before the commit, with their JSON if the keeper takes texts. */
  stored?: StoredChange[];
  texts?: string[];
}

/** What a company's packs share: one clock, ledger and order of commands. A single pack has its own timeline. */
export class Timeline<W extends TimedWorld> {
  /** The worlds of the company's packs, in the company's order. */
  readonly worlds: W[] = [];
  readonly ledger: Ledger;
  /** Numbers of the entries whose moments have names, by name. */
  readonly moments = new Map<string, number>();
  readonly watchers: ((nowMs: number) => void)[] = [];
  /** Earlier moments in memory, by entry number; of each, the world of the first pack. */
  readonly atHand = new Map<number, W>();
  /** Finishes the command that is paused between slices; null: no command is paused. */
  unfinished: (() => void) | null = null;
  /** Number of resets and rewinds so far, by which running work notices them. */
  epoch = 0;
  t0: number;
  nowMs: number;
  /** The change for a reset of the world, which the next entry has to begin with; null: none. */
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

  /** Returns the timer that is due first, up to a time, and its world; of equal times, the first pack's. */
  next(untilMs: number): { readonly world: W; readonly timer: Timer } | undefined {
    let first: { readonly world: W; readonly timer: Timer } | undefined;
    for (const world of this.worlds) {
      const timer = world.timers.next(untilMs, null);
      if (timer && (first === undefined || timer.due < first.timer.due)) first = { world, timer };
    }
    return first;
  }

  /** Returns the world of a company's pack; without a name, the first pack's. */
  of(pack: string | undefined): W {
    const found = pack === undefined ? this.worlds[0] : this.worlds.find(({ config }) => config.pack === pack);
    if (!found) throw new Error(`the ledger names the pack '${pack}', which this company does not have`);
    return found;
  }
}
