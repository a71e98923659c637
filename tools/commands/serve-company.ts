import { LIMITS } from '../../engine/limits.js';
import { Exit, Failure, type Output } from '../command/output.js';
import { rejectedStart, type ServeOptions, startOptions } from './serve-here.js';

/** Options that a company does not have. */
const ALONE = {
  store: '--store',
  worlds: '--worlds',
  seedFile: '--seed-file',
  seedData: '--seed-data',
  watch: '--watch',
  tls: '--tls',
  tlsCert: '--tls-cert',
  lenientVersions: '--lenient-versions',
} as const;

/**
 * Serves packs in one world until it is asked to stop: the company at the port that was given, each pack at one after it.
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
        `${flag} is for one pack, and --together serves several in one world`,
        'Leave one of the two out.',
      );
  const { createCompany } = await import('../../engine/index.js');
  const { port, host, key, t0, seed, vars, cache, onDefect } = await startOptions(packs[0], [], options, output);
  const members = packs.map((pack, at) => ({ pack, vars, port: port === undefined || port === 0 ? 0 : port + 1 + at }));
  const common = { port, host, key, t0, seed, cache, onDefect };
  const company = await createCompany({ ...common, packs: members }).catch(async (error: unknown) => {
    if (error instanceof RangeError)
      throw new Failure(Exit.cannotRun, 'company_invalid', error.message, 'Name each pack once.');
    throw await rejectedStart(error, options, output);
  });
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
  return Exit.done;
}
