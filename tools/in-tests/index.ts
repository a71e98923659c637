/** What `import` gives: the library, whose types have the names of the packs that come with the sandbox. */
import './words.cjs';

export * from '../../engine/index.js';
