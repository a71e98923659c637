import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { loadPack } from '../../engine/index.js';
import { type FileKind, FOLDERS, readPack, SINGLE_FILES } from '../../engine/pack/index.js';
import { formatYaml } from '../../tools/format/format.js';
import { newPack } from '../../tools/templates/new-pack.js';
import { shorten } from '../../tools/format/short/index.js';
import { ROOT } from '../support/root.js';
import { sampleOf } from '../support/sample.js';

const files = ['payments', 'task-automation', 'code-hosting'].flatMap((pack) => {
  const folder = join(ROOT, 'packs', pack);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => [`${pack}/${name}`, readFileSync(join(folder, name), 'utf8')] as const);
});

/** What a file says, whatever its form; some use an anchor more than a hundred times. */
const meaning = (text: string): unknown => parse(text, { uniqueKeys: false, logLevel: 'silent', maxAliasCount: -1 });

test('spaces, ends of lines and blank lines; comments, quotes and line breaks stay', () => {
  expect(
    formatYaml(
      '# top\r\na: {b: 1,c:  [ x,  "y" ] }   \n\n\n\nlist:\n  - { a: 1 }    # beside\ntext: |\n  kept   \n\n\n  too\nlong: { a: 1,\n  b: 2 }\n\n',
    ),
  ).toBe(
    '# top\na: { b: 1, c: [x, "y"] }\n\nlist:\n  - { a: 1 }    # beside\ntext: |\n  kept   \n\n\n  too\nlong: { a: 1,\n  b: 2 }\n',
  );
  expect(formatYaml('a: [1\n')).toBeUndefined();
});

test('files of all packs mean the same afterwards, and formatting again changes nothing', () => {
  for (const [name, text] of sampleOf(files, 8)) {
    const made = formatYaml(text);
    expect([name, made === undefined]).toEqual([name, false]);
    expect([name, formatYaml(made ?? '')]).toEqual([name, made]);
  }
});

test('whatever spaces are put into a pack, the same file comes out as of the pack itself', () => {
  const small = files.filter(([, text]) => text.length < 4000);
  fc.assert(
    fc.property(fc.nat(small.length - 1), fc.nat(), (at, salt) => {
      const [, text] = small[at];
      const spoiled = text
        .split('\n')
        .map((line, index) => ((index + salt) % 3 === 0 && !/[|>]|^\s*$|^\s*[^:]*$/.test(line) ? `${line}  ` : line))
        .join('\n');
      const made = formatYaml(spoiled);
      expect(made).toBeDefined();
      expect(meaning(made ?? '')).toEqual(meaning(spoiled));
      expect(formatYaml(made ?? '')).toBe(made);
    }),
    { numRuns: 40 },
  );
});

