/**
 * `node dist/tools/develop/refusals/client-names.js CLIENT DOCUMENT.json`: prints an OpenAPI document with the calls and parameters that a newer
 * generated client (Fern) has beyond it: `sandbox facts` then has their names. CLIENT is the folder with `requests` and `resources`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routeShape } from '../../../engine/program/index.js';

interface Documented {
  parameters?: { name?: string; in?: string; schema?: object; required?: boolean }[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
}
interface Schema {
  $ref?: string;
  properties?: Record<string, object>;
}
interface OpenApi {
  paths: Record<string, Record<string, Documented>>;
  components?: { schemas?: Record<string, Schema> };
}

const [client, document] = process.argv.slice(2);
const api = JSON.parse(readFileSync(document, 'utf8')) as OpenApi;

/** Names of the members of a type of requests. */
const members = new Map(
  [
    ...readFileSync(join(client, 'requests', 'requests.d.ts'), 'utf8').matchAll(
      /^export interface (\w+)[^{]*\{\n([\s\S]*?)^\}/gm,
    ),
  ].map(([, name, body]) => [name, [...body.matchAll(/^ {4}"?([\w-]+)"?\??:/gm)].map((each) => each[1])] as const),
);

function add(method: string, path: string, names: readonly string[]): void {
  const known = Object.keys(api.paths).find((each) => routeShape(each) === routeShape(path)) ?? path;
  const operations = (api.paths[known] ??= {});
  const isNew = operations[method] === undefined;
  const operation = (operations[method] ??= {});
  if (isNew)
    operation.parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }));
  if (['get', 'delete'].includes(method) && operation.requestBody === undefined) {
    const own = (operation.parameters ??= []);
    const has = new Set(own.map((each) => each.name));
    own.push(...names.filter((each) => !has.has(each)).map((name) => ({ name, in: 'query', schema: {} })));
    return;
  }
  if (names.length === 0) return;
  const body = (operation.requestBody ??= { content: { 'application/json': { schema: { properties: {} } } } });
  for (const { schema } of Object.values(body.content ?? {})) {
    const target = schema?.$ref === undefined ? schema : api.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''];
    const query = new Set(operation.parameters?.map((each) => each.name));
    if (target?.properties) for (const name of names) if (!query.has(name)) target.properties[name] ??= {};
  }
}

const files = readdirSync(join(client, 'resources'), { recursive: true, encoding: 'utf8' });
for (const file of files.filter((name) => name.endsWith(join('client', 'Client.js'))).toSorted()) {
  const code = readFileSync(join(client, 'resources', file), 'utf8');
  const types = readFileSync(join(client, 'resources', file.replace(/js$/, 'd.ts')), 'utf8');
  const requests = new Map(
    [...types.matchAll(/^ {4}(\w+)\(([^)]*)\)/gm)].map(
      ([, name, args]) => [name, /request\??: \w+\.(\w+)/.exec(args)?.[1]] as const,
    ),
  );
  for (const call of code.matchAll(/_response\.rawResponse, "(\w+)", "([^"]+)"\)/g)) {
    const method = [...code.slice(0, call.index).matchAll(/^ {4}(?:__)?(\w+)\(.*\) \{$/gm)].at(-1)?.[1] ?? '';
    add(call[1].toLowerCase(), call[2], members.get(requests.get(method) ?? '') ?? []);
  }
}
console.log(JSON.stringify(api));
