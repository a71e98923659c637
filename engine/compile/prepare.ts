import { loadSynthesis } from '../expression/index.js';
import type { Program } from '../program/index.js';

/** Loads what a pack's expressions need and cannot load by themselves. Comes before its first command. */
export async function preparePack(program: Program): Promise<void> {
  if (program.synthesizes()) await loadSynthesis();
}
