import ts from 'typescript';
import type { Find } from './words.js';

/** Words that no name has, and what a name says instead. */
const RULES: readonly (readonly [word: RegExp, say: string])[] = [
  [/^(?:told|tells?|telling)$/i, 'payload, response data, problems; report, emit'],
  [/^refus(?:e|es|ed|als?|ing)$/i, 'reject, rejection'],
  [/^answer(?:s|ed|ing)?$/i, 'response, serve'],
  [/^(?:nobody|somebody|whoever)$/i, 'its actor'],
  [/^(?:knows|hears?|heard)$/i, 'has, receives'],
  [/^onlookers?$/i, 'listener'],
];

/** Names that are written elsewhere: in ledgers, in the control API's contract, in what compiled text calls. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  'engine/expression/environment.ts': ['answer'],
  'engine/expression/host.ts': ['answer'],
  'engine/runtime/reader.ts': ['answer'],
  'engine/world/faults.ts': ['answer'],
  'engine/world/rows.ts': ['answer'],
  'engine/world/traces.ts': ['answered'],
  'tools/browser/description.ts': ['tells'],
};

/** Names that a file of TypeScript declares, its own too, with words that names do not have. */
export function wordsOfNames(text: string, file: string): Find[] {
  const fixed = FIXED[file] ?? [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
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

/** The words of a name are split where its case changes, or at a dash. */
function wordsOf(name: string): Omit<Find, 'line'>[] {
  const words = name.split(/[-_#$]|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
  return RULES.flatMap(([word, say]) => (words.some((each) => word.test(each)) ? [{ found: name, say }] : []));
}
