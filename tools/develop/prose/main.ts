import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installation } from '../../command/installation.js';
import { staleFigures } from './figures.js';
import { wordsOfNames } from './names.js';
import { type Find, wordsOfComments, wordsOfDescriptions, wordsOfPage, wordsOfTexts } from './words.js';

/**
 * `npm run lint` checks the words of all documents, of messages and `--help`, of the schemas' descriptions, of comments and of
 * declared names with it. What people read who change the sandbox (docs/internals, comments) has the shorter list.
 */

const ROOT = installation();

function filesIn(folder: string, end: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => end.test(name))
    .map((name) => `${folder}/${name}`);
}

const pages = ['README.md', 'CONTRIBUTING.md', ...filesIn('docs', /\.md$/)];
const code = ['engine', 'tools']
  .flatMap((folder) => filesIn(folder, /\.c?tsx?$/))
  .filter((file) => !file.startsWith('tools/develop/prose/'));
/** Programs of the project itself, such as measurements: their reports are for nobody else. */
const OWN = /^tools\/develop\/(?:bench|kills|mutants|simulate)\//;

/** Names that are written elsewhere, or in programs that only develop. */
const OWN_NAMES = /^tools\/develop\/|^tools\/inspector\/page\/types\.ts$|\/(?:files\.ts|client-types\.cts)$/;

const checks: readonly { readonly files: readonly string[]; readonly check: (text: string, file: string) => Find[] }[] =
  [
    { files: pages, check: (text, file) => wordsOfPage(text, file.startsWith('docs/internals/')) },
    { files: filesIn('schemas', /\.json$/), check: wordsOfDescriptions },
    { files: code.filter((file) => !OWN.test(file)), check: wordsOfTexts },
    { files: code, check: (text) => wordsOfComments(text) },
    { files: code.filter((file) => !OWN_NAMES.test(file)), check: wordsOfNames },
    { files: filesIn('packs', /\.yaml$/), check: (text) => wordsOfComments(text, true) },
  ];
let count = 0;
for (const { files, check } of checks)
  for (const file of files)
    for (const { line, found, say } of check(readFileSync(join(ROOT, file), 'utf8'), file)) {
      count++;
      process.stdout.write(`${file}:${line}: '${found}': say ${say}\n`);
    }
/** Pages of figures. */
const FIGURES = ['performance', 'recordings', 'clients', 'versions'].map((name) => `docs/internals/${name}.md`);
for (const file of FIGURES) {
  const stale = staleFigures(readFileSync(join(ROOT, file), 'utf8'), ROOT);
  if (stale === 'skipped')
    process.stdout.write(`${file}: the commit of its figures is not in this clone; not checked\n`);
  else if (stale !== null) {
    count++;
    process.stdout.write(`${file}: ${stale.problem}\n`);
  }
}
if (count > 0) process.exitCode = 1;
