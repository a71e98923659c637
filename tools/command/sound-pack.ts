import { loadPack } from '../../engine/index.js';
import type { CompiledPack } from '../../engine/compile/index.js';
import { findPack } from './installation.js';
import type { Output } from './output.js';
import { rejection } from './problems.js';

/** Loads a pack by its folder or name. @throws Failure if there is none or it has errors */
export async function soundPack(given: string, output: Output, debug = false): Promise<CompiledPack> {
  const { pack, problems, source } = loadPack(await findPack(given), { debug });
  if (pack) return pack;
  throw rejection({ problems: problems.filter(({ severity }) => severity === 'error'), source }, output.colorErrors);
}
