/**
 * Compiles engine, tools and tests to dist/suites for Jest. Only strips types, which `npm run typecheck` checks, and skips unchanged files, so that a
 * second run is fast.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from 'rolldown/experimental';

const OUT = 'dist/suites';
const ENDINGS = { '.ts': '.js', '.cts': '.cjs', '.mts': '.mjs' };
/** Folders that aren't compiled here, because they need browser types and no test uses them. */
const APART = new Set([join('tools', 'inspector', 'page'), join('tools', 'browser')]);

/** The TypeScript compiler, which is loaded when it is first needed, since loading takes half a second. */
let typescript;

const wanted = new Set();
for (const source of ['engine', 'tools', 'test'].flatMap((folder) => [...sourcesBelow(folder)])) {
  const ending = /\.[cm]?ts$/.exec(source)[0];
  const out = join(OUT, source.slice(0, -ending.length) + ENDINGS[ending]);
  wanted.add(out);
  if (existsSync(out) && statSync(out).mtimeMs > statSync(source).mtimeMs) continue;
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, await compiled(source, readFileSync(source, 'utf8')));
}
for (const file of existsSync(OUT) ? readdirSync(OUT, { recursive: true }) : [])
  if (/\.[cm]?js$/.test(file) && !wanted.has(join(OUT, file))) rmSync(join(OUT, file));

function* sourcesBelow(folder) {
  if (APART.has(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourcesBelow(path);
    else if (/\.[cm]?ts$/.test(path) && !/\.d\.[cm]?ts$/.test(path)) yield path;
  }
}

async function compiled(path, source) {
  if (path.endsWith('.cts')) {
    const ts = (typescript ??= (await import('typescript')).default);
    const compilerOptions = { module: ts.ModuleKind.Node16, target: ts.ScriptTarget.ES2023, esModuleInterop: true };
    return ts.transpileModule(source, { fileName: path, compilerOptions }).outputText;
  }
  const { code, errors } = transformSync(path, source, { lang: 'ts', target: 'es2023' });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  return code;
}
