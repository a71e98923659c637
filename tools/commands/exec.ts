import { type CallReport, createCompany, createSandbox, PackCache, PackInvalid } from '../../engine/index.js';
import { parseInstant } from '../../engine/world/index.js';
import { findPack } from '../command/installation.js';
import { defectReporter, Exit, Failure, type Output } from '../command/output.js';
import { rejection } from '../command/problems.js';
import { type RedirectedVendor, runCommand } from '../command/run-command.js';
import { envOfWorld } from '../command/world-env.js';

/** The parsed options of `sandbox exec`. */
export interface ExecOptions {
  readonly key?: string;
  readonly t0?: string;
  readonly seed?: string;
  readonly set?: Readonly<Record<string, string>>;
  /** Whether all packs share one world. */
  readonly together?: boolean;
  readonly redirect?: boolean;
}

/**
 * Starts a sandbox, runs a command beside it, and returns the command's exit code, or 128 plus the number of the signal that ended it. Passes on
 * signals.
 * @throws Failure if the sandbox or the command can't start
 */
export async function exec(
  packs: readonly string[],
  command: readonly string[],
  options: ExecOptions,
  output: Output,
): Promise<number> {
  const { t0, redirect } = options;
  if (t0 !== undefined && parseInstant(t0) === undefined)
    throw new Failure(
      Exit.cannotRun,
      't0_invalid',
      `'${t0}' isn't a valid time`,
      '--t0 takes ISO 8601 or Unix seconds.',
    );
  const started = await (options.together ? startTogether : start)(packs, options, output);
  try {
    return await runCommand(command, started.env, redirect ? started.vendors : undefined, output);
  } finally {
    await started.close();
  }
}

/** Prints advice if an application sends its own key instead of the sandbox's. */
function keyAdvice(output: Output): (call: CallReport) => void {
  let isGiven = false;
  return ({ trace }) => {
    if (isGiven || trace.error !== 'api_key_invalid') return;
    isGiven = true;
    output.error(
      "the command calls with a key that isn't the sandbox's: start the sandbox with the command's key, with --key",
    );
  };
}

/** The servers that run beside the command, and the function that stops them. */
interface Started {
  readonly env: Readonly<Record<string, string>>;
  readonly vendors: readonly RedirectedVendor[];
  close(): Promise<void>;
}

async function start(packs: readonly string[], options: ExecOptions, output: Output): Promise<Started> {
  const [pack, ...further] = await Promise.all(packs.map((each) => findPack(each)));
  const { key, t0, seed, set: vars, redirect } = options;
  const onCall = redirect ? keyAdvice(output) : undefined;
  const common = { key, t0, seed, vars, cache: PackCache.ofInstallation(), onDefect: defectReporter(output), onCall };
  const sandbox = await createSandbox({ pack, packs: further, ...common }).catch((error: unknown) => {
    throw error instanceof PackInvalid ? rejection(error, output.colorErrors, vars) : error;
  });
  return { env: envOfWorld({ url: sandbox.url, key: sandbox.key }), vendors: [sandbox], close: () => sandbox.close(0) };
}

/** Starts packs as a company: its address, and that of each pack. */
async function startTogether(packs: readonly string[], options: ExecOptions, output: Output): Promise<Started> {
  const { companyFailure } = await import('./company-start.js');
  const { key, t0, seed, set: vars } = options;
  const members = (await Promise.all(packs.map((each) => findPack(each)))).map((pack) => ({ pack, vars }));
  const common = { key, t0, seed, cache: PackCache.ofInstallation(), onDefect: defectReporter(output) };
  const company = await createCompany({ packs: members, ...common }).catch((error: unknown) => {
    throw error instanceof PackInvalid ? rejection(error, output.colorErrors, vars) : (companyFailure(error) ?? error);
  });
  return { env: envOfWorld(company), vendors: Object.values(company.vendors), close: () => company.close(0) };
}
