import type { Contract, DocumentedCall } from '../contract.js';
import { documentBody, isJson, listOr, objectOr, successOf } from '../document.js';
import { namesIn, singular, snake } from '../names.js';
import { isFile, plain, schemaTypeName } from '../types.js';

/** The calls of one collection, derived from paths and methods alone. */
export interface UsedResource {
  /** Path of the collection, or of the only object. */
  readonly base: string;
  /** Path of one object; undefined if no call has one. */
  readonly itemPath: string | undefined;
  /** Singular noun of the objects, such as `pet` for `/stores/{id}/pets`. */
  readonly noun: string;
  /** Undefined if there is only one object, which no call creates. */
  readonly create: DocumentedCall | undefined;
  readonly read: DocumentedCall | undefined;
  readonly list: DocumentedCall | undefined;
  readonly change: DocumentedCall | undefined;
  readonly remove: DocumentedCall | undefined;
}

/** Last words of paths where POST creates nothing. */
const ASKS = /^(?:search|query|batch|bulk|validate|verify|count|preview|export|estimate|token)$/i;

/** Resources that a client would use, parents first. */
export function usedResources(contract: Contract): readonly UsedResource[] {
  const byPath = new Map<string, DocumentedCall[]>();
  for (const call of contract.calls) byPath.set(call.path, [...(byPath.get(call.path) ?? []), call]);
  const found = [...byPath.keys()].flatMap((path) => resourceAt(contract, path, byPath) ?? []);
  return found.sort((a, b) => namesIn(a.base).length - namesIn(b.base).length);
}

function resourceAt(
  contract: Contract,
  path: string,
  byPath: ReadonlyMap<string, readonly DocumentedCall[]>,
): UsedResource | undefined {
  const isItem = path.endsWith('}');
  const base = isItem ? path.replace(/\/\{[^{}]+\}$/, '') : path;
  if (base === '' || base.endsWith('}') || /[?#]/.test(path)) return undefined;
  // A collection with calls of its own is handled there.
  if (isItem && byPath.has(base)) return undefined;
  const items = [...byPath].filter(
    ([each]) => each.startsWith(`${base}/{`) && /^\/\{[^{}/]+\}$/.test(each.slice(base.length)),
  );
  const [itemPath, item] = items.sort(([, a], [, b]) => b.length - a.length)[0] ?? [undefined, []];
  const own = byPath.get(base) ?? [];
  const of = (calls: readonly DocumentedCall[], method: string): DocumentedCall | undefined =>
    calls.find((call) => call.method === method);
  const common = {
    base,
    itemPath,
    noun: singular(snake(base.split('/').findLast((part) => !part.includes('{')) ?? '')),
  };
  const put = of(item, 'put');
  const create = [of(own, 'post'), itemPath === undefined ? undefined : of(own, 'put'), put].find(
    (each) => each && isSendable(contract, each),
  );
  const read = of(item, 'get');
  const list = returnsList(contract, of(own, 'get')) ? of(own, 'get') : undefined;
  const change = [of(item, 'patch'), put === create ? undefined : put, of(item, 'post')].find(
    (each) => each && isSendable(contract, each),
  );
  const remove = of(item, 'delete');
  if (create !== undefined && (read ?? list) !== undefined && !ASKS.test(base.split('/').at(-1) ?? ''))
    return { ...common, create, read, list, change, remove };
  const single = of(own, 'get');
  const changes = [of(own, 'patch'), of(own, 'put')].find((each) => each && isSendable(contract, each));
  if (itemPath !== undefined || single === undefined || changes === undefined || of(own, 'post') || list)
    return undefined;
  return { ...common, create: undefined, read: single, list: undefined, change: changes, remove: undefined };
}

/** Whether a call's body can be generated: it contains no files. */
function isSendable({ document }: Contract, { operation }: DocumentedCall): boolean {
  const body = documentBody(document, operation['requestBody']);
  if (body === undefined) return false;
  const { schema } = plain(document, body.schema);
  const files = Object.values(objectOr(schema['properties'])).some((each) => isFile(plain(document, each).schema));
  return !files && (isJson(body.type) || body.type.includes('form'));
}

/** Whether a call returns a list, or an object with a list. */
function returnsList({ document }: Contract, call: DocumentedCall | undefined): boolean {
  const body = call && successOf(document, call.operation)?.body;
  if (body === undefined) return false;
  const holds = (given: unknown, depth: number): boolean => {
    const { schema } = plain(document, given);
    if (schemaTypeName(schema) === 'array') return true;
    const options = ['oneOf', 'anyOf'].flatMap((key) => listOr(schema[key]));
    return (
      depth < 2 && [...Object.values(objectOr(schema['properties'])), ...options].some((each) => holds(each, depth + 1))
    );
  };
  return holds(body.schema, 0);
}
