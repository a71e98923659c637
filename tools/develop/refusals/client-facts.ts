/**
 * `node dist/tools/develop/refusals/client-facts.js [--write]`: updates facts.yaml with names of calls and parameters that the vendor's client has in
 * releases 17 and 23 and packs/payments lacks. Names of the older release count only if the newer one has them too.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { loadPack } from '../../../engine/index.js';
import type { Schema } from '../../../engine/model/index.js';
import { type Operation, routeShape } from '../../../engine/program/index.js';
import { factsFile } from '../../openapi/index.js';

/** Names of members, each with the names of its own members; null if those aren't known. */
type Names = Map<string, Names | null>;
type Calls = Map<string, Names>;

/** Maximum depth of nested members that are compared. */
const MAX_DEPTH = 3;
/** Names of parameters that every call has. */
const COMMON = new Set(['expand', 'limit', 'starting_after', 'ending_before']);

/** Reads the calls of a client release, by route. @param types folder of its declarations */
function callsOf(types: string, code: string): Calls {
  const files = filesBelow(types, '.d.ts').map((name) => join(types, name));
  const program = ts.createProgram(files, { skipLibCheck: true, types: [] });
  const checker = program.getTypeChecker();
  const methods = new Map<string, ts.TypeNode>();
  const visit = (node: ts.Node, file: string): void => {
    ts.forEachChild(node, (child) => visit(child, file));
    const params =
      ts.isMethodDeclaration(node) && node.parameters.find(({ type }) => type?.getText().endsWith('Params'));
    if (params && params.type) methods.set(`${file} ${node.name.getText()}`, params.type);
  };
  for (const path of files) {
    const source = program.getSourceFile(path);
    if (source) visit(source, relative(types, path).replace(/(?:Resource)?\.d\.ts$/, ''));
  }
  const namesOf = (type: ts.Type, depth: number): Names =>
    new Map(
      checker.getPropertiesOfType(type).map((property) => {
        const declared = property.valueDeclaration;
        return [
          property.name,
          depth < MAX_DEPTH && declared ? below(checker.getTypeOfSymbolAtLocation(property, declared), depth) : null,
        ];
      }),
    );
  const below = (type: ts.Type, depth: number): Names | null => {
    const objects = (type.isUnion() ? type.types : [type]).filter(({ flags }) => flags & ts.TypeFlags.Object);
    if (objects.length !== 1) return null;
    const [object] = objects;
    if (checker.isArrayType(object)) return below(checker.getTypeArguments(object as ts.TypeReference)[0], depth);
    return object.isClassOrInterface() ? namesOf(object, depth + 1) : null;
  };
  const calls: Calls = new Map();
  for (const [file, route, method] of routesOf(code)) {
    const params = methods.get(`${file} ${method}`);
    calls.set(routeShape(route), params ? namesOf(checker.getTypeFromTypeNode(params), 1) : new Map());
  }
  return calls;
}

/** Extracts file, route and method of the calls in the client's code. */
function routesOf(code: string): (readonly [string, string, string])[] {
  return filesBelow(code, '.js').flatMap((name) => {
    const text = readFileSync(join(code, name), 'utf8');
    const file = name.replace(/\.js$/, '');
    const older = [...text.matchAll(/(\w+): stripeMethod\(\{\s*method: '(\w+)',\s*fullPath: '([^']+)'/g)];
    const newer = [
      ...text.matchAll(
        /^ {4}(\w+)\([^)]*\) \{\s*(?:const [^;]*;\s*)?return this\._makeRequest\('(\w+)', (?:'([^']+)'|`([^`]+)`)/gm,
      ),
    ];
    return [...older, ...newer].map(([, method, verb, plain, template]) => {
      const path = (plain ?? template).replaceAll(/\$\{encodeURIComponent\((\w+)\)\}/g, '{$1}');
      return [file, `${verb} ${path}`, method] as const;
    });
  });
}

function filesBelow(folder: string, end: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => name.replaceAll('\\', '/'))
    .toSorted();
}

/** Returns the names that are in both maps. */
function inBoth(one: Names, other: Names): Names {
  return new Map(
    [...one].flatMap(([name, below]) => {
      const same = other.get(name);
      if (same === undefined) return [];
      return [[name, below === null || same === null ? null : inBoth(below, same)] as const];
    }),
  );
}

/** Builds types for the names that the pack's parameters lack. */
function missing(
  names: Names,
  declared: ReadonlyMap<string, Schema>,
  known: ReadonlySet<string>,
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, below] of names) {
    const own = declared.get(name);
    if (own === undefined) {
      if (!known.has(name)) found[name] = 'any';
      continue;
    }
    const items = own.kind === 'array' ? own.items : own;
    // Skips an open object, which accepts undeclared members.
    if (below === null || items.kind !== 'object' || items.open === true) continue;
    const inner = missing(below, items.fields, new Set());
    if (Object.keys(inner).length === 0) continue;
    const type = { fields: inner };
    found[name] = own.kind === 'array' ? { items: type } : type;
  }
  return found;
}

function operationsOf(
  calls: Calls,
  paramsOf: (operation: Operation) => ReadonlyMap<string, Schema>,
): Map<string, object> {
  const served = new Map(
    pack?.operations.flatMap((each) =>
      each.routes.map(({ method, path }) => [routeShape(`${method} ${path}`), each] as const),
    ),
  );
  return new Map(
    [...calls].map(([route, names]) => {
      const operation = served.get(route);
      if (operation === undefined) return [route.replaceAll('{}', '{id}'), {}];
      const known = new Set([...COMMON, ...operation.routes.flatMap((each) => each.names)]);
      const params = missing(names, paramsOf(operation), known);
      return [
        operation.routes.map(({ method, path }) => `${method} ${path}`)[0],
        Object.keys(params).length > 0 ? { params } : {},
      ];
    }),
  );
}

const { pack } = loadPack(join('packs', 'payments'));
if (pack === null) throw new Error('packs/payments has errors');
const client = (name: string, ...path: string[]): string => join('node_modules', name, ...path);
const older = callsOf(client('stripe', 'types'), client('stripe', 'cjs', 'resources'));
const newer = callsOf(client('stripe-newest', 'esm', 'resources'), client('stripe-newest', 'esm', 'resources'));
const both: Calls = new Map(
  [...older].flatMap(([route, names]) => {
    const same = newer.get(route);
    return same === undefined ? [] : [[route, inBoth(names, same)] as const];
  }),
);
const newest = pack.versions?.all.at(-1);
const base = operationsOf(both, (operation) => operation.params());
const last = operationsOf(newer, (operation) => newest?.calls.get(operation.key)?.params ?? operation.params());
const changed = Object.fromEntries(
  [...last].filter(([route, facts]) => JSON.stringify(base.get(route)) !== JSON.stringify(facts)),
);
const text = factsFile(join('packs', 'payments'), base, {
  document: 'types of the npm client stripe, 17.5.0 and 23.1.0',
  partial: true,
  ...(newest === undefined ? {} : { versions: { [newest.name]: { operations: changed } } }),
});
if (process.argv.includes('--write')) writeFileSync(join('packs', 'payments', 'facts.yaml'), text);
else console.log(text);
