import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Company, createCompany, PackCache, PackInvalid } from '../../engine/index.js';
import { packsOfCompany } from '../../engine/company/index.js';
import { allPacks, installation, packsIn } from '../command/installation.js';
import { counted, defectReporter, Exit, Failure, type Output } from '../command/output.js';
import { rejection } from '../command/problems.js';
import { type RedirectedVendor, runCommand } from '../command/run-command.js';
import { cannotListen } from '../command/system-failure.js';
import { envOfWorld } from '../command/world-env.js';
import { watchCalls } from '../observe/calls.js';
import { companyFile } from '../up/company-file.js';
import { environmentFile, isOwnEnvironmentFile } from '../up/environment-file.js';
import { portFor } from '../up/ports.js';
import { claimStart, forgetRunning, rememberRunning, runningFor, type RunningVendors } from '../up/running.js';
import { applicationFiles, type UsedPackage } from '../up/used-packages.js';
import { environmentOf, type FoundVendor, otherVendorsOf, vendorsOf } from '../up/vendors.js';
import { applicationCode, shownWebhooks, type Webhooks, webhooksOf } from '../up/webhooks.js';
import { companyFailure } from './company-start.js';
import { detach, silent, type UpOptions } from './up-running.js';
import { watchApplication } from './up-watch.js';
import { stopped } from '../command/stopped.js';

const COMPANY_FILE = 'sandbox.yaml';
const ENVIRONMENT_FILE = '.env.sandbox';

interface Uses {
  readonly found: readonly FoundVendor[];
  /** Client libraries of vendors without a pack. */
  readonly others: ReturnType<typeof otherVendorsOf>;
  /** The application's routes for webhooks, if sandbox.yaml doesn't exist. */
  readonly webhooks: readonly Webhooks[];
  readonly paths: readonly string[];
  /** The content of sandbox.yaml; null if it doesn't exist. */
  readonly known: Known | null;
  readonly packs: readonly string[];
}

interface Known {
  readonly packs: readonly string[];
  /** The first vendor's port. */
  readonly port: number | undefined;
}

/**
 * Serves an application's vendors until it is asked to stop, or while a command runs. A command uses running vendors.
 * @returns the exit code
 * @throws Failure if there is no vendor, or they can't be served
 */
export async function up(command: readonly string[], options: UpOptions, output: Output): Promise<number> {
  const folder = resolve(options.folder);
  if (!existsSync(folder))
    throw new Failure(Exit.cannotRun, 'folder_not_found', `there is no folder ${options.folder}`);
  const uses = await usesOf(folder, options, output);
  if (options.check) {
    const missing = missingIn(uses);
    if (!options.json) for (const { pack } of missing) output.error(`${pack} is used and not in ${COMPANY_FILE}`);
    return missing.length === 0 ? Exit.done : Exit.wrongInput;
  }
  // Claims only the start of the background process, which claims starting the vendors itself.
  mustWrite(folder);
  const released = options.detach ? await claimStart(folder, 'detaching') : () => undefined;
  const release = await claimStart(folder);
  try {
    // Reads the file again, because another start may have written it in the meantime.
    const known = uses.known ?? (await readKnown(join(folder, COMPANY_FILE), output));
    return await start(folder, { ...uses, known }, command, options, release, output);
  } finally {
    release();
    released();
  }
}

/** @throws Failure if files can't be written in the application's folder */
function mustWrite(folder: string): void {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw new Failure(
      Exit.cannotRun,
      'folder_not_writable',
      `nothing can be written in ${folder}`,
      `sandbox up writes ${COMPANY_FILE}, ${ENVIRONMENT_FILE} and .sandbox/ there. Allow that, or start a vendor by name: sandbox serve payments.`,
    );
  }
}

/** Starts the vendors, or uses those of another process. @param started called once the vendors run */
async function start(
  folder: string,
  uses: Uses,
  command: readonly string[],
  options: UpOptions,
  started: () => void,
  output: Output,
): Promise<number> {
  if (uses.known !== null)
    for (const { pack } of missingIn(uses))
      output.error(`${pack} is used and not in ${COMPANY_FILE}: add it under vendors`);
  const before = await runningFor(folder);
  if (before !== null || options.detach) started();
  if (before !== null) return useRunning(before, command, options, output);
  if (options.detach) return detach(folder, options, output);
  if (!isOwnEnvironmentFile(join(folder, ENVIRONMENT_FILE)))
    throw new Failure(
      Exit.cannotRun,
      'env_file_foreign',
      `${ENVIRONMENT_FILE} isn't from sandbox up, which would replace it`,
      'Give it another name: sandbox up writes the variables of its vendors there at each start.',
    );
  const port = await portFor(options.port, uses.known?.port, uses.known?.packs.length ?? uses.found.length);
  return serveVendors(folder, uses, command, { ...options, port }, started, output);
}

