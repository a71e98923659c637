import { isPinnable, misfit, timersOf } from '../model/index.js';
import type { Program } from '../program/index.js';
import { type Row, type StoredEntry, type StoredWorld, Timer } from '../world/index.js';
import type { CommandExecution } from './command-execution.js';
import { Engine, type EngineOptions } from './engine.js';

/** The numbers of transferred objects and timers, and sentences about dropped parts. */
export interface MigrationResult {
  readonly objects: number;
  readonly timers: number;
  readonly dropped: readonly string[];
}

/**
 * Transfers a world to a fresh one of a later state of the same pack: clock, randomness, valid objects (removed fields are
 * dropped, new ones get defaults), their timers, pins, faults, durations and idempotency keys. Silent: no events, nothing
 * fires. Traces and the ledger start empty.
 */
export function migrate(from: Engine, to: Engine): MigrationResult {
  const dropped = new Map<string, number>();
  const drop = (what: string): void => void dropped.set(what, (dropped.get(what) ?? 0) + 1);
  to.world.startAt(from.world.t0, from.world.nowMs);
  let objects = 0;
  let timers = 0;
  to.world.continueStreams(from.world);
  to.command('reload', 'seed', (command) => {
    const rows = [...from.world.collections, ...from.world.tenants.collections()]
      .flatMap((collection) => [...collection.ordered().all()])
      .sort((a, b) => a.seq - b.seq);
    for (const row of rows) {
      if (row.tenant !== null && !isThere(row.tenant, to)) drop(`objects of ${row.tenant}: the tenant is gone`);
      else if (command.within(row.tenant, () => migrateRow(row, from, to, command, drop))) objects++;
    }
    timers = migrateTimers(from, to, command, drop);
    migrateControl(from, to, command, drop);
    // Continues the random streams of the old world, so that numbers drawn during the migration don't count.
    to.world.continueStreams(from.world);
  });
  return {
    objects,
    timers,
    dropped: [...dropped].map(([what, count]) => (count === 1 ? what : `${what} (${count} times)`)),
  };
}

/** Whether the new world has, or had, a tenant. */
function isThere(tenant: string, { runtime, world }: Engine): boolean {
  const { tenantResource } = runtime;
  return tenantResource >= 0 && world.collections[tenantResource].placeOf(tenant) !== undefined;
}

/**
 * Opens a world that an earlier state of its pack stored, with the present pack, only as a source for `migrate`. Leaves out
 * removed collections.
 */
export function reopen(
  pack: Program,
  { header, base, entries, ...kept }: StoredWorld,
  options: Pick<EngineOptions, 'ledgerLimit' | 'onDefect'>,
): { readonly engine: Engine; readonly dropped: readonly string[] } {
  const missing = new Set<string>();
  const known = (entry: StoredEntry): StoredEntry => ({
    ...entry,
    changes: entry.changes.filter((change) => {
      if (!('collection' in change) || pack.model.byCollection.has(change.collection)) return true;
      missing.add(change.collection);
      return false;
    }),
  });
  const engine = new Engine(pack, {
    ...options,
    seed: header.seed,
    t0: header.t0,
    traceLimit: 1,
    kept: { ...kept, base: base && known(base), entries: entries.map(known) },
  });
  return { engine, dropped: [...missing].map((name) => `objects of ${name}: the collection is gone`) };
}

type Drop = (what: string) => void;

function migrateRow(row: Row, from: Engine, to: Engine, command: CommandExecution, drop: Drop): boolean {
  const { collection } = from.model.resources[row.resource];
  const def = to.model.byCollection.get(collection);
  if (!def) {
    drop(`objects of ${collection}: the collection is gone`);
    return false;
  }
  const resource = to.pack.resources[def.index];
  const made = resource.shape().blank();
  for (const name of Object.keys(row.value))
    if (!def.schema.fields.has(name)) drop(`${collection}: field '${name}' is gone`);
  for (const { name, schema, absent } of resource.stored()) {
    const value = row.value[name];
    const wrong = value === undefined ? undefined : misfit(schema, value, name, to.model.settings.time);
    if (wrong) {
      drop(`${collection}: ${row.id}, whose ${wrong.path} ${wrong.message}`);
      return false;
    }
    made[name] = value === undefined ? absent(command, made) : value;
  }
  const old = command.row(def.index, row.id);
  if (old) command.remove(old);
  const inserted = command.insert(resource, made);
  if (row.provenance !== null)
    command.transaction.explain(command.world.collectionOf(inserted), inserted, row.provenance);
  return true;
}

/** Transfers timers with their due times. Delays that a state has only in the new pack are counted from now. */
function migrateTimers(from: Engine, to: Engine, command: CommandExecution, drop: Drop): number {
  const kept = new Map(
    from.world.timers
      .list()
      .map((timer) => [keyOf(from.model.resources[timer.row.resource].collection, timer.row, timer.trigger), timer]),
  );
  let count = 0;
  for (const { def, index } of to.pack.resources) {
    if (!def.machine && def.file.waits === undefined) continue;
    for (const row of command.world.tenants.rows(index)) {
      command.within(command.tenantOf(row), () =>
        command.waits.armSilently(to.pack.resources[index], row, command.nowMs),
      );
      for (const { trigger } of timersOf(def, row.value)) {
        const key = keyOf(def.collection, row, trigger);
        const old = kept.get(key);
        kept.delete(key);
        const armed = row.timerOf(trigger);
        if (armed) count++;
        if (!old || !armed || old.due === armed.due) continue;
        command.transaction.disarm(armed);
        command.transaction.arm(new Timer(armed.row, armed.trigger, old.due, armed.seq, armed.line));
      }
    }
  }
  for (const { row, trigger } of kept.values()) drop(`the timer ${trigger} of ${row.id}`);
  return count;
}

/** Returns a unique key for a timer. */
function keyOf(collection: string, { id, tenant }: Row, trigger: string): string {
  return JSON.stringify([collection, tenant, id, trigger]);
}

function migrateControl(from: Engine, to: Engine, command: CommandExecution, drop: Drop): void {
  const { transaction, world } = command;
  for (const pin of from.world.pins.values()) {
    const def = to.model.byCollection.get(pin.collection);
    if (def && isPinnable(def, pin.path)) transaction.write(world.pins, pin.id, { ...pin, seq: world.nextSeq() });
    else drop(`the pin of ${pin.path}`);
  }
  for (const fault of from.world.faults.values()) {
    const known = to.pack.operations.some(
      ({ resource, name }) => resource.collection === fault.collection && name === fault.operation,
    );
    if (known) transaction.write(world.faults, fault.id, fault);
    else drop(`the fault of ${fault.collection}.${fault.operation}`);
  }
  for (const fault of from.world.deliveryFaults.values()) transaction.write(world.deliveryFaults, fault.id, fault);
  for (const [name, ms] of from.world.durations.entries()) {
    if (to.model.settings.durations.has(name)) transaction.write(world.durations, name, ms);
    else drop(`the duration ${name}`);
  }
  for (const [key, count] of from.world.rates.entries()) transaction.write(world.rates, key, count);
  for (const [key, last] of from.world.sequences.entries()) transaction.write(world.sequences, key, last);
  for (const [key, record] of from.world.idempotency.entries()) transaction.write(world.idempotency, key, record);
}
