import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { installation } from '../../command/installation.js';

/** Puts beside the compiled page what is not compiled: its HTML and styles, and the modules of Preact that it loads. */
const source = join(installation(), 'tools', 'inspector', 'page');
const target = join(installation(), 'dist', 'tools', 'inspector', 'page');
const preact = dirname(createRequire(import.meta.url).resolve('preact/package.json'));

mkdirSync(join(target, 'preact'), { recursive: true });
for (const name of ['index.html', 'style.css']) copyFileSync(join(source, name), join(target, name));
for (const module of ['dist/preact.mjs', 'hooks/dist/hooks.mjs', 'jsx-runtime/dist/jsxRuntime.mjs'])
  copyFileSync(join(preact, module), join(target, 'preact', module.slice(module.lastIndexOf('/') + 1)));
