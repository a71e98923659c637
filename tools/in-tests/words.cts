/** Names of packs as types, with those of the packs that come with the sandbox. */
import './packs.cjs';

export type { Packs, Words, WordsOf } from '../../engine/control/words.cjs';
