import type * as Library from '../../engine/index.js' with { 'resolution-mode': 'import' };

/** Imports the library, which consists of ES modules. Loads it once per process, on first use. */
export function importLibrary(): Promise<typeof Library> {
  return import('../../engine/index.js');
}
