import type { Bug } from '../../engine/index.js';
import { type PlayedFile, readReplay } from '../command/bug-file.js';
import { Exit, Failure, type Output } from '../command/output.js';
import { stopped } from '../command/stopped.js';

/** The parsed options of `sandbox replay`. */
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
 * Replays a file in a new world, and serves the world until a signal.
 * @throws Failure if the file is invalid, its pack is different, or bytes differ
 */
export async function replay(file: string, options: ReplayCommand, output: Output): Promise<number> {
  const { LedgerMismatch, SecretsSealed } = await import('../../engine/index.js');
  const { until, port, host, key, pack } = options;
  const { bug, play } = await readReplay(file, pack);
  const onDefect = (error: unknown, what: string): void => output.error(`defect in ${what}: ${String(error)}`);
  let replayed: PlayedFile;
  try {
    replayed = await play({ until, port, host, key, onDefect });
  } catch (error) {
    if (error instanceof LedgerMismatch)
      throw new Failure(Exit.wrongInput, 'other_pack', error.message, 'Name the unchanged pack: --pack FOLDER.');
    if (error instanceof SecretsSealed)
      throw new Failure(Exit.wrongInput, 'secrets_sealed', error.message, 'Give the key of the world: --key KEY.');
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
      `step ${at + 1} of ${bug.steps.length} (${what}) produced different bytes: entry ${last} here, ${step.last} in the file`,
      `--until ${Math.max(step.last - 1, 0)} stops before it.`,
      { step: at + 1, entry: step.last },
    );
  }
  const { run } = bug as Bug & { readonly run?: object };
  if (run !== undefined && options.serve) await served.control.call('POST', '/run', run);
  announce(replayed, options, output);
  if (options.serve) await stopped();
  await served.close();
  return Exit.done;
}

function announce({ served, orders }: PlayedFile, { json, quiet, serve }: ReplayCommand, output: Output): void {
  if (quiet) return;
  const { url, key } = served;
  const { engine } = 'engine' in served ? served : Object.values(served.vendors)[0];
  const entry = engine.world.ledger.count;
  const address = serve ? { url, key } : {};
  if (json) return output.print(JSON.stringify({ ...address, steps: orders.length, entry, same: true }));
  output.print(`${orders.length} steps, up to entry ${entry}: the same bytes`);
  for (const [name, value] of Object.entries(address)) output.print(`${output.styled('dim', name.padEnd(5))} ${value}`);
}
