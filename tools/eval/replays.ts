import { createHash } from 'node:crypto';
import { type Bug, PackCache, replayBug, replayCompany, SecretsSealed } from '../../engine/index.js';
import { isOfCompany } from '../command/bug-file.js';
import type { ReadTask } from './read-tasks.js';

/** Repeats what runs left, and compares the bytes. Runs that left the same file are repeated once. */
export class Replays {
  readonly #known = new Map<string, Promise<boolean>>();
  /** Names of runs that came to other bytes. */
  readonly unlike: string[] = [];
  runs = 0;

  /** Files that differed. */
  get files(): number {
    return this.#known.size;
  }

  /** @param text the file of the run */
  async add(name: string, text: string, read: ReadTask): Promise<void> {
    const { run: _, ...bug } = JSON.parse(text) as Bug & { readonly run: object };
    const hash = createHash('sha256').update(JSON.stringify(bug)).digest('hex');
    const isSame = this.#known.get(hash) ?? isRepeated(bug, read);
    this.#known.set(hash, isSame);
    this.runs++;
    if (!(await isSame)) this.unlike.push(name);
  }
}

async function isRepeated(bug: Bug, { packs: [pack] }: ReadTask): Promise<boolean> {
  const cache = PackCache.ofInstallation();
  try {
    return await comesToTheSame(bug, pack, cache);
  } catch (error) {
    // What an agent gave as a secret is in no file: such a run cannot be compared.
    if (error instanceof SecretsSealed) return true;
    throw error;
  }
}

async function comesToTheSame(bug: Bug, pack: string, cache: PackCache): Promise<boolean> {
  if (isOfCompany(bug)) {
    const { company, unlike } = await replayCompany(bug, { cache });
    await company.close(0);
    return !unlike;
  }
  const { sandbox, unlike } = await replayBug(bug, { pack, cache });
  await sandbox.close(0);
  return !unlike;
}
