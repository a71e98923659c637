import type { Engine } from '../runtime/index.js';
import type { Names } from './values.js';
import type { WorldDirectory } from '../control/index.js';
import type { Fork, LedgerHeader, StoredWorld, WorldKeeper } from '../world/index.js';
import type { ByteStore } from '../values/index.js';
import type { CompanyState } from './store.js';
import type { ControlClient } from '../control/client.cjs';
import type { Served } from '../hosting/index.js';
import type { PackCache } from '../pack/index.js';
import type { Program } from '../program/index.js';
import type { Transport } from '../delivery/index.js';
import type { Store } from '../store/index.js';

/** How actors have fared. */
export interface LifeReport {
  /** Calls and external events. */
  readonly acts: number;
  /** Timers that fired meanwhile. */
  readonly fired: number;
  /** By actor: how often it acted, and what vendors rejected, by their codes. */
  readonly actors: Readonly<
    Record<string, { readonly times: number; readonly rejected: Readonly<Record<string, number>> }>
  >;
}

/** One pack of a company. */
export interface MemberOptions {
  /** The pack's folder, or the name of a pack that comes with the sandbox. */
  readonly pack: string;
  /** What it is called in the company; the pack's name unless given. */
  readonly name?: string;
  /** The key of its API; random unless given. */
  readonly key?: string;
  /** 0 (the default) takes any free port. */
  readonly port?: number;
  /** The company's unless given; of further members of the same pack one of their own. */
  readonly seed?: string;
  /** Replaces variables of pack.yaml. */
  readonly vars?: Readonly<Record<string, string>>;
}

/** What a company is made with. */
export interface CompanyOptions {
  /** At the same instant timers fire in this order; those of `file` unless given. */
  readonly packs?: readonly (string | MemberOptions)[];
  /** A company file: packs, people, a beginning and rules. What else is given here comes first. */
  readonly file?: string;
  /** The key of the company's control API; random unless given. */
  readonly key?: string;
  /** Of the company's control API; 0 (the default) takes any free port. */
  readonly port?: number;
  /** The address to listen on; loopback unless given. */
  readonly host?: string;
  /** Simulated time at the start: ISO 8601 or Unix seconds. The process's start (whole seconds) unless given. */
  readonly t0?: string | number;
  /** What ids and randomness are drawn from. */
  readonly seed?: string;
  readonly ledgerLimit?: number;
  readonly traceLimit?: number;
  /** Most companies that there are at once, the first one among them. */
  readonly maxWorlds?: number;
  readonly cache?: PackCache;
  /** Called with every ledger entry of all packs, and with what the outside did. */
  readonly keeper?: WorldKeeper;
  /**
   * Where the company is kept: it responds with what is safe there, and continues from there at the next start, with its own keys,
   * `seed` and `t0`. Worlds made beside it are not kept. Replaces `keeper` and `kept`.
   */
  readonly store?: Store;
  /** Where its files are; in a temporary folder unless given. */
  readonly files?: ByteStore;
  /** What a keeper recorded: the company continues from there, with the same packs, `seed` and `t0`. */
  readonly kept?: Omit<StoredWorld, 'header'>;
  /** Ways of delivery by name that replace those of the packs. */
  readonly transports?: ReadonlyMap<string, Transport>;
  /** Streams pause between two events as their packs say (default). */
  readonly pacedStreams?: boolean;
  /** Called with defects of a pack or the engine. Printed unless given. */
  readonly onDefect?: (error: unknown, what: string) => void;
}

/** A pack of a company, served at an address of its own. */
export type Member = Pick<Served, 'url' | 'key' | 'pack' | 'control' | 'engine' | 'outbox' | 'clock'>;

/** Several packs in one world: one clock, one ledger, one order of commands. */
export interface Company {
  /** Where the control API of the company is. */
  readonly url: string;
  readonly key: string;
  readonly control: ControlClient;
  /** By name, in order. */
  readonly vendors: Readonly<Record<string, Member>>;
  /** What its ledger belongs to. */
  readonly header: LedgerHeader;
  /** Further companies of the same packs, forks among them; they end with the first one. */
  readonly worlds: WorldDirectory;
  /**
   * A company that begins as this one is, or was after an entry.
   * @param same the next calls get the ids that they would get here
   * @param sends its events are delivered
   */
  fork(at?: number, same?: boolean, sends?: boolean): Promise<Company>;
  /**
   * Lets the actors of its file act until a time, while its timers fire.
   * @param to ISO 8601 or Unix seconds
   */
  live(to: string | number): Promise<LifeReport>;
  /** Stops listening, and ends open connections and timers. */
  close(drainMs?: number): Promise<void>;
}

/** A pack of a company, read. */
export interface CompanyPart {
  readonly given: MemberOptions;
  readonly name: string;
  readonly program: Program;
  /** Another one has the same pack and comes before it. */
  readonly isFurther: boolean;
}

/** A company at work. */
export interface ServedCompany extends Omit<Company, 'fork' | 'worlds'> {
  /** Of the first pack. */
  readonly lead: Engine;
  /** What its beginning has kept, and the number of the last ledger entry of it. */
  readonly begun: () => { readonly names: Names; readonly entry: number | undefined };
}

/** What a company begins with. */
export interface CompanyStart {
  readonly seed: string;
  /** Simulated time, in milliseconds. */
  readonly t0: number;
  /** It continues from a store. */
  readonly state?: CompanyState | null;
  /** It branched off from another one before. */
  readonly branched?: LedgerHeader['fork'];
  /** It branches off from another one. */
  readonly fork?: {
    readonly header: NonNullable<LedgerHeader['fork']>;
    readonly fork: Fork;
    /** The files of the world that it branches off from. */
    readonly files: ByteStore | null;
    /** As its company began. */
    readonly names: Names;
    readonly begun: number | undefined;
  };
}