async function usesOf(folder: string, options: UpOptions, output: Output): Promise<Uses> {
  const packs = allPacks(folder);
  const files = applicationFiles(folder);
  const { paths } = files;
  for (const each of files.broken) output.error(`${each}: what it names is not found`);
  const known = await readKnown(join(folder, COMPANY_FILE), output);
  const code = applicationCode(folder, paths);
  const declared = vendorsOf(files, packs).map(({ pack }) => pack);
  // Doesn't search the code if sandbox.yaml is complete, since reading all code takes time.
  const isComplete = known !== null && options.check !== true && known.packs.every((pack) => declared.includes(pack));
  const found = vendorsOf(files, packs, isComplete ? undefined : code);
  const others = otherVendorsOf(files);
  const missing = missingIn({ found, known }).map(({ pack }) => pack);
  const webhooks = known === null ? webhooksOf(code, found, others.length, options.app) : [];
  if (options.json && options.check) output.print(JSON.stringify({ found, others, missing, webhooks }));
  else if (!options.json) {
    for (const vendor of found) output.print(`${vendor.pack}  ${shownReason(vendor)}`);
    for (const vendor of new Set(others.map((each) => each.vendor))) {
      const used = others.filter((each) => each.vendor === vendor);
      output.print(`no pack for ${vendor}  ${shownPackages(used)}: its calls go to the vendor`);
    }
    for (const line of shownWebhooks(webhooks, COMPANY_FILE, options)) output.print(line);
  }
  if (known === null && found.length === 0)
    throw new Failure(
      Exit.cannotRun,
      'no_vendor',
      `no vendor was found in ${counted(paths.length, 'file')} of ${options.folder}`,
      `Run it in the folder with the application's package.json, requirements.txt or other manifest, or name that: --folder PATH. It looks for the clients of: ${packsIn(
        join(installation(), 'packs'),
      )
        .map((each) => basename(each))
        .join(', ')}. Start one by name: sandbox serve payments.`,
    );
  return { found, others, webhooks, paths, known, packs };
}

/** Lists the vendors that the application uses and sandbox.yaml lacks. */
function missingIn({ found, known }: Pick<Uses, 'found' | 'known'>): readonly FoundVendor[] {
  return found.filter(({ pack }) => known?.packs.includes(pack) !== true);
}

async function serveVendors(
  folder: string,
  { found, webhooks, paths, known, packs }: Uses,
  command: readonly string[],
  options: UpOptions & { readonly port: number },
  started: () => void,
  output: Output,
): Promise<number> {
  const path = join(folder, COMPANY_FILE);
  const cache = PackCache.ofInstallation();
  if (known === null) {
    const firstPort = options.port === 0 ? null : options.port + 1;
    const folderOf = (pack: string): string => packs.find((each) => basename(each) === pack) ?? pack;
    const endpointsOf = ({ pack }: FoundVendor): string[] =>
      webhooks.filter((each) => each.pack === pack).flatMap(({ urls }) => urls);
    writeFileSync(path, companyFile(basename(folder), found, { port: firstPort, cache, folderOf, endpointsOf }));
  }
  const company = await open(path, options.port, cache, output).catch((error: unknown) => {
    // Removes a new file after a failed start, so that the next start can choose other ports.
    if (known === null) rmSync(path, { force: true });
    throw error;
  });
  if (known === null && !options.json) output.print(`written ${COMPANY_FILE}`);
  try {
    const env = { ...envOfWorld(company), ...(await environmentOf(company, found)) };
    writeFileSync(join(folder, ENVIRONMENT_FILE), environmentFile(env));
    const running = runningOf(company, env);
    rememberRunning(folder, running);
    started();
    printEnvironment(running, options, output);
    const inspector = `${company.url}/__admin__/#key=${encodeURIComponent(company.key)}`;
    if (!options.json) {
      for (const line of versionsOf(company)) output.print(line);
      output.print(`written ${ENVIRONMENT_FILE}; inspector ${inspector}`);
    }
    if (options.open === true) openBrowser(inspector);
    const served = known?.packs ?? found.map(({ pack }) => pack);
    const watch = watchApplication({ folder, file: COMPANY_FILE, packs, found, paths, served }, output);
    try {
      if (command.length > 0) return await runBeside(running, command, options, output);
      if (!options.json) printCalls(company, output);
      await stopped(['SIGINT', 'SIGTERM', 'SIGHUP']);
      return Exit.done;
    } finally {
      watch.close();
    }
  } finally {
    forgetRunning(folder, process.pid);
    await company.close(0);
  }
}

