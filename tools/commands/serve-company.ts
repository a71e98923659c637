import { announceCompany, companyFailure } from './company-start.js';
import { LIMITS } from '../../engine/limits.js';
import { isCompanyFile } from '../command/installation.js';
import { Exit, Failure, type Output } from '../command/output.js';
import { openDoor, openStore, rejectedStart, startOptions } from './serve-start.js';
import type { ServeOptions } from './serve-options.js';

/** Options that aren't available for companies. */
const ALONE = {
  seedFile: '--seed-file',
  seedData: '--seed-data',
  watch: '--watch',
  lenientVersions: '--lenient-versions',
  strict: '--strict',
  cors: '--cors',
} as const;

/** Options that companies support only in PostgreSQL. */
const IN_POSTGRES = {
  worlds: '--worlds',
  tls: '--tls',
  tlsCert: '--tls-cert',
  advertise: '--advertise',
  publicUrl: '--public-url',
  maxWorldSize: '--max-world-size',
  teams: '--teams',
  expires: '--expires',
  metricsKey: '--metrics-key',
  leaveAfter: '--leave-after',
} as const;

/**
 * Serves packs, or those of a company file, in one world until it is asked to stop: the company at the given port, each pack at a following port.
 * @param observe starts the logs, after the company's initial calls
 * @throws Failure if it can't be served
 */
export async function serveCompany(
  packs: readonly string[],
  options: ServeOptions,
  output: Output,
  stopped: Promise<void>,
  observe: () => Promise<void>,
): Promise<number> {
  const isReplica = options.store !== undefined && /^postgres(?:ql)?:/.test(options.store);
  const rejected: Partial<Record<keyof ServeOptions, string>> = isReplica ? ALONE : { ...ALONE, ...IN_POSTGRES };
  for (const [name, flag] of Object.entries(rejected) as [keyof ServeOptions, string][])
    if (options[name] !== undefined)
      throw new Failure(
        Exit.cannotRun,
        'alone_only',
        `${flag} is for one pack, and a company has several in one world`,
        name in IN_POSTGRES ? 'Omit it, or keep the company in PostgreSQL (--store postgres://...).' : 'Omit it.',
      );
  const { createCompany } = await import('../../engine/index.js');
  const { port, host, key, t0, seed, vars, cache, onDefect } = await startOptions(packs[0], [], options, output);
  const [file] = packs.filter(isCompanyFile);
  if (file !== undefined && (packs.length > 1 || vars !== undefined))
    throw new Failure(
      Exit.cannotRun,
      'alone_only',
      packs.length > 1 ? `${file} is a company file, and stands alone` : '--set is for packs; a company file has vars',
      'A company file names its packs, and the variables of each.',
    );
  if (isReplica) {
    await observe();
    const { serveReplica } = await import('./serve-replica.js');
    const given = file === undefined ? { packs: packs.map((pack) => ({ pack, vars })) } : { packs: undefined, file };
    return serveReplica(packs[0], [], options, output, stopped, given);
  }
  const store = options.store === undefined ? undefined : await openStore(options.store, options, output);
  const members = packs.map((pack, at) => ({ pack, vars, port: port ? port + 1 + at : 0 }));
  const { maxWorlds } = options;
  const common = { port, host, key, t0, seed, cache, store, onDefect, maxWorlds };
  const company = await createCompany({ ...common, ...(file === undefined ? { packs: members } : { file }) }).catch(
    async (error: unknown) => {
      await store?.close();
      throw companyFailure(error) ?? (await rejectedStart(error, options, output));
    },
  );
  if (options.clock === 'realtime') Object.values(company.vendors)[0].clock.followWallTime();
  await observe();
  announceCompany(company, options, null, output);
  const door = await openDoor(Object.values(company.vendors), options, output).catch(async (error: unknown) => {
    await company.close();
    await store?.close();
    throw error;
  });
  await stopped;
  await door?.close();
  await company.close(LIMITS.drain.value / 2);
  await store?.close();
  return Exit.done;
}
