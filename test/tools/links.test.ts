import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ROOT } from './command.js';

/** Links of all documents: each leads to a file that is there and, with `#`, to a heading of it. */

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(md|txt)$/.test(path))
    .map((path) => join('docs', path)),
];

const texts = new Map<string, string>();
function textOf(path: string): string {
  const known = texts.get(path) ?? readFileSync(join(ROOT, path), 'utf8');
  texts.set(path, known);
  return known;
}

/** Anchors of a page's headings, as GitHub and VitePress make them for plain headings. */
const anchors = new Map<string, ReadonlySet<string>>();
function anchorsOf(path: string): ReadonlySet<string> {
  const known = anchors.get(path);
  if (known !== undefined) return known;
  const found = new Set<string>();
  for (const [, title] of withoutBlocks(textOf(path)).matchAll(/^#+ (.+)$/gm)) {
    const slug = title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let count = 1; found.has(anchor); count += 1) anchor = `${slug}-${count}`;
    found.add(anchor);
  }
  anchors.set(path, found);
  return found;
}

function withoutBlocks(text: string): string {
  return text.replace(/^```[^]*?^```$/gm, '');
}

function deadLinks(file: string): string[] {
  const dead: string[] = [];
  for (const [, link, path, anchor] of withoutBlocks(textOf(file)).matchAll(/\]\((([^)\s#]*)(?:#([^)\s]+))?)\)/g)) {
    if (/^[a-z]+:/.test(link)) continue;
    const target = path === '' ? file : normalize(join(dirname(file), path));
    if (!existsSync(join(ROOT, target))) dead.push(`${link}: no such file`);
    else if (anchor !== undefined && !anchorsOf(target).has(anchor)) dead.push(`${link}: no such heading`);
  }
  return dead;
}

test.each(documents)('%s has no dead links', (file) => expect(deadLinks(file)).toEqual([]));

test('every page can be reached from the README', () => {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, path] of textOf(file).matchAll(/\]\(([^)\s#:]+\.md)(?:#[^)\s]+)?\)/g))
      visit(normalize(join(dirname(file), path)));
  };
  visit('README.md');
  expect(documents.filter((file) => file.startsWith('docs/') && file.endsWith('.md') && !seen.has(file))).toEqual([]);
});
