import type { OtherPath } from '../program/index.js';
import type { Engine } from '../runtime/index.js';

/** Limit of rewrites for one request: the rewritten path may match another entry of `routes.also`. */
const MOST_STEPS = 3;

/**
 * Resolves a path that no route matches to the path of an operation, by `routes.also` of the pack; undefined if no object has
 * this address. In worlds with tenants only objects without a tenant are found.
 * @param url with or without a query
 */
export function addressMeantBy({ pack: { otherPaths }, world }: Engine, url: string): string | undefined {
  let at = url;
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = otherPaths.map((each) => ownOf(each, at)).find((found) => found !== undefined);
    if (next === undefined) break;
    at = next;
  }
  return at === url ? undefined : at;

  function ownOf({ resource, pattern, fields, as }: OtherPath, from: string): string | undefined {
    const found = pattern.exec(from);
    if (found === null) return undefined;
    const values = found.slice(1, -1).map(decoded);
    const rows = world.tenants.known(null, resource.index)?.ordered().all() ?? [];
    const row = rows.find((each) =>
      fields.every((name, n) => String(name === 'id' ? each.id : each.value[name]) === values[n]),
    );
    if (row === undefined) return undefined;
    return (
      as.replace(/\{(\w+)\}/g, (_, name: string) => encoded(String(name === 'id' ? row.id : row.value[name]))) +
      found[found.length - 1]
    );
  }
}

/** Encodes a value in a path, except slashes. */
function encoded(value: string): string {
  return value.split('/').map(encodeURIComponent).join('/');
}

/** Decodes a segment; a malformed one stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
