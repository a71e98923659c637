import type { AdvanceProgress, Sandbox } from '../../engine/index.js';
import { findPack } from '../installation.js';
import { Exit, Failure, type Output } from '../output.js';
import { Timings } from '../timings.js';

/** The options of `sandbox serve`, read. */
export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  readonly key?: string;
  readonly t0?: string;
  readonly clock: 'frozen' | 'realtime';
  readonly seed?: string;
  readonly seedFile?: string;
  readonly set?: Readonly<Record<string, string>>;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly watch?: boolean;
  readonly timings?: boolean;
}

const T0_FORMS = '--t0 takes ISO 8601 (2025-01-31T12:00:00Z, 2025-01-31) or Unix seconds (1738324800).';

/** Longest wait for requests and deliveries that are under way when asked to stop, in milliseconds. */
const DRAIN_MS = 10_000;

/**
 * Serves a pack until a signal asks to stop, and gives the exit code.
 * @throws Failure when it cannot be served
 */
export async function serve(pack: string, options: ServeOptions, output: Output): Promise<number> {
  const stopped = stopSignal();
  const folder = await findPack(pack);
  const planting = await preparePlanting(options.seedFile);
  const timings = options.timings ? new Timings() : undefined;
  const before = options.watch ? (await import('../watch.js')).signature(folder) : undefined;
  const sandbox = await start(folder, options, output, timings);
  await planting(sandbox).catch(async (refused: unknown) => {
    await sandbox.close();
    throw refused;
  });
  announce(sandbox, options, output);
  timings?.tell(output);
  const watch = before !== undefined ? await follow(folder, before, sandbox, output) : undefined;
  await stopped;
  watch?.close();
  setTimeout(() => process.exit(Exit.done), DRAIN_MS).unref();
  await sandbox.close();
  return Exit.done;
}

async function follow(folder: string, before: string, sandbox: Sandbox, output: Output): Promise<{ close(): void }> {
  const { followPack } = await import('./serve-watch.js');
  return followPack(folder, before, sandbox, output);
}

/** Reads the seed file, if there is one, before anything starts; what it gives puts the objects into a sandbox. */
async function preparePlanting(file: string | undefined): Promise<(sandbox: Sandbox) => Promise<void>> {
  if (file === undefined) return () => Promise.resolve();
  const { readSeedFile, plant } = await import('../seed-file.js');
  const seeds = await readSeedFile(file);
  return (sandbox) => plant(seeds, file, sandbox);
}

async function start(pack: string, options: ServeOptions, output: Output, timings?: Timings): Promise<Sandbox> {
  const { createSandbox, PackCache, PackInvalid } = await import('../../engine/index.js');
  const { parseInstant } = await import('../../engine/world/index.js');
  timings?.ended('modules');
  const { port, host, key, t0, clock, seed, set: vars } = options;
  if (t0 !== undefined && parseInstant(t0) === undefined) {
    throw new Failure(Exit.cannotRun, 't0_invalid', `'${t0}' is no instant`, T0_FORMS);
  }
  const cache = PackCache.ofInstallation();
  const onDefect = (error: unknown, what: string): void => {
    output.complain(`defect in ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  };
  const onAdvance = options.quiet
    ? undefined
    : ({ now, to, fired }: AdvanceProgress) => {
        output.complain(
          `clock at ${String(now)} on its way to ${String(to)}, ${fired.toLocaleString('en')} timers fired`,
        );
      };
  try {
    const onPhase = timings && ((phase: string) => timings.ended(phase));
    return await createSandbox({ pack, port, host, key, t0, clock, seed, vars, cache, onDefect, onPhase, onAdvance });
  } catch (error) {
    if (error instanceof PackInvalid) {
      const { refusal } = await import('../problems.js');
      throw refusal(error, output.colorErrors);
    }
    throw cannotListen(error, port, host) ?? error;
  }
}

function announce({ url, key, pack }: Sandbox, { json, quiet }: ServeOptions, output: Output): void {
  if (quiet) return;
  if (json) return output.print(JSON.stringify({ url, key, pack: { name: pack.name, version: pack.version } }));
  const lines = { url, key, pack: `${pack.name} ${pack.version}` };
  for (const [name, value] of Object.entries(lines)) output.print(`${output.styled('dim', name.padEnd(5))} ${value}`);
}

/** Fulfilled by the first signal to stop; a second one stops at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve();
        process.once(signal, () => process.exit(Exit.cannotRun));
      });
    }
  });
}

function cannotListen(error: unknown, port: number, host: string): Failure | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const failure = (name: string, message: string, advice: string): Failure =>
    new Failure(Exit.cannotRun, name, message, advice);
  switch (code) {
    case 'EADDRINUSE':
      return failure(
        'port_taken',
        `port ${port} of ${host} is taken`,
        `Stop what listens there (another sandbox?), or choose another port: --port ${port < 65_535 ? port + 1 : 8801}, or --port 0 for any free one.`,
      );
    case 'EACCES':
      return failure(
        'port_forbidden',
        `port ${port} of ${host} may not be used`,
        'Choose a port above 1023: --port 8801.',
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return failure(
        'host_unknown',
        `'${host}' is no address of this machine`,
        'Use --host 127.0.0.1, or 0.0.0.0 to let other machines in.',
      );
    default:
      return undefined;
  }
}
