import type { StoredWorld } from '../../engine/index.js';
import type { JsonObject } from '../../engine/values/index.js';
import type {
  Collection,
  JournalRecord,
  StoredRecord,
  LedgerHeader,
  StoredEntry,
  World,
  WorldKeeper,
} from '../../engine/world/index.js';

/** A store that keeps header, entries and journal in memory as JSON. */
export class Kept implements WorldKeeper {
  #header = '';
  readonly #entries: string[] = [];
  readonly #journal: string[] = [];

  begin(header: LedgerHeader): void {
    this.#header = JSON.stringify(header);
  }

  entry(entry: StoredEntry): void {
    this.#entries.push(JSON.stringify(entry));
  }

  record(record: JournalRecord, after: number): void {
    this.#journal.push(JSON.stringify({ ...record, after }));
  }

  get entryCount(): number {
    return this.#entries.length;
  }

  get recordCount(): number {
    return this.#journal.length;
  }

  /** The stored world, in the form that `createSandbox` accepts. */
  get world(): StoredWorld {
    return { header: this.header, entries: this.entries, journal: this.journal };
  }

  get header(): LedgerHeader {
    return JSON.parse(this.#header) as LedgerHeader;
  }

  get entries(): StoredEntry[] {
    return this.#entries.map((text) => JSON.parse(text) as StoredEntry);
  }

  get journal(): StoredRecord[] {
    return this.#journal.map((text) => JSON.parse(text) as StoredRecord);
  }
}

/** The whole state of a world, to compare it with another world: as JSON, since a restored world contains only JSON values. */
export function portrait(world: World): JsonObject {
  const gone = new Set<string>();
  for (const { changes } of world.ledger.entries())
    for (const change of changes)
      if (change.op === 'delete') gone.add(`${change.collection} ${change.id} ${change.tenant ?? ''}`);
  const picture = {
    now: world.nowMs,
    t0: world.t0,
    positions: world.positions,
    objects: world.collections.map(objectsOf),
    tenants: tenantsOf(world, (collection) => (collection.size === 0 ? [] : [objectsOf(collection)])),
    graves: [...gone].map((each) => {
      const [name, id, tenant] = each.split(' ');
      const index = world.collections.findIndex(({ config }) => config.name === name);
      const collection = world.tenants.known(tenant === '' ? null : tenant, index);
      const place = collection?.placeOf(id);
      return [each, place && { order: place.order, seq: place.seq }, collection?.deleted(id)];
    }),
    timers: world.timers
      .list()
      .map(({ row, trigger, due, seq }) => [row.resource, row.tenant, row.id, trigger, due, seq]),
    registers: [world.pins, world.faults, world.durations, world.idempotency].map((register) =>
      [...register.entries()].map(([key, value]) => [key, value === Infinity ? 'Infinity' : value]),
    ),
    traces: world.traces
      .newest(Infinity)
      .map(({ id, operation, status, outcome }) => ({ id, operation, status, outcome })),
    ledger: world.ledger.entries(),
  };
  return JSON.parse(JSON.stringify(picture)) as JsonObject;
}

/** The state of a world without its history: without ledger entries and traces. */
export function present(world: World): object {
  const { ledger, graves, traces, ...rest } = portrait(world);
  expect([ledger, graves, traces]).toBeDefined();
  const stones = [
    world.collections.map((collection) => [...collection.tombstones()]),
    tenantsOf(world, (collection) => [...collection.tombstones()].map((stone) => [collection.config.name, stone])),
  ];
  return { ...rest, stones: JSON.parse(JSON.stringify(stones)) as object };
}

/** The state of a world without its history, with all registers. */
export function whole(world: World): object {
  const registers = world.registers.map((register) => [...register.entries()]);
  return { ...present(world), registers: JSON.parse(JSON.stringify(registers)) as unknown };
}

/** Copies ledger entries as a store returns them: only JSON values. */
export function written(entries: readonly StoredEntry[] | undefined): StoredEntry[] {
  return JSON.parse(JSON.stringify(entries ?? [])) as StoredEntry[];
}

/** Name of a collection, and its objects, oldest first. */
function objectsOf(collection: Collection): unknown[] {
  const rows = collection.ordered().all();
  return [
    collection.config.name,
    rows.map(({ id, seq, order, value, provenance }) => ({ id, seq, order, value, provenance })),
  ];
}

/**
 * Applies a function to the collections of each tenant. Tenants for which it returns nothing are omitted, such as those with only empty collections.
 */
function tenantsOf({ tenants }: World, show: (collection: Collection) => readonly unknown[]): unknown[] {
  return tenants.ids.flatMap((tenant) => {
    const shown = tenants.of(tenant).flatMap(show);
    return shown.length === 0 ? [] : [[tenant, shown]];
  });
}
