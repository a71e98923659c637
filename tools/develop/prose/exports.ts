import { dirname, join } from 'node:path/posix';
import ts from 'typescript';
import { exportsOf } from './names.js';
import { parsedFile } from './parsed.js';
import type { Find } from './words.js';

/** Files whose exports are used from outside: the library, test helpers, and browser code. */
const ENTRIES = /^engine\/index\.ts$|^engine\/control\/words\.cts$|^tools\/(?:in-tests|browser)\//;

/** Generated files, whose exports aren't checked. */
const GENERATED = /^engine\/model\/files\.ts$|^engine\/control\/client-types\.cts$/;

/** Exports used in other ways: in generated code, by type generators, or in types that the compiler infers. */
const READ_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  'tools/command/boot.cts': ['start', 'keep'],
  'engine/control/shape.ts': ['FieldReader', 'Key'],
};

/** A name that a file exports. */
interface Exported {
  readonly name: string;
  readonly line: number;
  /** Source of a re-export. */
  readonly from?: { readonly file: string; readonly name: string };
}

/** The exports of a file, and the names that it imports from other files; `*` means all. */
interface Links {
  readonly exported: readonly Exported[];
  readonly imported: readonly (readonly [file: string, name: string])[];
}

/**
 * Finds exports that no other file imports, and re-exports that rename a type or function.
 * @param files texts by path; exports of tests are ignored
 */
export function idleExports(files: ReadonlyMap<string, string>): (Find & { readonly file: string })[] {
  const links = new Map([...files].map(([file, text]) => [file, linksOf(file, text, files)] as const));
  const imported = new Set<string>();
  const use = (file: string, name: string): void => {
    if (imported.has(`${file} ${name}`)) return;
    imported.add(`${file} ${name}`);
    for (const { name: own, from } of links.get(file)?.exported ?? [])
      if (from !== undefined && (name === '*' || name === own || own === '*'))
        use(from.file, own === '*' ? name : from.name);
  };
  for (const [file, each] of links) {
    for (const [of, name] of each.imported) use(of, name);
    if (ENTRIES.test(file)) use(file, '*');
  }
  return [...links].flatMap(([file, { exported }]) =>
    exported.flatMap(({ name, line, from }) => {
      if (file.startsWith('test/') || ENTRIES.test(file) || GENERATED.test(file) || name === '*') return [];
      const find = { file, line, found: name };
      if (from !== undefined && from.name !== name) return [{ ...find, say: `its own name, ${from.name}` }];
      const isRead =
        [name, '*'].some((each) => imported.has(`${file} ${each}`)) || READ_OTHERWISE[file]?.includes(name);
      return isRead === true ? [] : [{ ...find, say: "it without 'export': no other file imports it" }];
    }),
  );
}

/** Matches imports in string literals: programs in tests import the built files. */
const IN_TEXTS = /import \{ ([\w, ]+) \} from '\.\/dist\/([^']+)'/g;
/** Matches dynamic imports, and imports of types only. */
const LATER = /import\('(\.[^']+)'\)(?:\.(\w+))?|require\('(\.[^']+)'\)/g;

function linksOf(file: string, text: string, files: ReadonlyMap<string, string>): Links {
  const source = parsedFile(file, text);
  const exported: Exported[] = exportsOf(source);
  const imported: [string, string][] = [];
  const of = (specifier: string): string =>
    specifier.startsWith('.') ? sourceOf(join(dirname(file), specifier), files) : '';
  for (const statement of source.statements) {
    const line = source.getLineAndCharacterOfPosition(statement.getStart(source)).line + 1;
    if (ts.isImportDeclaration(statement)) {
      const from = of(textOf(statement.moduleSpecifier));
      const names = statement.importClause?.namedBindings;
      if (statement.importClause?.name !== undefined) imported.push([from, 'default']);
      if (names && ts.isNamespaceImport(names)) imported.push([from, '*']);
      else for (const each of names?.elements ?? []) imported.push([from, (each.propertyName ?? each.name).text]);
    } else if (ts.isExportDeclaration(statement)) {
      const from = statement.moduleSpecifier && of(textOf(statement.moduleSpecifier));
      const names = statement.exportClause;
      if (names && ts.isNamedExports(names))
        for (const each of names.elements) {
          const first = (each.propertyName ?? each.name).text;
          const origin = from === undefined || from === '' ? {} : { from: { file: from, name: first } };
          exported.push({ name: each.name.text, line, ...origin });
        }
      else if (from !== undefined) exported.push({ name: '*', line, from: { file: from, name: '*' } });
    }
  }
  for (const [, specifier, name, required] of text.matchAll(LATER))
    imported.push([of(specifier ?? required), name ?? '*']);
  for (const [, names, path] of text.matchAll(IN_TEXTS))
    for (const name of names.split(', ')) imported.push([sourceOf(path, files), name]);
  return { exported, imported };
}

function textOf(specifier: ts.Expression): string {
  return ts.isStringLiteral(specifier) ? specifier.text : '';
}

/** Finds the TypeScript file of a JavaScript path. */
function sourceOf(path: string, files: ReadonlyMap<string, string>): string {
  const bare = path.replace(/\.(c?)js$/, '');
  return [`${bare}.ts`, `${bare}.tsx`, `${bare}.cts`, path].find((each) => files.has(each)) ?? path;
}
