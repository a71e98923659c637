import { writeFileSync } from 'node:fs';
import type { BugStep } from '../../engine/index.js';
import { exportedFile, type PlayedFile, readReplay, type ReplayFile } from '../command/bug-file.js';
import { runCheck } from '../command/check-command.js';
import { curlOf } from '../command/curl.js';
import { Exit, Failure, type Output } from '../command/output.js';
import type { AddressedWorld } from '../command/world-env.js';
import { isObject, type Json } from '../../engine/values/index.js';
import { smallest } from '../chaos/smallest.js';

/** The parsed options of `sandbox shrink`. */
export interface ShrinkCommand {
  readonly check: string;
  readonly pack?: string;
  readonly out?: string;
  /** Time limit of a run, in seconds. */
  readonly timeout: number;
  readonly quiet?: boolean;
}

/**
 * Removes calls from a file while a command still fails, until no more can be removed, and prints the rest as curl commands.
 * @throws Failure if the command doesn't fail with all of them
 */
export async function shrink(file: string, options: ShrinkCommand, output: Output): Promise<number> {
  const read = await readReplay(file, options.pack);
  const { steps } = read.bug;
  let tries = 0;
  const fails = async (part: readonly BugStep[]): Promise<boolean> => {
    tries++;
    const { served } = await done(read, part);
    try {
      return await checkFails(options, served);
    } finally {
      await served.close(0);
    }
  };
  if (!(await fails(steps)))
    throw new Failure(
      Exit.wrongInput,
      'check_passes',
      'the check does not fail after all the steps of the file',
      'It gets the address of a world in SANDBOX_URL and its key in SANDBOX_KEY, and must exit with a code other than 0.',
    );
  const show = (part: readonly BugStep[]): void => {
    if (!options.quiet) output.error(`${part.length} of ${steps.length} steps left, ${tries} tried`);
  };
  const left = await smallest(steps, fails, show);
  const last = await done(read, left);
  try {
    for (const line of beginning(read)) output.print(line);
    for (const order of last.orders) output.print(curlOf(order));
    if (options.out !== undefined) writeFileSync(options.out, await exportedFile(last.served));
  } finally {
    await last.served.close(0);
  }
  return Exit.done;
}

function done({ play }: ReplayFile, only: readonly BugStep[]): Promise<PlayedFile> {
  return play({ only, onDefect: () => undefined });
}

/** Formats the commands that start a server in which these calls have the same effect, including ids. */
function beginning({ bug, file }: ReplayFile): string[] {
  const { seed, t0, pack, company } = bug.header;
  if (bug.begins) return [`# in the world of ${file}: sandbox replay ${file} --until ${bug.begins.entry.n}`];
  const packs = company ? `${vendorsOf(company['packs'])} --together` : pack.name;
  return [`# sandbox serve ${packs} --seed ${JSON.stringify(seed)} --t0 ${new Date(t0).toISOString()}`];
}

/** Formats the names of packs as arguments of a command. */
function vendorsOf(packs: Json | undefined): string {
  return isObject(packs)
    ? Object.values(packs)
        .map((each) => (isObject(each) ? String(each['pack']) : ''))
        .join(' ')
    : '';
}

/** Whether the command exits with a code other than 0. A command above the time limit is killed and counts as passed. */
async function checkFails({ check, timeout }: ShrinkCommand, world: AddressedWorld): Promise<boolean> {
  return (await runCheck(check, world, timeout)) === 'failed';
}
