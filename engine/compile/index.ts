/** Compiles packs to programs, and checks them: a check compiles all of a pack and then looks at the whole. */
export { checkPack } from './check/index.js';
export { checkTask } from './check/tasks.js';
export { reportUndescribed } from './check/described.js';
export { withoutEchoes } from './check/echoes.js';
export { type CompiledPack, compilePack } from './pack.js';
export { type LoadedPack, type LoadOptions, loadPack, loadSource, keepForRelease } from './load.js';
