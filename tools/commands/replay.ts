import type { Bug, Company, Replayed, Sandbox } from '../../engine/index.js';
import { isOfCompany, readAnyBug, readBug } from '../command/bug-file.js';
import { isCompanyFile } from '../command/installation.js';
import { Exit, Failure, type Output } from '../command/output.js';

/** The options of `sandbox replay`, read. */
export interface ReplayCommand {
  readonly pack?: string;
  readonly until?: number;
  readonly port: number;
  readonly host: string;
  readonly key?: string;
  readonly serve: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/**
 * Repeats a file in a new world, and serves the world until it gets a signal to stop.
 * @throws Failure when the file is wrong, its pack is another one, or something came to other bytes
 */
export async function replay(file: string, options: ReplayCommand, output: Output): Promise<number> {
  const { LedgerMismatch } = await import('../../engine/index.js');
  const { bug, play } = await readReplay(file, options, output);
  let replayed: Played;
  try {
    replayed = await play();
  } catch (error) {
    if (error instanceof LedgerMismatch)
      throw new Failure(Exit.wrongInput, 'other_pack', error.message, 'Give the pack as it was: --pack FOLDER.');
    throw error;
  }
  const { served, unlike } = replayed;
  if (unlike) {
    await served.close();
    const { at, step, last } = unlike;
    const what = step.kind === 'call' ? step.operation : step.kind === 'control' ? step.route : step.kind;
    throw new Failure(
      Exit.wrongInput,
      'not_the_same',
      `step ${at + 1} of ${bug.steps.length} (${what}) came to other bytes: entry ${last} here, ${step.last} in the file`,
      `--until ${Math.max(step.last - 1, 0)} stops before it.`,
      { step: at + 1, entry: step.last },
    );
  }
  announce(replayed, options, output);
  if (options.serve) await stopped();
  await served.close();
  return Exit.done;
}

/** What was played, of one pack or of several. */
type Played = Omit<Replayed, 'sandbox'> & { readonly served: Sandbox | Company };

/** Reads a file. @returns also what plays it @throws Failure when it is wrong, or there is no such pack */
async function readReplay(
  file: string,
  { until, port, host, key, pack }: ReplayCommand,
  output: Output,
): Promise<{ readonly bug: Bug; readonly play: () => Promise<Played> }> {
  const { PackCache, replayBug, replayCompany } = await import('../../engine/index.js');
  const onDefect = (error: unknown, what: string): void => output.error(`defect in ${what}: ${String(error)}`);
  const common = { until, port, host, key, cache: PackCache.ofInstallation(), onDefect };
  const bug = readAnyBug(file);
  if (isOfCompany(bug)) {
    const packs = pack === undefined ? {} : await foldersOf(pack);
    const play = async (): Promise<Played> => {
      const { company, ...rest } = await replayCompany(bug, { ...common, packs });
      return { ...rest, served: company };
    };
    return { bug, play };
  }
  const { pack: folder } = await readBug(file, pack);
  const play = async (): Promise<Played> => {
    const { sandbox, ...rest } = await replayBug(bug, { ...common, pack: folder });
    return { ...rest, served: sandbox };
  };
  return { bug, play };
}

/** The folders of the packs that a company file names. @throws Failure */
async function foldersOf(file: string): Promise<Readonly<Record<string, string>>> {
  if (!isCompanyFile(file))
    throw new Failure(
      Exit.cannotRun,
      'company_invalid',
      `${file} is no company file, and the file is of several packs`,
      'Give the company file that names them: --pack company.yaml.',
    );
  const { packsOfCompany } = await import('../../engine/company/index.js');
  const named = await packsOfCompany(file);
  return Object.fromEntries(named.map(({ name, pack }) => [name, pack]));
}

function announce({ served, orders }: Played, { json, quiet, serve }: ReplayCommand, output: Output): void {
  if (quiet) return;
  const { url, key } = served;
  const { engine } = 'engine' in served ? served : Object.values(served.vendors)[0];
  const entry = engine.world.ledger.count;
  const address = serve ? { url, key } : {};
  if (json) return output.print(JSON.stringify({ ...address, steps: orders.length, entry, same: true }));
  output.print(`${orders.length} steps, up to entry ${entry}: the same bytes`);
  for (const [name, value] of Object.entries(address)) output.print(`${output.styled('dim', name.padEnd(5))} ${value}`);
}

function stopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
