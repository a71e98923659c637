import { loadPack } from '../../engine/index.js';
import type { Program } from '../../engine/program/index.js';
import type { Problem } from '../../engine/pack/index.js';
import { EngineWorld } from './engine-world.js';
import { packFolder, type PackFiles } from './sample-pack.js';

/** Writes the minimal pack with these files to a folder, and loads it. */
export function inspect(files: PackFiles): {
  readonly pack: Program | null;
  readonly problems: readonly Problem[];
} {
  return loadPack(packFolder(files));
}

/** Loads a pack with these files, and returns its problems as `code file:line message`. */
export function problemsOf(files: PackFiles): string[] {
  return inspect(files).problems.map(({ code, file, line, message }) => `${code} ${file}:${line} ${message}`);
}

/** A world of a small pack that a test declares. @throws Error if the pack has problems */
export class PackWorld extends EngineWorld {
  constructor(files: PackFiles, seed = 'bakery', errors = '') {
    const { pack, problems } = loadPack(packFolder(files, errors));
    if (!pack || problems.length > 0) throw new Error(JSON.stringify(problems, null, 2));
    super(pack, { seed, t0: Date.UTC(2026, 0, 1) });
  }
}
