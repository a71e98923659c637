import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Packages whose types are not installed with the sandbox. */
const WITHOUT_TYPES = /(?<=from )'(?:express|pg|ws)'/g;

/** Takes their place in declarations: users of the library need nothing of them. */
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
`;

/**
 * Frees the declarations of the engine of packages whose types a project would have to install, so that it compiles with
 * `skipLibCheck: false`.
 * @param engine the folder of the compiled engine
 */
export function freeDeclarations(engine: string): void {
  const place = join(engine, 'stand-ins.d.ts');
  writeFileSync(place, STAND_INS);
  for (const name of readdirSync(engine, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = join(engine, name);
    const text = readFileSync(file, 'utf8');
    const way = relative(dirname(file), place).replaceAll('\\', '/').replace('.d.ts', '.js');
    const free = text.replace(WITHOUT_TYPES, `'${way.startsWith('.') ? way : `./${way}`}'`);
    if (free !== text) writeFileSync(file, free);
  }
}
