import { loadSynthesis } from '../expression/index.js';
import type { Program } from '../program/index.js';

/** Loads what a pack's expressions need and cannot load by themselves. Comes before its first command. */
export async function preparePack({ model }: Program): Promise<void> {
  if (model.source.files.some(({ text }) => /\bsynthesize\s*\(/.test(text))) await loadSynthesis();
}
