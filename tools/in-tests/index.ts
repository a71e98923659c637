/** The entry point for `import`: the library, with types for the names of the bundled packs. */
import './traced.cjs';
import './words.cjs';

export * from '../../engine/index.js';
