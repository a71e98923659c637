import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installation } from '../installation.js';
import { wordsOfHelp, wordsOfPage } from './words.js';

/**
 * `npm run lint` checks the words of the documents and of `--help` with it. Pages for those who change the sandbox (internals), pages that
 * are made from packs and schemas, and the language's own page are not checked.
 */

const ROOT = installation();
const ROOMS = ['docs/start', 'docs/guides', 'docs/concepts', 'docs/skill'];
const PAGES = ['README.md', 'CONTRIBUTING.md', 'docs/README.md'];
const REFERENCE = ['command', 'control-api', 'errors', 'limits'].map((name) => `docs/reference/${name}.md`);
const HELP = [
  'tools/program.ts',
  'tools/options.ts',
  'tools/control/attach.ts',
  ...filesIn('tools/control/commands', '.ts'),
];

function filesIn(folder: string, end: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name}`);
}

const pages = [...PAGES, ...REFERENCE, ...ROOMS.flatMap((room) => filesIn(room, '.md'))];
const checks = [
  ...pages.map((file) => ({ file, check: wordsOfPage })),
  ...HELP.map((file) => ({ file, check: wordsOfHelp })),
];
let count = 0;
for (const { file, check } of checks)
  for (const { line, found, say } of check(readFileSync(join(ROOT, file), 'utf8'))) {
    count++;
    process.stdout.write(`${file}:${line}: '${found}': say ${say}\n`);
  }
if (count > 0) process.exitCode = 1;
