import type * as Library from '../../engine/index.js' with { 'resolution-mode': 'import' };

/** The library, which is made of ES modules. Loaded once in a process, when it is first asked for. */
export function importLibrary(): Promise<typeof Library> {
  return import('../../engine/index.js');
}
