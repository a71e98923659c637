import type { Reloaded, Sandbox } from '../../engine/index.js';
import type { Output } from '../command/output.js';
import { counted, countProblems, problemText } from '../command/problems.js';
import { type Watch, watchFolder } from '../command/watch.js';

/** How many dropped things are told one by one. */
const SHOWN = 10;

/**
 * Lets a sandbox follow its pack's folder: what is saved is live at once, mistakes are told and change nothing.
 *
 * @param before the folder's signature before the sandbox read it
 */
export function followPack(folder: string, before: string, sandbox: Sandbox, output: Output): Watch {
  let last: Promise<void> = Promise.resolve();
  const again = async (): Promise<void> => {
    const started = performance.now();
    try {
      show(await sandbox.reload(), performance.now() - started, output);
    } catch (error) {
      output.complain(`reload failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  };
  const next = (): void => {
    last = last.then(again);
  };
  return watchFolder(folder, next, before);
}

function show({ problems, source, migrated }: Reloaded, ms: number, output: Output): void {
  if (problems.length > 0) output.complain(problemText({ problems, source }, output.colorErrors));
  if (migrated === null) {
    output.complain(`not reloaded: ${countProblems(problems)}; the pack is served as it was`);
    return;
  }
  const kept = `${counted(migrated.objects, 'object')} and ${counted(migrated.timers, 'timer')} kept`;
  output.print(`${output.styled('green', 'reloaded')} in ${Math.round(ms)} ms, ${kept}`);
  for (const what of migrated.dropped.slice(0, SHOWN)) output.print(`  dropped ${what}`);
  const more = migrated.dropped.length - SHOWN;
  if (more > 0) output.print(`  dropped ${counted(more, 'more thing')}`);
}
