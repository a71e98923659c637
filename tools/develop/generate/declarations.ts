import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Matches imports of packages whose types aren't installed with the sandbox. */
const WITHOUT_TYPES = /(?<=from )'(?:express|graphql|pg|re2js|ws)'/g;

/** Types that replace imports of these packages in declarations; users of the library don't need the real types. */
const STAND_INS = `import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
export type Express = RequestListener & { readonly request: Request; readonly response: Response };
export type RequestHandler = RequestListener;
export type Request = IncomingMessage;
export type Response = ServerResponse;
export type WebSocket = object;
export type Client = object;
export type ClientBase = object;
export type Pool = object;
export type PoolClient = object;
export type QueryResultRow = object;
export type ASTNode = object;
export type DocumentNode = object;
export type GraphQLResolveInfo = object;
export type GraphQLSchema = object;
export type RE2JS = object;
`;

/** Matches lines of declarations that refer to Node's types. */
const OF_NODE = /^(?!\s*(?:\/?\*|\/\/)).*(?:'node:\w+|\bBuffer\b|\bNodeJS\.)/gm;

/**
 * Makes declarations independent of other packages' types, so that a project compiles with `skipLibCheck: false`. In projects without Node's types,
 * those are `any`.
 * @param dist folder of the compiled files
 */
export function freeDeclarations(dist: string): void {
  const place = join(dist, 'engine', 'stand-ins.d.ts');
  writeFileSync(place, STAND_INS);
  for (const name of [...declarationsIn(dist, 'engine'), ...declarationsIn(dist, 'tools/in-tests')]) {
    const file = join(dist, name);
    const text = readFileSync(file, 'utf8');
    const way = relative(dirname(file), place).replaceAll('\\', '/').replace('.d.ts', '.js');
    const free = text
      .replace(WITHOUT_TYPES, `'${way.startsWith('.') ? way : `./${way}`}'`)
      .replace(OF_NODE, (line) => `// @ts-ignore\n${line}`);
    if (free !== text) writeFileSync(file, free);
  }
}

/** Writes CommonJS declarations for an ES module: a test runner loads it as an ES module anyway. */
export function declareForCommonJs(folder: string, name: string): void {
  writeFileSync(join(folder, `${name}.d.cts`), `export * from './${name}.js';\n`);
  const message = `@vendor-sandbox/sandbox/${name} is an ES module: use import, not require()`;
  writeFileSync(join(folder, `${name}.cjs`), `throw new Error(${JSON.stringify(message)});\n`);
}

function declarationsIn(dist: string, folder: string): string[] {
  return readdirSync(join(dist, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.d\.c?ts$/.test(name))
    .map((name) => join(folder, name));
}
