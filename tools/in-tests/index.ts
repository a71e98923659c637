/** The entry point for `import`: the library, with types for the names of the bundled packs. */
import './words.cjs';

export * from '../../engine/index.js';
