import type { CompanyReplica, CompanyReplicaOptions, Replica } from '../../engine/index.js';
import { LIMITS } from '../../engine/limits.js';
import { Exit, Failure, type Output } from '../command/output.js';
import { certificateOf } from '../command/tls.js';
import { announceCompany, companyFailure } from './company-start.js';
import { announce, rejectedStart, startOptions } from './serve-start.js';
import { type ServeOptions } from './serve-options.js';

/** Milliseconds before the process ends by which calls in flight must finish. */
const SOONER_MS = 6_000;

/**
 * Serves the worlds of a PostgreSQL database, together with other replicas, until it is asked to stop.
 * @param company the packs of each world; one pack by default
 * @throws Failure if it can't be served
 */
export async function serveReplica(
  pack: string,
  packs: readonly string[],
  options: ServeOptions,
  output: Output,
  stopped: Promise<void>,
  company?: Pick<CompanyReplicaOptions, 'packs' | 'file'>,
): Promise<number> {
  if (options.worlds === 'port')
    throw rejected(
      'worlds_by_port',
      'worlds in PostgreSQL are distinguished by key',
      'Leave --worlds out, or give --worlds key.',
    );
  if (options.watch)
    throw rejected('watch_alone', '--watch serves one process', 'Follow files without --store, or in a file.');
  const { createCompanyReplica, createReplica } = await import('../../engine/index.js');
  const { givenSeeds } = await import('../command/seed-file.js');
  const seeds = await givenSeeds(options);
  const tls = await certificateOf(options);
  const { advertise, publicUrl, maxWorlds, maxWorldSize: maxWorldBytes, metricsKey, store: database = '' } = options;
  const metrics = await (await import('../observe/metrics.js')).startMetrics();
  const limits = { maxWorlds, maxWorldBytes, metricsKey, leaveAfterMs: options.leaveAfter };
  const own = { tls, database, advertise, publicUrl, ...limits, seeds, metrics: () => metrics.read() };
  const common = await startOptions(pack, packs, options, output);
  const starting: Promise<Replica | CompanyReplica> = company
    ? createCompanyReplica({ ...common, ...own, ...company })
    : createReplica({ ...common, ...own });
  const replica = await starting.catch(async (error: unknown) => {
    throw companyFailure(error) ?? (await rejectedStart(error, options, output));
  });
  metrics.watch(replica);
  if ('vendors' in replica) announceCompany(replica, options, tls?.file ?? null, output);
  else announce(replica, options, tls?.file ?? null, output);
  await stopped;
  await replica.close(LIMITS.drain.value - SOONER_MS);
  return Exit.done;
}

function rejected(code: string, message: string, advice: string): Failure {
  return new Failure(Exit.cannotRun, code, message, advice);
}
