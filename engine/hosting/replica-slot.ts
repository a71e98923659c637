import type { WorldView } from '../control/index.js';
import type { OwnedWorld, PgStore } from '../store/index.js';
import type { Address, Listener } from './address.js';
import { CallCounter } from './calls.js';
import type { ServedWorld, WorldBeginning } from './ownership.js';

/** How a world is served. */
export interface WorldStart {
  readonly opened: OwnedWorld;
  readonly address: Address;
  readonly beginning: WorldBeginning;
}

/** Handles the calls of a world in this process. */
export interface WorldSlot {
  readonly id: string;
  readonly calls: CallCounter;
  app: Listener | null;
  /** Whether the world exceeds its size limit: then calls that add to it are rejected. */
  readonly isFull: () => boolean;
}

/** The location of a world. */
export type WorldLocation =
  | { readonly kind: 'here'; readonly place: WorldSlot }
  | { readonly kind: 'at'; readonly url: string };

export interface ReplicaWorldsOptions {
  readonly store: PgStore;
  /** Address of this replica, and the common address of all. */
  readonly url: string;
  readonly publicUrl: string;
  /** The world for calls that select none. */
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
