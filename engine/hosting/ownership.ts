import type { ForkOrigin, WorldView } from '../control/index.js';
import type { Engine } from '../runtime/index.js';
import type { NewWorld, WorldRecord } from '../store/index.js';
import type { IdleWorld } from './address.js';
import type { ForkStart } from './world.js';

/** A world at work. */
export interface ServedWorld {
  readonly url: string;
  readonly key: string;
  readonly engine: Engine;
  readonly from: ForkOrigin | null;
  /**
   * Whether it may leave memory: no calls came for so long, and nothing is in flight.
   * @param ms real time
   */
  isQuiet(ms: number): boolean;
  /** Milliseconds of real time since its last call. */
  readonly unusedMs: number;
  /** Counts as a call. */
  touch(): void;
  close(drainMs?: number): Promise<void>;
}

/** A world at work that may leave memory while its address stays. */
export interface RestingWorld extends ServedWorld {
  /**
   * Leaves memory; calls wait until it has been served again.
   * @param wake serves it
   */
  rest(wake: () => Promise<void>): IdleWorld;
}

/** What a world begins with. */
export interface WorldBeginning {
  readonly seed: string;
  readonly t0: number | undefined;
  readonly fork?: ForkStart;
}

export type RegisteredWorld = Omit<WorldRecord, 'head'>;

/** A world that is at work here. */
export interface HeldWorld<W extends ServedWorld = ServedWorld> {
  readonly record: RegisteredWorld;
  readonly world: W;
}

/** Which worlds are whose: a process owns all of its own; of replicas that share a database each owns some. */
export interface Ownership {
  /** Id of the first world, and what keeps it. */
  readonly first: string;
  readonly lifetime: 'server' | 'store';
  /** Real time in milliseconds, the same for all that own worlds of the same store. */
  readonly nowMs: number;
  /**
   * How many worlds there are, also those that are not at work.
   * @param prefix only those whose names begin so
   */
  count(prefix: string): Promise<number>;
  /** @throws StoreError `taken` */
  register(world: NewWorld): Promise<RegisteredWorld>;
  /** Takes a registration back whose world did not begin. */
  unregister(record: RegisteredWorld): Promise<void>;
  /** Starts a world that was registered just now. */
  begin(record: RegisteredWorld, beginning: WorldBeginning): Promise<WorldView>;
  /** Has a world at work here, wherever it was; undefined: there is none. */
  bring(idOrName: string): Promise<HeldWorld | undefined>;
  /** What is known of a world without starting it. */
  find(idOrName: string): Promise<RegisteredWorld | undefined>;
  list(): Promise<readonly WorldView[]>;
  /** Ends a world that is not the first one. False: it is gone already. */
  delete(record: RegisteredWorld): Promise<boolean>;
}
