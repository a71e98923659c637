/**
 * What `require` gives: the library is made of ES modules, which CommonJS cannot load at once everywhere, so that `createSandbox`
 * loads it when it is called. All else is behind `library()`.
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
