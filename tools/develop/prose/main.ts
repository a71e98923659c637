import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installation } from '../../command/installation.js';
import { idleExports } from './exports.js';
import { staleFigures } from './figures.js';
import { homonyms, wordsOfNames } from './names.js';
import { namesWithoutUnit } from './units.js';
import {
  type Find,
  wordsOfComments,
  wordsOfDescriptions,
  wordsOfMarkup,
  wordsOfPack,
  wordsOfPage,
  wordsOfTexts,
} from './words.js';

/**
 * Part of `npm run lint`: checks the words in documents, messages, `--help`, schema descriptions, comments and names against `banned.tsv`, which has
 * fewer rules for comments. Also checks that names of times and sizes contain their unit, that exported names are unique, and that each export is
 * imported somewhere.
 */

const ROOT = installation();

function filesIn(folder: string, end: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => end.test(name))
    .map((name) => `${folder}/${name}`);
}

function textOfFile(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...filesIn('docs', /\.md$/)];
const code = ['engine', 'tools']
  .flatMap((folder) => filesIn(folder, /\.c?tsx?$/))
  .filter((file) => !file.startsWith('tools/develop/prose/'));
/** Programs used only in the project itself, such as benchmarks: their reports aren't checked. */
const OWN = /^tools\/develop\/(?:bench|kills|mutants|simulate)\//;

/** Generated files, whose words aren't checked. */
const GENERATED = /^engine\/model\/files\.ts$|\/(?:client-types|packs)\.cts$/;

/** Browser code, whose names may repeat those of other code. */
const PROGRAMS = /^tools\/(?:browser|inspector\/page)\//;

const checks: readonly { readonly files: readonly string[]; readonly check: (text: string, file: string) => Find[] }[] =
  [
    { files: pages, check: wordsOfPage },
    { files: filesIn('schemas', /\.json$/), check: wordsOfDescriptions },
    { files: code.filter((file) => !OWN.test(file)), check: wordsOfTexts },
    { files: code.filter((file) => file.endsWith('.tsx')), check: wordsOfMarkup },
    { files: code.filter((file) => !GENERATED.test(file)), check: (text) => wordsOfComments(text) },
    { files: code.filter((file) => !GENERATED.test(file)), check: wordsOfNames },
    { files: code.filter((file) => !GENERATED.test(file)), check: namesWithoutUnit },
    { files: filesIn('packs', /\.yaml$/), check: (text) => wordsOfComments(text, true) },
    { files: filesIn('packs', /\.yaml$/), check: wordsOfPack },
  ];
/** Questions of an import have answers, so the word is allowed here. */
const ANSWERED =
  /^(?:tools\/openapi\/again\/|tools\/commands\/(?:authoring-options|import-openapi)\.ts$|docs\/guides\/importing\.md$|docs\/internals\/decisions\.md$|CHANGELOG\.md$)/;

let count = 0;
const report = (file: string, { line, found, say }: Find): void => {
  if (/answer/i.test(found) && ANSWERED.test(file)) return;
  count++;
  process.stdout.write(`${file}:${line}: '${found}': say ${say}\n`);
};
for (const { files, check } of checks)
  for (const file of files) for (const find of check(textOfFile(file), file)) report(file, find);
for (const find of homonyms(
  new Map(code.filter((file) => !PROGRAMS.test(file)).map((file) => [file, textOfFile(file)])),
))
  report(find.file, find);
const all = [...['engine', 'tools', 'test'].flatMap((folder) => filesIn(folder, /\.(?:c?tsx?)$/))];
for (const find of idleExports(new Map(all.map((file) => [file, textOfFile(file)])))) report(find.file, find);
/** Pages that must have a line `Measured at ...`; other pages with such a line are checked, too. */
const FIGURES = ['performance', 'recordings', 'recordings-code-hosting', 'clients', 'versions'].map(
  (name) => `docs/internals/${name}.md`,
);
const measured = pages.filter((file) => /^Measured at /m.test(textOfFile(file)));
for (const file of new Set([...FIGURES, ...measured])) {
  const { problems, unchecked } = staleFigures(file, ROOT);
  for (const commit of unchecked)
    process.stdout.write(`${file}: this clone lacks ${commit}, where figures were measured; not checked\n`);
  for (const problem of problems) {
    count++;
    process.stdout.write(`${file}: ${problem}\n`);
  }
}
if (count > 0) process.exitCode = 1;
