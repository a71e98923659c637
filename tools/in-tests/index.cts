/**
 * The entry point for `require`: the library consists of ES modules, which CommonJS can't load synchronously everywhere, so `createSandbox` loads it
 * on the first call. `library()` returns everything else.
 */
import type { Sandbox, SandboxOptions } from '../../engine/index.js' with { 'resolution-mode': 'import' };
import { library } from './library.cjs';
import './traced.cjs';
import type { WordsOf } from './words.cjs';

export { ControlClient, ControlError } from '../../engine/control/client.cjs';
export { library } from './library.cjs';
export type { Words, WordsOf } from './words.cjs';
export type { Sandbox, SandboxOptions } from '../../engine/index.js' with { 'resolution-mode': 'import' };

/** Starts a sandbox. Rejects like the ES module's `createSandbox`. */
export async function createSandbox<const Pack extends string>(
  options: SandboxOptions<Pack>,
): Promise<Sandbox<WordsOf<Pack>>> {
  return (await library()).createSandbox(options);
}
