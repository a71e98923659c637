import { createHash } from 'node:crypto';
import { type Bug, PackCache, replayBug, replayCompany } from '../../engine/index.js';
import { isOfCompany } from '../command/bug-file.js';
import type { ReadTask } from './read-tasks.js';

/** Replays the files of runs, and compares the bytes. Equal files are replayed once. */
export class Replays {
  readonly #known = new Map<string, Promise<boolean>>();
  /** Names of runs whose replay differs. */
  readonly unlike: string[] = [];
  runs = 0;

  /** Number of different run files that were replayed. */
  get files(): number {
    return this.#known.size;
  }

  /**
   * Replays the file of a run.
   * @param text content of the file
   * @param key key of the run's world, which encrypted the agent's secrets
   */
  async add(name: string, text: string, read: ReadTask, key: string): Promise<void> {
    const { run: _, ...bug } = JSON.parse(text) as Bug & { readonly run: object };
    const hash = createHash('sha256').update(JSON.stringify(bug)).digest('hex');
    const isSame = this.#known.get(hash) ?? isRepeated(bug, read, key);
    this.#known.set(hash, isSame);
    this.runs++;
    if (!(await isSame)) this.unlike.push(name);
  }
}

async function isRepeated(bug: Bug, { packs: [pack] }: ReadTask, key: string): Promise<boolean> {
  const cache = PackCache.ofInstallation();
  if (isOfCompany(bug)) {
    const { company, unlike } = await replayCompany(bug, { cache, key });
    await company.close(0);
    return !unlike;
  }
  const { sandbox, unlike } = await replayBug(bug, { pack, cache, key });
  await sandbox.close(0);
  return !unlike;
}
