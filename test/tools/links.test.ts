import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { RULE_KINDS } from '../../engine/model/index.js';
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

describe('the lists of CONTRIBUTING.md', () => {
  const guide = textOf('CONTRIBUTING.md');
  const lists = new Map(
    guide
      .split(/^## /m)
      .filter((part) => part.startsWith('Add a '))
      .map((part) => [part.slice(0, part.indexOf('\n')), part]),
  );
  const source = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
  const filesIn = (folder: string): string[] => readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.ts'));
  /** Quoted words behind a beginning, up to an end. */
  const words = (text: string, begin: string, end: string, word: RegExp): string[] => {
    const from = text.indexOf(begin);
    expect(from).toBeGreaterThan(-1);
    const found = [...text.slice(from, text.indexOf(end, from)).matchAll(word)].map(([, each]) => each);
    expect(found.length).toBeGreaterThan(2);
    return found;
  };

  test('are those that a newcomer needs', () => {
    expect([...lists.keys()]).toEqual([
      'Add a kind of step',
      'Add a rule of schemas',
      'Add a rule between parameters',
      'Add a key to pack.yaml',
      'Add a function to expressions',
      'Add a command',
      'Add a vendor',
      'Add a control call',
      'Add a transport',
      'Add a screen to the inspector',
      'Add a store',
    ]);
  });

  test.each([...lists])('%s: the files that it names exist', (_title, text) => {
    const paths = [...text.matchAll(/`((?:engine|tools|schemas|docs|test)\/[^`\s<>*]+)`/g)].map(([, path]) => path);
    if (!text.includes('init-pack')) expect(paths.length).toBeGreaterThan(3);
    expect(
      paths.filter((path) => !existsSync(join(ROOT, path)) && path !== 'schemas/control-plane.openapi.json'),
    ).toEqual([]);
  });

  test('a rule of schemas is in every file that its list names', () => {
    const rules = words(source('engine/model/parse-rules.ts'), 'const RULES', ']', /'(\w+)'/g);
    const without = (file: string): string[] =>
      rules.filter((rule) => !source(file).includes(rule)).map((rule) => `${rule}: ${file}`);
    const everywhere = ['schemas/definitions.schema.yaml', 'engine/model/schema.ts', 'docs/reference/pack-language.md'];
    expect(everywhere.flatMap(without)).toEqual([]);
  });

  test('a rule between parameters has a key in the schemas and a row on its page', () => {
    const [, rule] = source('schemas/definitions.schema.yaml').split('\n  rule:\n');
    const required = words(rule, '    anyOf:', '    dependencies:', /required: \[(\w+)/g);
    expect(required).toEqual([...RULE_KINDS]);
    const page = textOf('docs/reference/rules.md');
    expect(RULE_KINDS.filter((kind) => !page.includes(`\n| \`${kind}: `))).toEqual([]);
  });

  test('each file of control calls is in the table of all', () => {
    const all = source('engine/control/routes/index.ts');
    const files = filesIn('engine/control/routes').filter((name) => name !== 'index.ts');
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((name) => !all.includes(`./${name.replace(/ts$/, 'js')}'`))).toEqual([]);
  });

  test('each kind of transport is in the schemas, compiled, made and described', () => {
    const kinds = words(source('engine/program/delivery.ts'), 'type TransportPlan', ';\n\n', /kind: '(\w+)'/g);
    const schema = source('schemas/pack.schema.yaml');
    const keys = [...(/anyOf: (\[\{ required: \[url\].*\])/.exec(schema)?.[1] ?? '').matchAll(/\[(\w+)\]/g)].map(
      ([, key]) => key,
    );
    expect(keys.map((key) => (key === 'url' ? 'http' : key)).sort()).toEqual([...kinds].sort());
    const made = source('engine/delivery/transports.ts');
    const compiled = source('engine/compile/delivery/plan.ts');
    expect(kinds.filter((kind) => !made.includes(`case '${kind}'`) || !compiled.includes(`kind: '${kind}'`))).toEqual(
      [],
    );
    const delivery = textOf('docs/reference/pack-language.md');
    expect(keys.filter((key) => !delivery.includes(`\`${key}\``))).toEqual([]);
  });

  test('each screen of the inspector has a file, a case, an icon and a place in the guide', () => {
    const shell = source('tools/inspector/page/shell.tsx');
    const names = words(shell, 'const SCREENS', 'as const', /name: '(\w+)'/g);
    const icons = source('tools/inspector/page/icons.tsx');
    const inspector = textOf('docs/guides/inspector.md').toLowerCase();
    const lacks = (name: string): boolean =>
      !existsSync(join(ROOT, 'tools/inspector/page/screens', `${name}.tsx`)) ||
      !(shell.includes(`case '${name}'`) || shell.includes(`screen === '${name}'`)) ||
      !new RegExp(`^  ${name}:`, 'm').test(icons) ||
      !inspector.includes(name);
    expect(names.filter(lacks)).toEqual([]);
  });

  test('each store is exported and runs the tests of all stores', () => {
    const classes = filesIn('engine/store').flatMap((name) =>
      [...source(`engine/store/${name}`).matchAll(/class (\w+) implements Store\b/g)].map(([, each]) => each),
    );
    expect(classes.length).toBeGreaterThan(1);
    const exported = source('engine/store/index.ts');
    expect(classes.filter((name) => !exported.includes(name))).toEqual([]);
    expect(
      words(source('test/processes/postgres/every-store.test.ts'), 'const STORES', '];', /'([\w ]+)',\s*\(\) =>/g),
      // The store in memory is a class of the tests.
    ).toHaveLength(classes.length + 1);
  });
});
