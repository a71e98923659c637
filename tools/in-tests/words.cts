/** Types of packs' names, including those of the bundled packs. */
import './packs.cjs';

export type { Packs, Words, WordsOf } from '../../engine/control/words.cjs';
