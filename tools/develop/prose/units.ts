import ts from 'typescript';
import { parsedFile } from './parsed.js';
import type { Find } from './words.js';

/** Words for times and amounts of memory: the name of a number that ends in one lacks its unit. */
const MEASURES =
  /^(?:timeout|delay|interval|duration|idle|lifetime|expires|expiry|waits?|patience|pause|age|ttl|lease|elapsed|memory|heap)$/i;
/** Matches names of sizes in bytes; other sizes count items or characters. */
const SIZES = /(?:file|body|memory|heap|world)[_]?size$/i;

/**
 * Names that aren't checked because they are defined elsewhere: members of bodies and stored records, command options, interfaces of test runners.
 */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  'engine/company/worlds.ts': ['expires'],
  'engine/control/worlds.ts': ['expires'],
  'engine/store/store.ts': ['expires'],
  'tools/commands/chaos.ts': ['timeout'],
  'tools/commands/serve-options.ts': ['maxWorldSize'],
  'tools/commands/shrink.ts': ['timeout'],
};

/** Finds numbers that are a time or a size in bytes without a unit in their name, such as `timeoutMs`, `leaseSeconds`, `heapBytes`. */
export function namesWithoutUnit(text: string, file: string): Find[] {
  const source = parsedFile(file, text);
  const finds: Find[] = [];
  const visit = (node: ts.Node): void => {
    const name = isNumber(node) ? node.name : undefined;
    if (name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) {
      const last = name.text.split(/[_#$]|(?<=[a-z0-9])(?=[A-Z])/).at(-1) ?? '';
      const measures = MEASURES.test(last) || SIZES.test(name.text);
      if (measures && !(FIXED[file] ?? []).includes(name.text)) {
        const { line } = source.getLineAndCharacterOfPosition(name.getStart(source));
        finds.push({ line: line + 1, found: name.text, say: 'its unit too: Ms, Seconds, Bytes ...' });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return finds;
}

type Declared = ts.ParameterDeclaration | ts.VariableDeclaration | ts.PropertyDeclaration | ts.PropertySignature;

/** Whether a declaration is a number, by type or literal. Excludes callbacks of test runners, which define the names. */
function isNumber(node: ts.Node): node is Declared {
  if (ts.isParameter(node) && ts.isFunctionTypeNode(node.parent)) return false;
  if (ts.isPropertySignature(node)) return isNumberType(node.type);
  if (!ts.isParameter(node) && !ts.isVariableDeclaration(node) && !ts.isPropertyDeclaration(node)) return false;
  return node.type === undefined ? isNumberLiteral(node.initializer) : isNumberType(node.type);
}

function isNumberType(type: ts.TypeNode | undefined): boolean {
  if (type === undefined) return false;
  const kinds = (ts.isUnionTypeNode(type) ? [...type.types] : [type]).map((each) =>
    ts.isLiteralTypeNode(each) ? each.literal.kind : each.kind,
  );
  const isAbsent = (kind: ts.SyntaxKind): boolean =>
    kind === ts.SyntaxKind.NullKeyword || kind === ts.SyntaxKind.UndefinedKeyword;
  return (
    kinds.includes(ts.SyntaxKind.NumberKeyword) &&
    kinds.every((kind) => kind === ts.SyntaxKind.NumberKeyword || isAbsent(kind))
  );
}

/** Whether an expression is a number, or a product of numbers. */
function isNumberLiteral(value: ts.Expression | undefined): boolean {
  if (value === undefined) return false;
  if (ts.isBinaryExpression(value)) return isNumberLiteral(value.left) && isNumberLiteral(value.right);
  return ts.isNumericLiteral(value);
}
