import type { ForkOrigin, WorldView } from '../control/index.js';
import type { Engine } from '../runtime/index.js';
import type { NewWorld, WorldRecord } from '../store/index.js';
import type { IdleWorld } from './address.js';
import type { ForkStart } from './world.js';

/** A running world. */
export interface ServedWorld {
  readonly url: string;
  readonly key: string;
  readonly engine: Engine;
  readonly from: ForkOrigin | null;
  /** The packs of a company in this process, by name. */
  readonly vendors?: WorldView['vendors'];
  /** Whether the world may leave memory: it had no calls for some time, and nothing is in flight. @param ms real time */
  isQuiet(ms: number): boolean;
  /** Milliseconds of real time since the world's last call. */
  readonly unusedMs: number;
  /** Counts a use of the world as a call, so that it stays in memory. */
  touch(): void;
  close(drainMs?: number): Promise<void>;
}

/** A running world that may leave memory while its address stays. */
export interface RestingWorld extends ServedWorld {
  /** Removes the world from memory; calls wait until it runs again. @param wake restarts it */
  rest(wake: () => Promise<void>): IdleWorld;
}

/** The initial state of a world. */
export interface WorldBeginning {
  readonly seed: string;
  readonly t0: number | undefined;
  readonly fork?: ForkStart;
}

export type RegisteredWorld = Omit<WorldRecord, 'head'>;

/** A world that runs in this process. */
export interface HeldWorld<W extends ServedWorld = ServedWorld> {
  readonly record: RegisteredWorld;
  readonly world: W;
}

/** Which process owns which worlds: a single process owns all of its own; replicas of one database own some each. */
export interface Ownership {
  /** Id of the first world, and its record. */
  readonly first: string;
  readonly lifetime: 'server' | 'store';
  /** Real time in milliseconds, the same for all owners of worlds in one store. */
  readonly nowMs: number;
  /** The number of worlds, including those that aren't running. @param prefix counts only names that begin with it */
  count(prefix: string): Promise<number>;
  /** Registers a new world. @throws StoreError `taken` */
  register(world: NewWorld): Promise<RegisteredWorld>;
  /** Removes the registration of a world that didn't start. */
  unregister(record: RegisteredWorld): Promise<void>;
  /** Starts a newly registered world. */
  begin(record: RegisteredWorld, beginning: WorldBeginning): Promise<WorldView>;
  /** Moves a world to this process, wherever it was, and starts it; undefined if it doesn't exist. */
  bring(idOrName: string): Promise<HeldWorld | undefined>;
  /** The record of a world, without starting it. */
  find(idOrName: string): Promise<RegisteredWorld | undefined>;
  list(): Promise<readonly WorldView[]>;
  /** Deletes a world other than the first one. False: it doesn't exist. */
  delete(record: RegisteredWorld): Promise<boolean>;
}
