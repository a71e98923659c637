/** `npm run types:pack`: writes the generated sources; with `--check` it prints those that are outdated and exits with 1. */
import { readFileSync, writeFileSync } from 'node:fs';
import { generatedSources } from './generated.js';

const isCheck = process.argv.includes('--check');
for (const [path, text] of await generatedSources())
  if (!isCheck) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.log(`${path} is out of date; run npm run types:pack`);
    process.exitCode = 1;
  }
