import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';
import { minifySync } from 'rolldown/utils';
import { installation } from '../../command/installation.js';
import { declareForCommonJs, freeDeclarations } from './declarations.js';
import { trimmed } from './trimmed.js';

/**
 * Bundles the code for fast starts: `dist/app/NAME.cjs` starts the command, its serving thread, the library and the writer of stores, from CommonJS
 * chunks whose compiled code `boot.cjs` caches between starts. Code that only some commands need is in separate chunks, loaded on demand. Packages
 * that are always installed aren't bundled.
 */
const dist = join(installation(), 'dist');
const app = join(dist, 'app');

/** Modules that are loaded from node_modules instead: native packages, those that start threads or generate code, and test runners. */
const OUTSIDE = /^(?:node:|libsql|@libsql|pg-native|ajv|yaml$|pino|ws$|@jridgewell|jest|vitest|@playwright)/;

/** Programs whose compiled code is cached, with the modules that they run. Those in `REST` are small or run once. */
const PROGRAMS = { cli: 'tools/cli.js', 'serve-thread': 'tools/command/serve-thread.js', engine: 'engine/index.js' };
const REST = {
  worker: 'engine/store/worker.js',
  'mail-thread': 'engine/hosting/mail-thread.js',
  'primed-packs': 'tools/develop/generate/primed-packs.js',
};

/**
 * Node modules and the control client, which few starts need and which take 1 to 5 ms to load: chunks load them where they use them. Only named
 * imports are supported.
 */
const LATE =
  /^let (node_(?:fs_promises|http2|https|inspector|tls|zlib)|\w+_control_client_cjs) = (require\("[\w:./]+"\));$/gm;

/** The control client is CommonJS, so that its error classes are the same for programs that load it alone and with the library. */
const CLIENT = '/control/client.cjs';

/** Packages of one file that few starts need: copied beside the chunks and loaded on demand. */
const BESIDE = {
  'markdown-it': 'markdown-it/dist/markdown-it.min.js',
  jmespath: 'jmespath/jmespath.js',
  sax: 'sax/lib/sax.js',
};
/** Packages of many files that few starts need: each is bundled into one file. */
const MADE_ONE = ['graphql', 'xstate'];

rmSync(app, { recursive: true, force: true });
const bundle = await rolldown({
  input: Object.fromEntries(Object.entries({ ...PROGRAMS, ...REST }).map(([name, path]) => [name, join(dist, path)])),
  platform: 'node',
  external: (id) => OUTSIDE.test(id) || id.endsWith(CLIENT),
  logLevel: 'warn',
  plugins: [trimmed()],
  // Disabled, because V8 would eagerly compile and cache modules that few starts run.
  optimization: { pifeForModuleWrappers: false },
});
const { output } = await bundle.write({
  dir: app,
  format: 'cjs',
  entryFileNames: ({ name }) => (Object.hasOwn(PROGRAMS, name) ? `${name}-main.cjs` : `${name}.cjs`),
  chunkFileNames: '[name]-[hash].cjs',
  exports: 'named',
  paths: (id) => (id.endsWith(CLIENT) ? `../engine${CLIENT}` : id),
});
/**
 * Removes white space from chunks of packages only, so that stack traces of our own code have correct lines. Names stay, since packages print those
 * of their classes.
 */
const minify = { compress: false, mangle: false, codegen: true } as const;
const ofPackages = new Set(
  output.flatMap((each) => (each.type === 'chunk' && shareOfPackages(each) > 0.75 ? [each.fileName] : [])),
);

for (const file of readdirSync(app)) {
  const path = join(app, file);
  const whole = readFileSync(path, 'utf8');
  const text = late(whole);
  // Writes chunks as ASCII, which loads in a tenth of the time and needs half the memory.
  const ascii = (ofPackages.has(file) ? minifySync(file, text, minify).code : text)
    .replace(/^#!.*/, '')
    .replace(/\bimport\("(?!\.)/g, 'importPackage("')
    .replace(/[\u0080-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (ascii !== whole) writeFileSync(path, ascii);
}
for (const name of MADE_ONE) {
  const made = await rolldown({
    input: fileURLToPath(import.meta.resolve(name)),
    platform: 'node',
    plugins: [trimmed()],
  });
  await made.write({ file: join(app, `${name}.cjs`), format: 'cjs', minify });
}
for (const [name, file] of Object.entries(BESIDE))
  copyFileSync(fileURLToPath(import.meta.resolve(file)), join(app, `${name}.cjs`));
copyFileSync(join(dist, 'tools', 'command', 'boot.cjs'), join(app, 'boot.cjs'));
const start = (name: string): string =>
  `'use strict';\nconst boot = require('./boot.cjs');\n${name === 'engine' ? 'module.exports = ' : ''}boot.start('${name}-main.cjs');\n`;
const LATER = 'setTimeout(boot.keep, 2000).unref();\n';
const AT_EXIT = "process.once('exit', boot.keep);\n";
writeFileSync(join(app, 'cli.cjs'), `#!/usr/bin/env node\n${start('cli')}${LATER}${AT_EXIT}`, { mode: 0o755 });
writeFileSync(join(app, 'serve-thread.cjs'), start('serve-thread') + LATER);
writeFileSync(join(app, 'engine.cjs'), start('engine') + AT_EXIT);

// Generates an ES module that re-exports the names of the CommonJS library, so that tests load the same library.
const library: unknown = await import('../../../engine/index.js');
const names = Object.keys(library as object).filter((name) => name !== 'default');
writeFileSync(
  join(app, 'engine.js'),
  `import engine from './engine.cjs';\nexport const { ${names.join(', ')} } = engine;\n`,
);
for (const file of ['index.js', 'engine.cjs']) {
  const path = join(dist, 'tools', 'in-tests', file);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('../../engine/index.js', '../../app/engine.js'));
}

freeDeclarations(dist);
declareForCommonJs(join(dist, 'tools', 'in-tests'), 'vitest');

writeFileSync(
  join(app, 'LICENSES.txt'),
  licences([
    ...output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])),
    ...[...Object.values(BESIDE), ...MADE_ONE].map((file) => fileURLToPath(import.meta.resolve(file))),
  ]),
);

/** Returns the share of a chunk's text that comes from packages. */
function shareOfPackages({ modules }: OutputChunk): number {
  const sizes = Object.entries(modules).map(([id, { renderedLength }]) => ({ id, renderedLength }));
  const sum = (all: typeof sizes): number => all.reduce((total, { renderedLength }) => total + renderedLength, 0);
  return sum(sizes.filter(({ id }) => id.includes('/node_modules/'))) / sum(sizes);
}

/** Replaces a chunk's imports of lazily loaded modules with functions, and resolves the files beside it. */
function late(text: string): string {
  // Whether a package imports a lazily loaded module as a whole; such a package is itself loaded lazily.
  const isWhole = (name: string): boolean => text.includes(`\n${name} = `);
  const names = [...text.matchAll(LATE)].map(([, name]) => name).filter((name) => !isWhole(name));
  return names.reduce(
    (changed, name) => changed.replaceAll(`${name}.`, `(${name}()).`),
    text
      .replace(LATE, (all, name: string, load: string) => (isWhole(name) ? all : `const ${name} = () => ${load};`))
      .replace(/\)\("([\w-]+)"\)/g, (all, name: string) =>
        Object.hasOwn(BESIDE, name) || MADE_ONE.includes(name) ? `)("./${name}.cjs")` : all,
      ),
  );
}

/** Collects the licenses of bundled packages. */
function licences(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
  return [...folders].sort().map(licence).join('\n');
}

function licence(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(join(folder, file), 'utf8')}`;
}
