import { LIMITS } from '../../engine/limits.js';
import { isCompanyFile } from '../command/installation.js';
import { Exit, Failure, type Output } from '../command/output.js';
import { openStore, rejectedStart, type ServeOptions, startOptions } from './serve-here.js';

/** Options that a company does not have. */
const ALONE = {
  worlds: '--worlds',
  seedFile: '--seed-file',
  seedData: '--seed-data',
  watch: '--watch',
  tls: '--tls',
  tlsCert: '--tls-cert',
  lenientVersions: '--lenient-versions',
  advertise: '--advertise',
  publicUrl: '--public-url',
  maxWorldSize: '--max-world-size',
} as const;

/**
 * Serves packs, or what a company file names, in one world until it is asked to stop: the company at the port that was given, each pack at one after it.
 * @throws Failure when it cannot be served
 */
export async function serveCompany(
  packs: readonly string[],
  options: ServeOptions,
  output: Output,
  stopped: Promise<void>,
): Promise<number> {
  for (const [name, flag] of Object.entries(ALONE) as [keyof typeof ALONE, string][])
    if (options[name] !== undefined)
      throw new Failure(
        Exit.cannotRun,
        'alone_only',
        `${flag} is for one pack, and a company has several in one world`,
        'Leave it out.',
      );
  if (options.store !== undefined && /^postgres(?:ql)?:/.test(options.store))
    throw new Failure(
      Exit.cannotRun,
      'alone_only',
      'a company is kept in a file',
      'Give a file: --store ./company.db.',
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
  const store = options.store === undefined ? undefined : await openStore(options.store);
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
  const vendors = Object.entries(company.vendors).map(
    ([name, each]) => [name, { url: each.url, key: each.key }] as const,
  );
  if (options.json)
    output.print(JSON.stringify({ url: company.url, key: company.key, vendors: Object.fromEntries(vendors) }));
  else if (!options.quiet) {
    output.print(`company ${company.url}  ${company.key}`);
    for (const [name, each] of vendors) output.print(`${name} ${each.url}  ${each.key}`);
  }
  await stopped;
  await company.close(LIMITS.drain.value / 2);
  await store?.close();
  return Exit.done;
}

/** Why packs cannot be together, for the person who started them; undefined: it is something else. */
export function companyFailure(error: unknown): Failure | undefined {
  if (!(error instanceof RangeError)) return undefined;
  return new Failure(Exit.cannotRun, 'company_invalid', error.message);
}
