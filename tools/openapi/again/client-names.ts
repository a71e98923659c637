import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { snake } from '../names.js';

/** What the types of a vendor's client call things. */
export interface ClientNames {
  /** Names of types of objects, in snake case: `payment_link`. */
  readonly types: ReadonlySet<string>;
  /** Codes of errors. */
  readonly codes: ReadonlySet<string>;
  /** Beginnings of ids by the names of their types, such as `tr_` of a payment. */
  readonly prefixes: ReadonlyMap<string, string>;
}

/** Types are small; what is larger is a bundle. */
const MOST_BYTES = 4_000_000;
const MOST_FILES = 5_000;

/** Reads the names in a folder of an installed client: those of its declarations (`.d.ts`), which are never run. */
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
    // `@example tr_7UhSN1zuXS` above `id` of an interface.
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
