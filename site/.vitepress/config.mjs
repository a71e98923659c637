import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

/** The documents of the repository as a site: the same Markdown, with a search of its own. A dead link fails the build. */

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const ROOMS = ['start', 'guides', 'concepts', 'reference', 'internals'];
/** Folders of the reference with an index of their own. */
const PARTS = ['payments', 'billing', 'task-automation'];

const titleOf = (file) => /^# (.+)$/m.exec(readFileSync(join(ROOT, 'docs', file), 'utf8'))?.[1] ?? basename(file, '.md');

const item = (file) => ({ text: titleOf(file).replaceAll('`', ''), link: `/${file.replace(/(?:README)?\.md$/, '')}` });

function room(name) {
  const files = readdirSync(join(ROOT, 'docs', name)).filter((file) => file.endsWith('.md'));
  const parts = name === 'reference' ? PARTS.map((part) => `reference/${part}/README.md`) : [];
  return {
    text: name[0].toUpperCase() + name.slice(1),
    collapsed: name === 'internals',
    items: [...files.sort().map((file) => item(`${name}/${file}`)), ...parts.map(item)],
  };
}

export default defineConfig({
  // A copy: pages are compiled, and the packages that they need are in this folder.
  srcDir: './pages',
  outDir: './dist',
  cacheDir: './.cache',
  title: 'Vendor sandbox',
  description: 'A local, stateful sandbox for testing code that calls vendor APIs',
  rewrites: { 'README.md': 'index.md', ':room/README.md': ':room/index.md', ':room/:pack/README.md': ':room/:pack/index.md' },
  ignoreDeadLinks: false,
  // Angle brackets and braces in the documents are text.
  markdown: { html: false, attrs: { disable: true } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: ROOMS.slice(0, 4).map((name) => ({ text: room(name).text, link: room(name).items[0].link })),
    sidebar: ROOMS.map(room),
  },
});
