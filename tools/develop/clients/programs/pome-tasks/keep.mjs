/** A check that always holds: keeps what the world has in the end. */
import { writeFileSync } from 'node:fs';
import { stateOf } from './states.mjs';

writeFileSync('final.json', JSON.stringify(await stateOf(process.env)));
console.log('{"score": 1}');
