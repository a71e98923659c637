import type { WritePiece, Snapshot } from './protocol.js';
import type { StoreError } from './store.js';

/** The records of one world in a group. */
interface GroupItem {
  /** Ledger entries and journal records of the world, as JSON. */
  readonly lines: string[];
  header: string | null;
}

/** Records that are written together with one flush. */
export class CommitGroup<World> {
  readonly items = new Map<World, GroupItem>();
  readonly pieces: WritePiece[] = [];
  readonly snapshots: Snapshot[] = [];
  /** Number of characters in the group's texts. */
  size = 0;
  /** Whether callers may wait for the group, so that it is written soon. */
  isUrgent = false;
  isSafe = false;
  readonly safe: Promise<void>;
  #resolve: () => void = () => undefined;
  #reject: (error: StoreError) => void = () => undefined;

  constructor() {
    this.safe = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Callers that wait get the rejection; if none waits, an unhandled rejection must not end the process.
    this.safe.catch(() => undefined);
  }

  get isEmpty(): boolean {
    return this.items.size === 0 && this.pieces.length === 0 && this.snapshots.length === 0;
  }

  itemOf(world: World): GroupItem {
    let items = this.items.get(world);
    if (items === undefined) this.items.set(world, (items = { lines: [], header: null }));
    return items;
  }

  end(failure: StoreError | null): void {
    this.isSafe = failure === null;
    if (failure === null) this.#resolve();
    else this.#reject(failure);
  }
}
