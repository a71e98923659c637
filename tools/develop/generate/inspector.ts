import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { installation } from '../../command/installation.js';

/** Bundles the compiled page with its library and styles for browsers: one minified script, one stylesheet, one document. */
const source = join(installation(), 'tools', 'inspector', 'page');
const target = join(installation(), 'dist', 'tools', 'inspector', 'page');

const bundle = await rolldown({ input: join(target, 'main.js'), platform: 'browser', logLevel: 'warn' });
const { output } = await bundle.generate({ format: 'esm', minify: true });
const [{ code }] = output;
const styles = readdirSync(source)
  .filter((name) => name.endsWith('.css'))
  .sort((a, b) => Number(b === 'style.css') - Number(a === 'style.css'))
  .map((name) => readFileSync(join(source, name), 'utf8'));

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'main.js'), code);
writeFileSync(join(target, 'style.css'), styles.join('\n'));
writeFileSync(join(target, 'index.html'), readFileSync(join(source, 'index.html')));
