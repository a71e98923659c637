/**
 * `node dist/tools/develop/refusals/client-facts.js [--write]`: updates facts.yaml with names of calls and parameters that the vendor's client has in
 * releases 17 and 23 and packs/payments lacks. Names of the older release count only if the newer one has them too.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { loadPack } from '../../../engine/index.js';
import type { Schema } from '../../../engine/model/index.js';
import { type Operation, routeShape } from '../../../engine/program/index.js';
import { factsFile } from '../../openapi/index.js';

/** Names of members, with their own members; null: anything. */
type Names = Map<string, Names | null>;
type Calls = Map<string, Names>;

/** Maximum depth of members. */
const MAX_DEPTH = 3;
/** Parameters of every call. */
const COMMON = new Set(['expand', 'limit', 'starting_after', 'ending_before']);

/** Reads the calls of a client release, by route. */
function callsOf(types: string, code: string): Calls {
  const interfaces = new Map<string, ts.InterfaceDeclaration>();
  const methods = new Map<string, string>();
  const visit = (node: ts.Node, path: readonly string[], file: string): void => {
    if (ts.isModuleDeclaration(node)) {
      const own = ts.isStringLiteral(node.name) || node.name.text === 'Stripe' ? path : [...path, node.name.text];
      if (node.body) visit(node.body, own, file);
    } else if (ts.isInterfaceDeclaration(node)) interfaces.set([...path, node.name.text].join('.'), node);
    else if (ts.isClassDeclaration(node)) {
      for (const member of node.members)
        if (ts.isMethodDeclaration(member)) {
          const type = member.parameters
            .map((each) => each.type?.getText() ?? '')
            .find((each) => each.endsWith('Params'));
          if (type !== undefined) methods.set(`${file} ${member.name.getText()}`, [...path, type].join('.'));
        }
    } else ts.forEachChild(node, (child) => visit(child, path, file));
  };
  for (const name of filesBelow(types, '.d.ts')) {
    const text = readFileSync(join(types, name), 'utf8');
    visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true), [], name.replace(/(?:Resource)?\.d\.ts$/, ''));
  }
  const find = (name: string, within: string): ts.InterfaceDeclaration | undefined => {
    const plain = name.replace(/^Stripe\./, '');
    for (let path = within.split('.'); ; path = path.slice(0, -1)) {
      const found = interfaces.get([...path, plain].filter(Boolean).join('.'));
      if (found !== undefined || path.length === 0) return found;
    }
  };
  const namesOf = (declared: ts.InterfaceDeclaration, within: string, depth: number): Names =>
    new Map(
      declared.members.filter(ts.isPropertySignature).map((member) => {
        const name = member.name.getText().replaceAll(/['"]/g, '');
        return [name, depth < MAX_DEPTH && member.type ? below(member.type, within, depth) : null];
      }),
    );
  const below = (type: ts.TypeNode, within: string, depth: number): Names | null => {
    if (ts.isUnionTypeNode(type)) {
      const objects = type.types.flatMap((each) => below(each, within, depth) ?? []);
      return objects.length === 1 ? objects[0] : null;
    }
    if (ts.isArrayTypeNode(type)) return below(type.elementType, within, depth);
    if (!ts.isTypeReferenceNode(type)) return null;
    const name = type.typeName.getText();
    const [inner] = type.typeArguments ?? [];
    if (inner !== undefined) return below(inner, within, depth);
    const found = find(name, within);
    return found === undefined ? null : namesOf(found, within, depth + 1);
  };
  const calls: Calls = new Map();
  for (const [file, route, method] of routesOf(code)) {
    const params = methods.get(`${file} ${method}`);
    const declared = params === undefined ? undefined : find(params.split('.').at(-1) ?? '', params);
    calls.set(routeShape(route), declared === undefined ? new Map() : namesOf(declared, params ?? '', 1));
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

/** Names in both maps. */
function inBoth(one: Names, other: Names): Names {
  return new Map(
    [...one].flatMap(([name, below]) => {
      const same = other.get(name);
      if (same === undefined) return [];
      return [[name, below === null || same === null ? null : inBoth(below, same)] as const];
    }),
  );
}

/** Names that the pack's parameters lack, as types. */
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
    // An open object accepts undeclared members.
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
