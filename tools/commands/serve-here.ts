import { openStore, startOptions, rejectedStart, openDoor, announce } from './serve-start.js';
import type { ServeOptions } from './serve-options.js';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FileStore, Sandbox } from '../../engine/index.js';
import { LIMITS } from '../../engine/limits.js';
import { CallLines } from '../command/call-lines.js';
import { findPack, isCompanyFile } from '../command/installation.js';
import { Exit, Failure, type Output } from '../command/output.js';
import type { SeedOptions } from '../command/seed-file.js';
import { Timings } from '../command/timings.js';
import { type Certificate, certificateOf } from '../command/tls.js';

const NO_SDK =
  '--spans: no SDK of OpenTelemetry is loaded, so no spans are sent; load one with NODE_OPTIONS="--import ./your-sdk.mjs"';

/** Milliseconds before the process ends by which calls in flight must finish. */
const SOONER_MS = 1_000;

/**
 * Serves packs, the first one immediately, in this thread until it is asked to stop; returns the exit code.
 * @param stopped settles when it is asked to stop
 * @throws Failure if it can't be served
 */
export async function serveHere(
  packs: readonly string[],
  options: ServeOptions,
  given: Output,
  stopped: Promise<void>,
): Promise<number> {
  if (options.openenv) return (await import('./serve-openenv.js')).serveOpenenv(packs, options, given, stopped);
  const log = options.log === 'json' ? await (await import('../observe/log.js')).startLog(given) : undefined;
  const { output } = log ?? { output: given };
  const observe = async (): Promise<void> => {
    if (options.spans && !(await import('../observe/spans.js')).startSpans()) output.error(NO_SDK);
    log?.watch();
    if (options.auditLog !== undefined) (await import('../observe/audit.js')).startAudit(options.auditLog);
  };
  if (packs.some(isCompanyFile)) {
    const { serveCompany } = await import('./serve-company.js');
    return serveCompany(packs, options, output, stopped, observe);
  }
  const [folder, ...further] = await Promise.all(packs.map((pack) => findPack(pack)));
  if (options.together) {
    const { serveCompany } = await import('./serve-company.js');
    return serveCompany([folder, ...further], options, output, stopped, observe);
  }
  await observe();
  if (options.store !== undefined && /^postgres(?:ql)?:/.test(options.store)) {
    const { serveReplica } = await import('./serve-replica.js');
    return serveReplica(folder, further, options, output, stopped);
  }
  rejectUnused(options);
  hintSeedData(folder, options, output);
  const certificate = await certificateOf(options);
  const seedData = await prepareSeedData(options);
  const timings = options.timings ? new Timings() : undefined;
  const before = options.watch ? (await import('../command/watch.js')).signature(folder) : undefined;
  const store = options.store === undefined ? undefined : await openStore(options.store, options, output);
  const lines = options.quiet || options.json || options.log !== 'text' ? undefined : new CallLines(output);
  const sandbox = await start(folder, further, options, output, { tls: certificate, timings, store, lines }).catch(
    async (error: unknown) => {
      await store?.close();
      throw error;
    },
  );
  await seedData(sandbox).catch(async (error: unknown) => {
    await sandbox.close();
    await store?.close();
    throw error;
  });
  announce(sandbox, options, certificate?.file ?? null, output);
  const door = await openDoor([sandbox], options, output).catch(async (error: unknown) => {
    await sandbox.close();
    await store?.close();
    throw error;
  });
  timings?.print(output);
  const watch = before !== undefined ? await follow(folder, before, sandbox, output) : undefined;
  await stopped;
  watch?.close();
  await door?.close();
  await sandbox.close(LIMITS.drain.value - SOONER_MS);
  await store?.close();
  lines?.flush();
  return Exit.done;
}

/** Options that apply only to a store in PostgreSQL. */
const OF_REPLICAS = {
  advertise: '--advertise',
  maxWorlds: '--max-worlds',
  maxWorldSize: '--max-world-size',
  metricsKey: '--metrics-key',
  leaveAfter: '--leave-after',
} as const;

/** Rejects options that would have no effect without a store in PostgreSQL. @throws Failure that names the option */
function rejectUnused(options: ServeOptions): void {
  for (const [name, flag] of Object.entries(OF_REPLICAS) as [keyof typeof OF_REPLICAS, string][])
    if (options[name] !== undefined)
      throw new Failure(
        Exit.cannotRun,
        'store_needed',
        `${flag} is for worlds in PostgreSQL`,
        'Add the store (--store postgres://db/sandbox), or omit the option.',
      );
}

/** Prints a hint if `--seed`, the random seed, was probably confused with `--seed-data`. */
function hintSeedData(folder: string, { seed, quiet }: ServeOptions, output: Output): void {
  const seeds = join(folder, 'seeds');
  if (quiet || seed === undefined || !existsSync(seeds) || !readdirSync(seeds).includes(`${seed}.yaml`)) return;
  output.error(
    `--seed ${seed} decides ids and random values only. To start with the objects of that name: --seed-data ${seed}`,
  );
}

async function follow(folder: string, before: string, sandbox: Sandbox, output: Output): Promise<{ close(): void }> {
  const { followPack } = await import('./serve-watch.js');
  return followPack(folder, before, sandbox, output);
}

/** Reads the seed data before anything starts; returns the function that seeds a sandbox. */
async function prepareSeedData(options: SeedOptions): Promise<(sandbox: Sandbox) => Promise<void>> {
  if (options.seedFile === undefined && options.seedData === undefined) return () => Promise.resolve();
  const { givenSeeds, seedSandbox } = await import('../command/seed-file.js');
  const seeds = await givenSeeds(options);
  return async (sandbox) => seeds && seedSandbox(seeds, options, sandbox);
}

async function start(
  pack: string,
  packs: readonly string[],
  options: ServeOptions,
  output: Output,
  {
    tls,
    timings,
    store,
    lines,
  }: { readonly tls?: Certificate; readonly timings?: Timings; readonly store?: FileStore; readonly lines?: CallLines },
): Promise<Sandbox> {
  const { createSandbox } = await import('../../engine/index.js');
  timings?.ended('modules');
  const common = await startOptions(pack, packs, options, output, timings);
  try {
    return await createSandbox({ ...common, tls, store, worlds: options.worlds, onCall: lines?.add });
  } catch (error) {
    throw await rejectedStart(error, options, output);
  }
}
