import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { snake } from '../names.js';

/** Names read from the type declarations of a vendor's client library. */
export interface ClientNames {
  /** Names of object types, in snake case: `payment_link`. */
  readonly types: ReadonlySet<string>;
  /** Error codes. */
  readonly codes: ReadonlySet<string>;
  /** Prefixes of ids by type name, such as `tr_` of a payment. */
  readonly prefixes: ReadonlyMap<string, string>;
}

/** Limits on the declarations that are read: larger files are bundles, not types. */
const MOST_BYTES = 4_000_000;
const MOST_FILES = 5_000;

/** Reads the names in an installed client library from its declarations (`.d.ts`). Runs none of its code. */
export function clientNames(folder: string): ClientNames {
  const types = new Set<string>();
  const codes = new Set<string>();
  const prefixes = new Map<string, string>();
  for (const file of declarationsIn(folder)) {
    const text = readFileSync(file, 'utf8');
    for (const [, name] of text.matchAll(/\b(?:interface|class|type) ([A-Z]\w+)/g)) types.add(snake(name));
    for (const [, name, values] of text.matchAll(
      /\b(?:type|enum) (\w*Error\w*(?:Code|Key|Name|Type)s?)\b[^;}]*?[={]([^;}]+)[;}]/g,
    ))
      if (name !== '') for (const [, code] of values.matchAll(/['"]([a-z][a-z0-9_]{2,60})['"]/g)) codes.add(code);
    // Matches `@example tr_7UhSN1zuXS` above `id` of an interface.
    for (const [, name, prefix] of text.matchAll(
      /\b(?:interface|class) ([A-Z]\w+)[^{]*\{(?:(?!\binterface\b|\bclass\b)[\s\S]){0,600}?(?:@example|[Ee]xample:?|e\.g\.)\s*[`'"]?([a-z]{2,8}_)[A-Za-z0-9]{6,}[\s\S]{0,200}?\bid\??:/g,
    ))
      prefixes.set(snake(name), prefix);
  }
  return { types, codes, prefixes };
}

function declarationsIn(folder: string): string[] {
  const found: string[] = [];
  const look = (at: string): void => {
    for (const name of readdirSync(at)) {
      if (found.length >= MOST_FILES || name === 'node_modules') continue;
      const path = join(at, name);
      const { size, isDirectory } = { size: statSync(path).size, isDirectory: statSync(path).isDirectory() };
      if (isDirectory) look(path);
      else if (/\.d\.[cm]?ts$/.test(name) && size <= MOST_BYTES) found.push(path);
    }
  };
  look(folder);
  return found;
}
