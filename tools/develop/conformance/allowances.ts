import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { installation } from '../../command/installation.js';

/** Known differences between the vendor's responses and the client's declarations. */
export interface Allowances {
  /** Undeclared keys that may be present, with any value, by declaration. */
  keys: Readonly<Record<string, readonly string[]>>;
  /** Undeclared values of a string enum, by its field. */
  values: Readonly<Record<string, readonly string[]>>;
  /** Declared keys that responses lack, by declaration. */
  clientOnly: Readonly<Record<string, readonly string[]>>;
  /** Keys that identify bodies which no client declares: those of the vendor's command-line tool. */
  undeclared: readonly string[];
  /** Names of API objects that this client version doesn't declare; their bodies aren't checked. */
  objects: readonly string[];
}

const FILE = join(installation(), 'tools', 'develop', 'conformance', 'allowances.yaml');

export const allowances = parse(readFileSync(FILE, 'utf8')) as Allowances;
