import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

/**
 * The folders of the engine from top to bottom, '' for the files beside them; those of one layer do not know each other.
 * `compile` and `runtime` meet in the types of `program` only.
 */
const LAYERS = [
  [''],
  ['company'],
  ['hosting'],
  ['graphql'],
  ['mcp'],
  ['api', 'control', 'delivery'],
  ['http'],
  ['compile', 'runtime'],
  ['program'],
  ['model', 'store'],
  ['machine', 'world'],
  ['expression', 'pack'],
  ['codecs'],
  ['values'],
];

/** Files at the top that every folder may use. */
const SHARED = new Set(['codes.js', 'limits.js']);

/** Files that are loaded alone, past the face of their folder: by a thread, or by CommonJS. */
const ALONE = new Set([
  'runtime/activity.js',
  'store/thread-file.js',
  'control/client.cjs',
  'control/send.cjs',
  'control/words.cjs',
]);

const VENDOR_WORDS =
  /stripe|payment_?intent|task_?run|invoice|subscription_|subscriptions?_item|customer|\bcharges?\b|\bcards?\b|refund/i;

interface Import {
  readonly file: string;
  /** Folder of the importing file; '' at the top. */
  readonly from: string;
  /** Path of what is imported, below engine/. */
  readonly to: string;
}

const files = sources('engine');
const imports = files.flatMap((file) => importsOf(file));

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(path) ? [path] : [];
  });
}

/** Imports of a file that lead to other files of the project; `values`: without those of types alone. */
function importsOf(file: string, values = false): Import[] {
  const whole = readFileSync(file, 'utf8');
  const text = values
    ? whole
        .replace(/(?:import|export) type [^;]*;/g, '')
        .replace(/(?:import|export) \{(?:\s*type [\w ]+,?)+\s*\} from[^;]*;/g, '')
    : whole;
  const found = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)];
  return found.map(([, target]) => ({
    file,
    from: subject(file),
    to: relative('engine', normalize(join(dirname(file), target))),
  }));
}

/** What each file imports. */
function edgesOf(found: readonly Import[]): Map<string, string[]> {
  const edges = new Map<string, string[]>();
  for (const { file, to } of found) {
    const paths = ['.ts', '.tsx'].map((ending) => join('engine', to.replace(/\.js$/, ending)));
    edges.set(file, [...(edges.get(file) ?? []), ...paths]);
  }
  return edges;
}

/** Circles of a graph, each once, as the files on the way. */
function circles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const settled = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file]);
    else if (!settled.has(file)) for (const next of edges.get(file) ?? []) visit(next, [...way, file]);
    settled.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  return found;
}

/** The folder of the engine that a path belongs to; '' for files at the top. */
function subject(path: string): string {
  const parts = (path.startsWith('engine/') ? relative('engine', path) : path).split('/');
  return parts.length > 1 ? parts[0] : '';
}

function layer(folder: string): number {
  return LAYERS.findIndex((names) => names.includes(folder));
}

const crossings = imports.filter(({ from, to }) => subject(to) !== from);

test('the engine has the folders that the design names', () => {
  expect([...new Set(files.map(subject))].sort()).toEqual(LAYERS.flat().sort());
  expect(files.filter((file) => subject(file) === '')).toEqual([
    'engine/codes.ts',
    'engine/index.ts',
    'engine/limits.ts',
  ]);
  expect(crossings.length).toBeGreaterThan(50);
});

test('imports point down only', () => {
  const wrong = crossings.filter(({ from, to }) => !SHARED.has(to) && layer(from) >= layer(subject(to)));
  expect(wrong).toEqual([]);
});

test('no file of the engine reaches out of it', () => {
  expect(imports.filter(({ to }) => to.startsWith('..'))).toEqual([]);
});

test('only the face of the engine and what hosts worlds and companies know both what compiles and what runs', () => {
  const both = ['compile', 'runtime'].map(
    (folder) => new Set(crossings.flatMap(({ file, to }) => (subject(to) === folder ? [file] : []))),
  );
  const knows = [...both[0]].filter((file) => both[1].has(file));
  expect(knows.filter((file) => !['', 'company', 'hosting'].includes(subject(file)))).toEqual([]);
});

test('no circle of values inside a folder, none of anything between folders', () => {
  expect(circles(edgesOf(files.flatMap((file) => importsOf(file, true))))).toEqual([]);
});

test('no circle of files, not even of types', () => {
  const all = [...files, ...sources('tools')].flatMap((file) => importsOf(file));
  expect(all.length).toBeGreaterThan(3000);
  expect(circles(edgesOf(all))).toEqual([]);
});

test('each folder is used through its face only', () => {
  const inside = crossings.filter(({ to }) => subject(to) !== '' && !to.endsWith('/index.js') && !ALONE.has(to));
  expect(inside).toEqual([]);
});

test('tools use the engine through the faces of it and its folders', () => {
  const reached = sources('tools').flatMap((file) => importsOf(file).filter(({ to }) => !to.startsWith('..')));
  // Suggestions stand alone: a command that only prints help loads nothing else of the engine.
  const faces =
    /^(?:(?:\w+\/)?index|limits|runtime\/activity|store\/thread-file|pack\/suggest)\.js$|^control\/(?:client(?:-types)?|send)\.cjs$/;
  expect(reached.filter(({ to }) => !faces.test(to))).toEqual([]);
});

test.each(files)('%s names no vendor’s thing', (file) => {
  const lines = readFileSync(file, 'utf8').split('\n');
  expect(lines.flatMap((line, index) => (VENDOR_WORDS.test(line) ? [`${index + 1}: ${line.trim()}`] : []))).toEqual([]);
});

test('only what reads packs, delivers, hosts and stores touches files and the network', () => {
  const edges =
    imports.length > 0
      ? files.filter((file) => /from 'node:(?:fs|net|http|https|dns)/.test(readFileSync(file, 'utf8')))
      : [];
  expect([...new Set(edges.map(subject))].sort()).toEqual(['compile', 'delivery', 'hosting', 'http', 'pack', 'store']);
});

describe('docs/internals/how-it-works.md', () => {
  const page = readFileSync('docs/internals/how-it-works.md', 'utf8');
  const parts = page.split(/^## /m);
  const section = (title: string): string => parts.find((part) => part.startsWith(title)) ?? '';

  test('has every folder of the engine and of the tools', () => {
    const named = new Set([...section('The folders').matchAll(/`([\w-]+)\/`/g)].map(([, folder]) => folder));
    const tools = readdirSync('tools', { withFileTypes: true }).flatMap((each) =>
      each.isDirectory() ? [each.name] : [],
    );
    const folders = [...LAYERS.flat().filter((folder) => folder !== ''), ...tools];
    expect(folders.filter((folder) => !named.has(folder))).toEqual([]);
  });

  test('draws the stages of a call in the order in which they run', () => {
    const plane = readFileSync('engine/api/plane.ts', 'utf8');
    const list = plane.slice(plane.indexOf('const stages'));
    const run = [...list.slice(0, list.indexOf('];')).matchAll(/^ +(\w+)\(/gm)].map(([, stage]) => stage);
    const drawing = section('The stages of a request');
    const drawn = drawing.slice(drawing.indexOf('api/plane'), drawing.indexOf('runtime/invocation'));
    const names = [...drawn.matchAll(/^ {3}(\w+)(?:, (\w+))? {2}/gm)].flatMap(([, a, b]) =>
      b === undefined ? [a] : [a, b],
    );
    expect(run.length).toBeGreaterThan(10);
    expect(names).toEqual([...run, 'execute']);
  });
});