/** Runs the command with the application's running vendors, or reports that they run. */
async function useRunning(
  { state, running }: NonNullable<Awaited<ReturnType<typeof runningFor>>>,
  command: readonly string[],
  options: UpOptions,
  output: Output,
): Promise<number> {
  const { pid, url } = running;
  if (state === 'silent') throw silent(running);
  if (command.length > 0) return runBeside(running, command, options, output);
  if (!options.detach)
    throw new Failure(
      Exit.cannotRun,
      'up_already',
      `the vendors run already: ${url}, process ${pid}`,
      'Stop them: sandbox down. See what they do: sandbox logs. Run a command with them: sandbox up -- COMMAND.',
    );
  printEnvironment(running, options, output);
  if (!options.json) output.print(`they run already, as process ${pid}`);
  return Exit.done;
}

function runBeside(
  { env, vendors }: RunningVendors,
  command: readonly string[],
  { redirect }: UpOptions,
  output: Output,
): Promise<number> {
  return runCommand(
    command,
    env,
    redirect ? vendors.filter(({ pack }) => pack.hosts !== undefined) : undefined,
    output,
  );
}

function runningOf({ url, key, vendors }: Company, env: Readonly<Record<string, string>>): RunningVendors {
  const redirected = Object.values(vendors).map(({ url: at, pack: { name, hosts } }): RedirectedVendor => {
    return { url: at, pack: { name, hosts } };
  });
  return { pid: process.pid, url, key, env, vendors: redirected };
}

/** Lists the API version of each vendor that has several, for the start message. */
function versionsOf({ vendors }: Company): readonly string[] {
  return Object.entries(vendors).flatMap(([name, { engine }]) => {
    const { versions } = engine.pack;
    if (versions === null) return [];
    const { current, all } = versions;
    return [`${name} responds as API version ${current.name}, unless a client names another (from ${all[0].name})`];
  });
}

/** Commands that open an address in the browser, by operating system. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a page in the browser if possible; the address is printed anyway. */
function openBrowser(url: string): void {
  const [opener, ...before] = OPENERS[process.platform] ?? ['xdg-open'];
  const started = spawn(opener, [...before, url], { stdio: 'ignore', detached: true });
  started.on('error', () => undefined);
  started.unref();
}

function printEnvironment({ url, key, env }: RunningVendors, { json }: UpOptions, output: Output): void {
  if (json) return output.print(JSON.stringify({ url, key, env }));
  for (const [name, value] of Object.entries(env)) output.print(`${name}=${value}`);
}

/** Prints a line for each call of a vendor. */
function printCalls({ vendors }: Company, output: Output): void {
  const names = new Map(Object.entries(vendors).map(([name, { url }]) => [Number(new URL(url).port), name]));
  watchCalls({
    began: ({ socket }) => names.get(socket.localPort ?? 0),
    ended: ({ method, path, status }, name) => {
      if (name === undefined || path.startsWith('/__admin__')) return;
      output.print(`${name}  ${status === null ? 'cut' : String(status)}  ${method} ${path}`);
    },
  });
}

function open(file: string, port: number, cache: PackCache, output: Output): Promise<Company> {
  return createCompany({ file, port, cache, onDefect: defectReporter(output) }).catch((error: unknown) => {
    if (error instanceof PackInvalid) throw rejection(error, output.colorErrors);
    throw companyFailure(error) ?? cannotListen(error, port, 'localhost') ?? error;
  });
}

/** Reads a company file. @returns null: there is none. @throws Failure if it is invalid */
async function readKnown(path: string, output: Output): Promise<Known | null> {
  if (!existsSync(path)) return null;
  const packs = await packsOfCompany(path).catch((error: unknown) => {
    throw error instanceof PackInvalid ? rejection(error, output.colorErrors) : error;
  });
  return { packs: packs.map(({ pack }) => basename(pack)), port: packs.at(0)?.port };
}

/** Formats the reason for which a vendor was found. */
function shownReason({ packages, calls }: FoundVendor): string {
  if (packages.length > 0) return shownPackages(packages);
  return calls === undefined
    ? 'named in its environment'
    : `called by its code: ${calls.map(({ host, file }) => `${host} (${file})`).join(', ')}`;
}

/** Lists packages with their versions; a package that several files name is listed once. */
function shownPackages(packages: readonly UsedPackage[]): string {
  const files = new Map<string, readonly string[]>();
  for (const { name, version, file } of packages) {
    const shown = `${name}${version === null ? '' : ` ${version}`}`;
    files.set(shown, [...(files.get(shown) ?? []), file]);
  }
  return [...files]
    .map(([shown, [first, ...rest]]) => `${shown} (${first}${rest.length === 0 ? '' : ` and ${rest.length} more`})`)
    .join(', ');
}
