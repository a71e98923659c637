import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { generatedPages } from '../../tools/develop/generate/doc-pages.js';
import { ROOT } from '../support/root.js';

/** Links of all documents: each leads to a file that is there and, with `#`, to a heading of it. */

const generated = await generatedPages();
const tracked = execFileSync('git', ['ls-files', '*.md', 'docs/*.txt'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n');
const written = tracked.filter((file) => /^[A-Z]+\.md$|^docs\//.test(file) && !generated.has(file));
const documents = [...written, ...generated.keys()];

const texts = new Map(generated);
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
    if (!generated.has(target) && !existsSync(join(ROOT, target))) dead.push(`${link}: no such file`);
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

test('llms.txt has the rooms of the contents', () => {
  const contents = textOf('docs/README.md');
  expect(textOf('docs/llms.txt')).toContain(contents.slice(contents.indexOf('## Start')).trim());
});

describe('generated pages', () => {
  const linked = new Set(
    written.flatMap((file) =>
      [...textOf(file).matchAll(/\]\(([^)\s#:]+\.md)(?:#[^)\s]+)?\)/g)].map(([, path]) =>
        normalize(join(dirname(file), path)),
      ),
    ),
  );

  test('are in git where a hand-written page links to them, and nowhere else', () => {
    const kept = tracked.filter((file) => generated.has(file));
    expect(kept.sort()).toEqual([...generated.keys()].filter((file) => linked.has(file)).sort());
  });

  test.each(tracked.filter((file) => generated.has(file)))('%s is what its generator writes (npm run docs)', (file) => {
    expect(readFileSync(join(ROOT, file), 'utf8')).toBe(generated.get(file));
  });
});
