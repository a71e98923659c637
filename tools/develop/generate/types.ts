/** `npm run types:pack`: writes the generated sources; with `--check` it names those that say something else, and ends with 1. */
import { readFileSync, writeFileSync } from 'node:fs';
import { generatedSources } from './generated.js';

const isCheck = process.argv.includes('--check');
for (const [path, text] of await generatedSources())
  if (!isCheck) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.log(`${path} is out of date; run npm run types:pack`);
    process.exitCode = 1;
  }
