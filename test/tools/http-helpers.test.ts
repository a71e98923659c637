import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../support/root.js';

/** Names of functions that call a world. Those of a test are made of `call` in test/support/http.ts. */
const HELPER = /^(?:call|api|ask|post|get|put|patch|del|send|admin|control|vendor|request)$/;

/** Those that need what `call` does not give: bodies too large to hold. */
const OTHERS = ['test/processes/command/memory.test.ts: get', 'test/processes/command/memory.test.ts: post'];

function helpersOf(path: string): string[] {
  const found: string[] = [];
  const file = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const named = ts.isVariableDeclaration(node.parent) ? node.parent.name : node.name;
      const name = named?.getText() ?? '';
      if (HELPER.test(name) && /\bfetch\(/.test(node.body.getText())) found.push(`${path}: ${name}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

test('no test file brings an HTTP client of its own', () => {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(200);
  expect(files.flatMap(helpersOf).sort()).toEqual(OTHERS);
});
