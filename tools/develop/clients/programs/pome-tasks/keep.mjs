/** A check that always passes and saves the final state of the world. */
import { writeFileSync } from 'node:fs';
import { stateOf } from './states.mjs';

writeFileSync('final.json', JSON.stringify(await stateOf(process.env)));
console.log('{"score": 1}');
