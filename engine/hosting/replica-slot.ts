import type { WorldView } from '../control/index.js';
import type { OwnedWorld, PgStore } from '../store/index.js';
import type { Address, Listener } from './address.js';
import { CallCounter } from './calls.js';
import type { ServedWorld, WorldBeginning } from './ownership.js';

/** The state, address and start of a world that is to be served. */
export interface WorldStart {
  readonly opened: OwnedWorld;
  readonly address: Address;
  readonly beginning: WorldBeginning;
}

/** Receives the calls of a world that runs in this process. */
export interface WorldSlot {
  readonly id: string;
  readonly calls: CallCounter;
  app: Listener | null;
  /** Whether the world exceeds its size limit, so that calls that add to it are rejected. */
  readonly isFull: () => boolean;
}

/** The location of a world. */
export type WorldLocation =
  | { readonly kind: 'here'; readonly place: WorldSlot }
  | { readonly kind: 'at'; readonly url: string };

export interface ReplicaWorldsOptions {
  readonly store: PgStore;
  /** Address of this replica; `publicUrl` is the common address of all replicas. */
  readonly url: string;
  readonly publicUrl: string;
  /** Id of the world that receives calls that select none. */
  readonly main: string;
  readonly packs: readonly string[];
  /** Milliseconds without a call after which a world is released. */
  readonly idleMs: number;
  /** Size limit of a world's history, in bytes. */
  readonly maxBytes: number;
  readonly serve: (start: WorldStart) => Promise<ServedWorld>;
  /** Asks another replica to release a world. */
  readonly askFor: (world: string, url: string) => Promise<void>;
  /** Asks another replica to begin a world; null: it didn't. */
  readonly beginAt: (world: string, url: string, beginning: WorldBeginning) => Promise<WorldView | null>;
  readonly onDefect: (error: unknown, what: string) => void;
}
