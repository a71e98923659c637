import { existsSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Company, createCompany, PackCache, PackInvalid } from '../../engine/index.js';
import { packsOfCompany } from '../../engine/company/index.js';
import { allPacks, installation, packsIn } from '../command/installation.js';
import { counted, defectReporter, Exit, Failure, type Output } from '../command/output.js';
import { rejection } from '../command/problems.js';
import { runCommand } from '../command/run-command.js';
import { cannotListen } from '../command/system-failure.js';
import { envOfWorld } from '../command/world-env.js';
import { companyFile } from '../up/company-file.js';
import { applicationFiles, type UsedPackage } from '../up/used-packages.js';
import { environmentOf, type FoundVendor, otherVendorsOf, vendorsOf, webhookRoutes } from '../up/vendors.js';
import { companyFailure } from './serve-company.js';
import type { UpOptions } from './up-options.js';

const COMPANY_FILE = 'sandbox.yaml';
const ENVIRONMENT_FILE = '.env.sandbox';

/**
 * Serves the vendors that an application uses until it is asked to stop, or as long as a command runs.
 * @returns the exit code
 * @throws Failure when there is no vendor, or they cannot be served
 */
export async function up(command: readonly string[], options: UpOptions, output: Output): Promise<number> {
  const folder = resolve(options.folder);
  if (!existsSync(folder))
    throw new Failure(Exit.cannotRun, 'folder_not_found', `there is no folder ${options.folder}`);
  const packs = allPacks(folder);
  const files = applicationFiles(folder);
  const found = vendorsOf(files, packs);
  const others = otherVendorsOf(files);
  const path = join(folder, COMPANY_FILE);
  const known = existsSync(path) ? await packsOf(path, output) : null;
  const missing = known === null ? found : found.filter(({ pack }) => !known.includes(pack));
  if (options.json && options.check)
    output.print(JSON.stringify({ found, others, missing: missing.map(({ pack }) => pack) }));
  else if (!options.json) {
    for (const { pack, packages } of found)
      output.print(`${pack}  ${packages.length > 0 ? shownPackages(packages) : 'named in its environment'}`);
    for (const { vendor, ...used } of others)
      output.print(`no pack for ${vendor}  ${shownPackages([used])}: its calls go to the vendor`);
  }
  if (known === null && found.length === 0)
    throw new Failure(
      Exit.cannotRun,
      'no_vendor',
      `no vendor was found in ${counted(files.paths.length, 'file')} of ${options.folder}`,
      `It looks for the clients of: ${packsIn(join(installation(), 'packs'))
        .map((each) => basename(each))
        .join(', ')}. Start one by name: sandbox serve payments.`,
    );
  if (options.check) {
    if (!options.json) for (const { pack } of missing) output.error(`${pack} is used and not in ${COMPANY_FILE}`);
    return missing.length === 0 ? Exit.done : Exit.wrongInput;
  }
  const cache = PackCache.ofInstallation();
  if (known === null) {
    const firstPort = options.port === 0 ? null : options.port + 1;
    const folderOf = (pack: string): string => packs.find((each) => basename(each) === pack) ?? pack;
    const endpointsOf = (vendor: FoundVendor): string[] => endpointsAt(options.app, files.paths, vendor);
    writeFileSync(path, companyFile(basename(folder), found, { port: firstPort, cache, folderOf, endpointsOf }));
    if (!options.json) output.print(`written ${COMPANY_FILE}`);
  } else
    for (const { pack } of missing) output.error(`${pack} is used and not in ${COMPANY_FILE}: add it under vendors`);

  const company = await start(path, options, cache, output);
  try {
    const env = { ...envOfWorld(company), ...(await environmentOf(company, found)) };
    writeFileSync(
      join(folder, ENVIRONMENT_FILE),
      `${Object.entries(env)
        .map(([name, value]) => `${name}=${value}`)
        .join('\n')}\n`,
    );
    if (options.json) output.print(JSON.stringify({ url: company.url, key: company.key, env }));
    else {
      for (const [name, value] of Object.entries(env)) output.print(`${name}=${value}`);
      output.print(`written ${ENVIRONMENT_FILE}; inspector ${company.url}/__admin__/`);
    }
    if (command.length === 0) {
      await new Promise<void>((stop) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop());
      });
      return Exit.done;
    }
    const vendors = Object.values(company.vendors).filter(({ pack }) => pack.hosts !== undefined);
    return await runCommand(command, env, options.redirect ? vendors : undefined, output);
  } finally {
    await company.close(0);
  }
}

function start(file: string, { port }: UpOptions, cache: PackCache, output: Output): Promise<Company> {
  return createCompany({ file, port, cache, onDefect: defectReporter(output) }).catch((error: unknown) => {
    if (error instanceof PackInvalid) throw rejection(error, output.colorErrors);
    throw companyFailure(error) ?? cannotListen(error, port, 'localhost') ?? error;
  });
}

/** Where an application takes the webhooks of a vendor, by the paths of its files. */
function endpointsAt(app: string, paths: readonly string[], { pack, packages }: FoundVendor): string[] {
  const words = packages.map(({ name }) => name.replace(/^@([^/]+)\/.*/, '$1').toLowerCase());
  return webhookRoutes(paths, [pack, ...words]).map((route) => app.replace(/\/$/, '') + route);
}

/** The packs that a company file names. @throws Failure when something is wrong with it */
async function packsOf(path: string, output: Output): Promise<readonly string[]> {
  const packs = await packsOfCompany(path).catch((error: unknown) => {
    throw error instanceof PackInvalid ? rejection(error, output.colorErrors) : error;
  });
  return packs.map(({ pack }) => basename(pack));
}

function shownPackages(packages: readonly UsedPackage[]): string {
  return packages
    .map(({ name, version, file }) => `${name}${version === null ? '' : ` ${version}`} (${file})`)
    .join(', ');
}
