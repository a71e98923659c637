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

/** Pages that come first in their room, in this order; the others follow by name. */
const FIRST = {
  start: ['tour', 'javascript', 'typescript', 'python', 'ruby', 'php', 'go', 'java', 'dotnet', 'frameworks', 'vendor-cli', 'installing'],
  guides: ['README', 'in-tests', 'declined-renewal', 'decline-a-card', '3d-secure-in-playwright', 'webhooks', 'webhooks-out-of-order', 'time-travel', 'errors-and-timeouts', 'inspector', 'debug-a-response'],
  concepts: ['why-not-test-mode', 'which-tool', 'time', 'worlds', 'forks'],
  reference: ['command', 'control-api', 'errors'],
};

function inOrder(name, files) {
  const rank = (file) => {
    const at = (FIRST[name] ?? []).indexOf(file.replace(/\.md$/, ''));
    return at < 0 ? Infinity : at;
  };
  return files.sort((one, other) => rank(one) - rank(other) || one.localeCompare(other));
}

const item = (file) => ({ text: titleOf(file).replaceAll('`', ''), link: `/${file.replace(/(?:README)?\.md$/, '')}` });

function room(name) {
  const files = readdirSync(join(ROOT, 'docs', name)).filter((file) => file.endsWith('.md'));
  const parts = name === 'reference' ? PARTS.map((part) => `reference/${part}/README.md`) : [];
  return {
    text: name[0].toUpperCase() + name.slice(1),
    collapsed: name === 'internals',
    items: [...inOrder(name, files).map((file) => item(`${name}/${file}`)), ...parts.map(item)],
  };
}

/** Guides come first; generated pages about single resources, scenarios and the house's own papers last. */
function weightOf(id) {
  if (/\/(?:guides|start)\//.test(id)) return 3;
  if (/\/error-codes\/./.test(id)) return 1.5;
  return /\/payments\/|\/task-automation\/|\/billing\/|\/internals\/|\/project\//.test(id) ? 0.2 : 1;
}

/** A word as the search compares it: what people call a thing finds what pages call it. Runs in the browser: it uses nothing around it. */
function processTerm(term) {
  const synonyms = { '3ds': ['3ds', 'secure'], sca: ['sca', 'secure'], declined: ['decline'], declines: ['decline'], upgrading: ['upgrade'], upgrades: ['upgrade'], migrate: ['upgrade'], migrating: ['upgrade'], declining: ['decline'], threeds: ['secure'] };
  const word = term.toLowerCase();
  return Object.hasOwn(synonyms, word) ? synonyms[word] : word;
}

/** Blocks in a row that do the same in several ways are tabs; on a code host, which has no tabs, they stay blocks. */
function tabs(md) {
  md.core.ruler.push('tabs', ({ tokens, Token }) => {
    for (let at = 0; at < tokens.length; at++) {
      const names = namesOf(tokens, at);
      if (names.length < 2) continue;
      const part = (content) => Object.assign(new Token('html_block', '', 0), { content });
      const tab = (name, n) => {
        const id = `tab-${at}-${name}`;
        return `<input type="radio" name="tabs-${at}" id="${id}"${n === 0 ? ' checked' : ''}><label data-title="${name}" for="${id}">${name}</label>`;
      };
      tokens[at].info += ' active';
      tokens.splice(at + names.length, 0, part('</div></div>\n'));
      tokens.splice(at, 0, part(`<div class="vp-code-group vp-adaptive-theme"><div class="tabs">${names.map(tab).join('')}</div><div class="blocks">\n`));
      at += names.length + 1;
    }
  });
}

/** Names of the blocks from one on: of package managers, or of the command and the call it makes (http-tabs.mjs). */
function namesOf(tokens, at) {
  if (tokens[at].type === 'fence' && isHttp(tokens[at + 1])) return ['Command', 'HTTP'];
  const names = [];
  for (let name; (name = managerOf(tokens[at + names.length])) !== undefined; ) names.push(name);
  return names;
}

const isHttp = (token) => token?.type === 'fence' && / http$/.test(token.info);
const managerOf = (token) => (token?.type === 'fence' ? /^\$ (npm|pnpm|yarn|bun) /.exec(token.content)?.[1] : undefined);

export default defineConfig({
  // A copy: pages are compiled, and the packages that they need are in this folder.
  srcDir: './pages',
  outDir: './dist',
  cacheDir: './.cache',
  title: 'Vendor Sandbox',
  description: 'A local, stateful sandbox for testing code that calls vendor APIs',
  rewrites: { 'README.md': 'index.md', ':room/README.md': ':room/index.md', ':room/:pack/README.md': ':room/:pack/index.md' },
  ignoreDeadLinks: false,
  // Angle brackets and braces in the documents are text.
  markdown: { html: false, attrs: { disable: true }, config: tabs },
  themeConfig: {
    search: {
      provider: 'local',
      options: { miniSearch: { options: { processTerm }, searchOptions: { boostDocument: weightOf, boost: { title: 4, text: 1, titles: 2 } } } },
    },
    outline: [2, 3],
    nav: ROOMS.slice(0, 4).map((name) => ({ text: room(name).text, link: room(name).items[0].link })),
    sidebar: ROOMS.map(room),
  },
});
