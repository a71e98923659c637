import ts from 'typescript';
import { parsedFile } from './parsed.js';
import { bannedWords, type Find } from './words.js';

const RULES = bannedWords('names');

/** Names that aren't checked because they are defined elsewhere: in ledgers, in the control API's contract, in generated code. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  'engine/expression/environment.ts': ['answer'],
  'engine/expression/host.ts': ['answer'],
  'engine/runtime/reader.ts': ['answer'],
  'engine/world/faults.ts': ['answer'],
  'engine/world/rows.ts': ['answer'],
  'engine/world/traces.ts': ['answered'],
  'tools/browser/description.ts': ['tells'],
};

/** Finds banned words in names that a TypeScript file declares. */
export function wordsOfNames(text: string, file: string): Find[] {
  const fixed = FIXED[file] ?? [];
  const source = parsedFile(file, text);
  const finds = [...wordsOf(file.replace(/^.*\/|\..*$/g, ''))].map((find) => ({ line: 1, ...find }));
  const visit = (node: ts.Node): void => {
    const name = isDeclaration(node) ? node.name : undefined;
    if (name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) && !fixed.includes(name.text)) {
      const line = source.getLineAndCharacterOfPosition(name.getStart()).line + 1;
      for (const find of wordsOf(name.text)) finds.push({ line, ...find });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return finds;
}

/** Files whose names are only used through a namespace: schemas of the contract (`s.text`), and functions for generated code. */
const NAMESPACES = ['engine/control/schema.ts', 'engine/expression/support.ts'];

/** Names that several entry points of the package export with the same meaning. */
const ENTRY_POINTS = ['createSandbox', 'setup', 'useSandbox'];

/** Finds names that more than one file declares and exports. @param files texts by path */
export function homonyms(files: ReadonlyMap<string, string>): (Find & { readonly file: string })[] {
  const declared = new Map<string, string>();
  return [...files]
    .filter(([file]) => !NAMESPACES.includes(file))
    .flatMap(([file, text]) =>
      exportsOf(parsedFile(file, text)).flatMap(({ name, line }) => {
        const first = declared.get(name) ?? file;
        declared.set(name, first);
        if (first === file || ENTRY_POINTS.includes(name)) return [];
        return [{ file, line, found: name, say: `another name: ${first} has it` }];
      }),
    );
}

/** Lists the names that a file declares at its top level and exports. */
export function exportsOf(source: ts.SourceFile): { readonly name: string; readonly line: number }[] {
  return source.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    const declarations = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
    return declarations.flatMap((each) => {
      const name = isDeclaration(each) ? each.name : undefined;
      if (name === undefined || !ts.isIdentifier(name)) return [];
      return [{ name: name.text, line: source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1 }];
    });
  });
}

function isDeclaration(node: ts.Node): node is ts.NamedDeclaration {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isTypeParameterDeclaration(node) ||
    ts.isNamedTupleMember(node) ||
    ts.isClassElement(node) ||
    ts.isTypeElement(node)
  );
}

/** Splits a name into words at capitals and dashes. */
function wordsOf(name: string): Omit<Find, 'line'>[] {
  const words = name.split(/[-_#$]|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).join(' ');
  return RULES.flatMap(({ word, say }) => (word.test(words) ? [{ found: name, say }] : []));
}
