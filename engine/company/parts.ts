import type { Engine } from '../runtime/index.js';
import type { Names } from './values.js';
import type { WorldDirectory } from '../control/index.js';
import type { Fork, LedgerHeader, StoredWorld, WorldKeeper } from '../world/index.js';
import type { ByteStore } from '../values/index.js';
import type { CompanyState } from './store.js';
import type { ControlClient } from '../control/client.cjs';
import type { SandboxOptions, Served } from '../hosting/index.js';
import type { Program } from '../program/index.js';
import type { Store } from '../store/index.js';

/** Statistics of actors. */
export interface LifeReport {
  /** Number of calls and external events. */
  readonly acts: number;
  /** Number of timers that fired. */
  readonly fired: number;
  /** By actor: the number of its turns, and of rejections by error code. */
  readonly actors: Readonly<
    Record<string, { readonly times: number; readonly rejected: Readonly<Record<string, number>> }>
  >;
}

/** One pack of a company. */
export interface MemberOptions {
  /** The pack's folder, or the name of a bundled pack. */
  readonly pack: string;
  /** The name of the pack in the company; the pack's own by default. */
  readonly name?: string;
  /** The key of the pack's API; random by default. */
  readonly key?: string;
  /** 0 (the default) takes any free port. */
  readonly port?: number;
  /** The pack's random seed; by default the company's, or one of its own if an earlier member has the same pack. */
  readonly seed?: string;
  /** Values of pack.yaml's variables. */
  readonly vars?: Readonly<Record<string, string>>;
}

/** Options of a company. */
export interface CompanyOptions extends Pick<
  SandboxOptions,
  'host' | 't0' | 'seed' | 'ledgerLimit' | 'traceLimit' | 'cache' | 'transports' | 'pacedStreams' | 'onDefect'
> {
  /** Timers that are due at the same time fire in this order; by default the packs of `file`. */
  readonly packs?: readonly (string | MemberOptions)[];
  /** A company file: packs, people, a setup and rules. Options given here take precedence. */
  readonly file?: string;
  /** The key of the company's control API; random by default. */
  readonly key?: string;
  /** Port of the company's control API; 0 (the default) takes any free port. */
  readonly port?: number;
  /** Limit of companies at once, including the first one. */
  readonly maxWorlds?: number;
  /** Receives every ledger entry of all packs, and every record of the journal. */
  readonly keeper?: WorldKeeper;
  /**
   * Stores the company: responses wait until it is safe, and the next start continues it, with its own keys, `seed` and `t0`.
   * Further worlds aren't stored. Replaces `keeper` and `kept`.
   */
  readonly store?: Store;
  /** The store of the company's files; a temporary folder by default. */
  readonly files?: ByteStore;
  /** A keeper's record of the company, which continues with the same packs, `seed` and `t0`. */
  readonly kept?: Omit<StoredWorld, 'header'>;
}

/** A pack of a company at its own address. */
export type Member = Pick<Served, 'url' | 'key' | 'pack' | 'control' | 'engine' | 'outbox' | 'clock'>;

/** Several packs in one world: one clock, one ledger, one order of commands. */
export interface Company {
  /** Address of the company's control API. */
  readonly url: string;
  readonly key: string;
  readonly control: ControlClient;
  /** The packs of the company by name, in the order in which it lists them. */
  readonly vendors: Readonly<Record<string, Member>>;
  /** The header of the company's ledger, which identifies it. */
  readonly header: LedgerHeader;
  /** Further companies of the same packs, including forks; they end with the first one. */
  readonly worlds: WorldDirectory;
  /**
   * Creates a company that starts in this one's current state, or in the state after an entry.
   * @param same whether its next calls get the same ids as here
   * @param sends whether its events are delivered
   */
  fork(at?: number, same?: boolean, sends?: boolean): Promise<Company>;
  /** Runs the actors of the company file up to a time, while timers fire. @param to ISO 8601 or Unix seconds */
  live(to: string | number): Promise<LifeReport>;
  /** Stops listening, ends open connections, and stops timers of the clock. */
  close(drainMs?: number): Promise<void>;
}

/** A loaded pack of a company. */
export interface CompanyPart {
  readonly given: MemberOptions;
  readonly name: string;
  readonly program: Program;
  /** Whether an earlier member has the same pack. */
  readonly isFurther: boolean;
}

/** A running company, with what starting a fork of it needs. */
export interface ServedCompany extends Omit<Company, 'fork' | 'worlds'> {
  /** The engine of the first pack. */
  readonly lead: Engine;
  /** Saved responses of the setup, and the number of its last ledger entry. */
  readonly begun: () => { readonly names: Names; readonly entry: number | undefined };
}

/** The start of a company. */
export interface CompanyStart {
  readonly seed: string;
  /** Simulated time in milliseconds. */
  readonly t0: number;
  /** The state in a store that the company continues from. */
  readonly state?: CompanyState | null;
  /** The world and moment that the company was forked from earlier. */
  readonly branched?: LedgerHeader['fork'];
  /** The world and moment that the company is being forked from. */
  readonly fork?: {
    readonly header: NonNullable<LedgerHeader['fork']>;
    readonly fork: Fork;
    /** The files of the original. */
    readonly files: ByteStore | null;
    /** Saved responses of the original's setup. */
    readonly names: Names;
    readonly begun: number | undefined;
  };
}