/** Comments of a YAML text, in order: what `#` begins outside of texts, as far as lines tell it. */
const comments = (text: string): string[] => text.match(/(?:^|\s)# .*$/gm)?.map((each) => each.trim()) ?? [];

/** The same file as somebody in a hurry leaves it, apart from texts of several lines. */
const spoiled = (text: string): string =>
  /[:-] [|>]-?$/m.test(text)
    ? text.replaceAll('\n', '\r\n')
    : text.replace(/^(\s*(?:- )?\w[\w.]*: )\{ (.*)$/gm, '$1  {$2   ').replaceAll('\n', '\r\n');

test('packs that come with the sandbox are in shape, and what was spoiled is theirs again', () => {
  for (const [name, text] of sampleOf(files, 25)) {
    expect([name, formatYaml(text)]).toEqual([name, text]);
    const made = formatYaml(spoiled(text)) ?? '';
    expect([name, comments(made)]).toEqual([name, comments(text)]);
    expect([name, meaning(made)]).toEqual([name, meaning(text)]);
  }
});

test('a pack that was spoiled and brought into shape compiles to the same program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fmt-'));
  try {
    const own = join(ROOT, 'packs', 'task-automation');
    cpSync(own, folder, { recursive: true });
    for (const [name, text] of files.filter(([each]) => each.startsWith('task-automation/')))
      writeFileSync(join(folder, name.slice('task-automation/'.length)), formatYaml(spoiled(text)) ?? '');
    const [before, after] = [loadPack(own), loadPack(folder)];
    expect([before.problems, after.problems]).toEqual([[], []]);
    expect(after.source.files.map(({ path, data }) => [path, data])).toEqual(
      before.source.files.map(({ path, data }) => [path, data]),
    );
    const compiled = ({ pack }: typeof before): unknown => [
      pack?.operations.map(({ key, routes, params }) => [key, routes, [...params().keys()]]),
      pack?.model.resources.map(({ name, type }) => [name, [...type.fields.keys()]]),
      [...(pack?.causes.keys() ?? [])],
      pack?.eventTypes,
    ];
    expect(compiled(after)).toEqual(compiled(before));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const kinds = new Map(readPackFiles().map(({ path, kind }) => [path, kind]));

function readPackFiles() {
  return ['payments', 'task-automation', 'code-hosting'].flatMap((pack) =>
    readPack(join(ROOT, 'packs', pack)).source.files.map((file) => ({
      path: `${pack}/${file.path}`,
      kind: file.kind,
      data: file.data,
    })),
  );
}

describe('short forms', () => {
  test.each<[string, FileKind, string, string]>([
    [
      'expressions and names; comments, quotes that are needed and texts stay',
      'flow',
      `do:\n  - run: pay    # now\n    with:\n      intent: "\${intent}"\n      name: "\${a.b}"\n  - fail: no\n    with:\n      a: "\${a}"\n      b: '\${max(a, b)}'\n      c: "x \${a}"\n  - return: "\${has(a.b) ? 1 : 2}"\n`,
      `do:\n  - run: pay    # now\n    with: { intent, name: =a.b }\n  - { fail: no, with: { a, b: "=max(a, b)", c: "x \${a}" } }\n  - { return: "=has(a.b) ? 1 : 2" }\n`,
    ],
    [
      'parameters',
      'resource',
      'fields: { note: string?, size: integer }\noperations:\n  create:\n    params:\n      note: { type: string, required: true }\n      size: { type: integer, min: 1, required: true }\n      kind: string\n  update: { params: { size: { type: integer, min: 1 } } }\n',
      'fields: { note: string?, size: integer }\nparams:\n  size: { type: integer, min: 1 }\n\noperations:\n  create:\n    params: { note!, size!, kind: string }\n  update: { params: { size } }\n',
    ],
    [
      'errors that have little in common',
      'errors',
      'errors:\n  a: { status: 400, body: { x: 1 } }\n  b: { status: 401, args: { k: string }, body: { y: 2 } }\n',
      'errors:\n  a: { status: 400, body: { x: 1 } }\n  b: { status: 401, args: [k], body: { y: 2 } }\n',
    ],
    ['calls of examples', 'example', 'calls: [{ json: { id: "${id}" } }]\n', 'calls: [{ json: { id: "${id}" } }]\n'],
  ])('%s', (_name, kind, text, expected) => {
    expect(shorten(kind, text)).toBe(expected);
    expect(shorten(kind, expected)).toBe(expected);
  });

  test('errors take what most of them have', () => {
    const error = (at: number): string =>
      `  e${at}: { status: ${at === 1 ? 404 : 400}, body: { type: invalid, code: e${at}, message: Text ${at} } }\n`;
    const text = `errors:\n${[1, 2, 3, 4, 5, 6].map(error).join('')}  own: { status: 500, empty: true }\n`;
    expect(shorten('errors', text)).toBe(
      `defaults:\n  status: 400\n  body: { type: invalid, code: null, message: null }\n\nerrors:\n  e1: { status: 404, code: e1, message: Text 1 }\n${[2, 3, 4, 5, 6].map((at) => `  e${at}: { code: e${at}, message: Text ${at} }\n`).join('')}  own: { status: 500, empty: true }\n`,
    );
  });

  test('a text that is no YAML, or whose short form would be something else, is left', () => {
    expect(shorten('flow', 'do: [\n')).toBeUndefined();
  });

  test('templates and the cookbook are in them already', () => {
    const cookbook = readFileSync(join(ROOT, 'docs', 'guides', 'cookbook.md'), 'utf8');
    const blocks = [...cookbook.matchAll(/^```yaml\n(# (\S+\.yaml)\n[\s\S]*?)^```/gm)].map(([, text, name]) => ({
      name,
      text,
    }));
    const templates = Object.entries(newPack('shop')).map(([name, text]) => ({ name, text }));
    const shortened = [...templates, ...blocks].flatMap(({ name, text }) => {
      const kind = SINGLE_FILES[name] ?? FOLDERS[name.split('/')[0]];
      return !name.endsWith('.yaml') ? [] : [[name, text, shorten(kind, text)] as const];
    });
    expect(shortened.length).toBeGreaterThan(80);
    for (const [name, text, short] of shortened) expect([name, short]).toEqual([name, text]);
  });

  test('files of all packs are in them already, and written out they come back to the same program', () => {
    for (const [name, text] of files) {
      const kind = kinds.get(name);
      if (kind !== undefined) expect([name, shorten(kind, text)]).toEqual([name, text]);
    }
    for (const { path, kind, data } of sampleOf(readPackFiles(), 60)) {
      const made = shorten(kind, stringify(data, { lineWidth: 0, aliasDuplicateObjects: false }));
      expect([path, typeof made]).toEqual([path, 'string']);
    }
  });
});
