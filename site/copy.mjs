import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeErrorCodes } from './error-codes.mjs';
import { withHttp } from './http-tabs.mjs';

/** Copies the documents to where the site is built from, and the files beside them that they lead to, as pages below /project. */

const site = dirname(fileURLToPath(import.meta.url));
const root = join(site, '..');
const pages = join(site, 'pages');
const BESIDE = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

rmSync(pages, { recursive: true, force: true });
cpSync(join(root, 'docs'), pages, { recursive: true });

// Links out of docs/ lead to the copies.
for (const file of readdirSync(pages, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.md')) continue;
  const folder = dirname(file);
  const text = readFileSync(join(pages, file), 'utf8');
  const led = text.replace(/\]\(((?:\.\.\/)+)((\w+\.md)[^)\s]*)\)/g, (link, up, target, name) =>
    BESIDE.includes(name) && join(folder, up).startsWith('..') ? `](${relative(folder, 'project')}/${target})` : link,
  );
  if (led !== text) writeFileSync(join(pages, file), led);
}

mkdirSync(join(pages, 'project'));
for (const name of BESIDE) {
  const text = readFileSync(join(root, name), 'utf8');
  writeFileSync(join(pages, 'project', name), text.replaceAll('](docs/', '](../'));
}

// Commands that make one call of the control API, and the same call over HTTP.
const { CONTROL_COMMANDS } = await import('../dist/tools/control/commands/index.js');
const names = new Set(CONTROL_COMMANDS.map(({ name }) => name));
for (const room of ['start', 'guides', 'concepts'])
  for (const file of readdirSync(join(pages, room))) {
    const text = readFileSync(join(pages, room, file), 'utf8');
    const told = await withHttp(text, root, names);
    if (told !== text) writeFileSync(join(pages, room, file), told);
  }

// The home of the site; the index of the documents becomes /docs.
cpSync(join(pages, 'README.md'), join(pages, 'docs.md'));
cpSync(join(site, 'home.md'), join(pages, 'README.md'));
mkdirSync(join(pages, 'public'));
cpSync(join(root, 'docs', 'pictures', 'timeline.png'), join(pages, 'public', 'timeline.png'));

writeErrorCodes(root, site, pages);
