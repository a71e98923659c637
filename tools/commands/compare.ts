import { resolve } from 'node:path';
import { createSandbox, PackCache } from '../../engine/index.js';
import { mustExist } from '../command/input-file.js';
import { findPack } from '../command/installation.js';
import { counted, Exit, Failure, type Output } from '../command/output.js';
import { readRecording, type Recorded, recordingsIn } from '../recordings/read.js';
import { Player, type Result } from '../recordings/replay.js';
import { generalRules } from '../recordings/rules.js';
import { smallest } from '../chaos/smallest.js';

/** A difference, with the shortest list of calls that shows it. */
interface Shown {
  readonly recording: string;
  readonly operation: string;
  readonly path: string;
  readonly recorded: string;
  readonly ours: string;
  readonly calls: readonly string[];
}

/**
 * Replays recordings against a pack, prints the differences field by field, and returns the exit code: 0 if there are none.
 * @throws Failure if there is no such pack or recording
 */
export async function compareRecording(
  given: string,
  recording: string,
  { json }: { readonly json?: boolean },
  output: Output,
): Promise<number> {
  const folder = await findPack(given);
  mustExist(recording, 'recording_invalid');
  const sandbox = await createSandbox({ pack: folder, cache: PackCache.ofInstallation(), seed: 'compare' });
  const shown: Shown[] = [];
  let played = 0;
  try {
    for (const file of recordingsIn(resolve(recording))) {
      const calls = readRecording(file);
      if (calls.length === 0) continue;
      const player = new Player(sandbox, generalRules(folder, [...new Set(calls.map(({ url }) => url.hostname))]));
      const results = await player.play(calls);
      played += results.filter(({ kind }) => kind === 'replayed').length;
      for (const each of differencesOf(results)) {
        const shows = async (part: readonly Recorded[]): Promise<boolean> =>
          differencesOf(await player.play(part)).some((other) => keyOf(other) === keyOf(each));
        const fewest = await smallest(calls, shows);
        shown.push({ recording: file, ...each, calls: fewest.map(({ method, url }) => `${method} ${url.pathname}`) });
      }
    }
  } finally {
    await sandbox.close();
  }
  if (played === 0)
    throw new Failure(
      Exit.wrongInput,
      'recording_invalid',
      `${recording} holds no call that the pack has a route for`,
      `'sandbox docs ${given}' lists the calls of the pack.`,
    );
  if (json) output.print(JSON.stringify({ pack: given, calls: played, differences: shown }));
  else {
    output.print(`${counted(played, 'call')} played, ${counted(shown.length, 'difference')}`);
    for (const { recording: file, operation, path, recorded, ours, calls } of shown) {
      output.print(`  ${operation} ${path}: recorded ${recorded}, here ${ours} (${file})`);
      output.print(`      ${calls.join('; ')}`);
    }
  }
  return shown.length > 0 ? Exit.wrongInput : Exit.done;
}

type FoundDifference = Pick<Shown, 'operation' | 'path' | 'recorded' | 'ours'>;

/** Lists unexplained differences; each field of an operation is included once. */
function differencesOf(results: readonly Result[]): FoundDifference[] {
  const found = new Map<string, FoundDifference>();
  for (const result of results) {
    if (result.kind !== 'replayed') continue;
    for (const { path, recorded, ours, expected } of result.differences) {
      const each = { operation: result.operation, path, recorded, ours };
      if (expected === null && !found.has(keyOf(each))) found.set(keyOf(each), each);
    }
  }
  return [...found.values()];
}

function keyOf({ operation, path }: FoundDifference): string {
  return `${operation} ${path}`;
}
