import type { Reloaded, Sandbox } from '../../engine/index.js';
import { counted, type Output } from '../command/output.js';
import { countProblems, problemText } from '../command/problems.js';
import { type Watch, watchFolder } from '../command/watch.js';

/** Maximum number of dropped parts of the world that a message lists. */
const SHOWN = 10;

/**
 * Reloads a sandbox when its pack's files change; problems are printed and change nothing.
 * @param before the folder's signature before the sandbox read it
 */
export function followPack(folder: string, before: string, sandbox: Sandbox, output: Output): Watch {
  let last: Promise<void> = Promise.resolve();
  const again = async (): Promise<void> => {
    const started = performance.now();
    try {
      show(await sandbox.reload(), performance.now() - started, output);
    } catch (error) {
      output.error(`reload failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  };
  const next = (): void => {
    last = last.then(again);
  };
  return watchFolder(folder, next, before);
}

function show({ problems, source, migrated }: Reloaded, ms: number, output: Output): void {
  if (problems.length > 0) output.error(problemText({ problems, source }, output.colorErrors));
  if (migrated === null) {
    output.error(`not reloaded: ${countProblems(problems)}; the pack is served as it was`);
    return;
  }
  const kept = `${counted(migrated.objects, 'object')} and ${counted(migrated.timers, 'timer')} kept`;
  output.print(`${output.styled('green', 'reloaded')} in ${Math.round(ms)} ms, ${kept}`);
  for (const what of migrated.dropped.slice(0, SHOWN)) output.print(`  dropped ${what}`);
  const more = migrated.dropped.length - SHOWN;
  if (more > 0) output.print(`  dropped ${counted(more, 'more thing')}`);
}
