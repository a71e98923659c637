import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.js';

/** Copies the task-automation pack to `dir` and replaces a text in its pack.yaml. Returns the folder and the number of the changed line. */
export function brokenPack(
  dir: string,
  from: string | RegExp,
  to: string,
): { readonly dir: string; readonly line: number } {
  cpSync(join(ROOT, 'packs', 'task-automation'), dir, { recursive: true });
  const file = join(dir, 'pack.yaml');
  const text = readFileSync(file, 'utf8');
  const broken = text.replace(from, to);
  expect(broken).not.toBe(text);
  writeFileSync(file, broken);
  return { dir, line: text.slice(0, text.search(from)).split('\n').length };
}
