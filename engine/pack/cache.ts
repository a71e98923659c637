import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../values/index.js';
import { installationFolder } from './installation.js';

/** Raise it when the same text would be read or checked differently. */
const FORMAT = 1;
const KEPT = 32;
/** What the packs of a release came to when it was built. */
const SHIPPED = ['dist', 'primed'];

interface Pointer {
  readonly hash: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** What is known of a folder's files from the last time. */
export interface Recent {
  readonly texts: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, Json>>;
}

/**
 * A folder of what was read from packs before, named by content: YAML takes hundreds of milliseconds to parse, JSON a
 * few. Only packs without problems are kept. Losing the folder, or not being able to write it, costs time only.
 */
export class PackCache {
  /** @param options `shipped` is looked into for what `folder` does not have; `readOnly`: nothing is written */
  constructor(
    readonly folder: string,
    private readonly options: { readonly shipped?: string; readonly readOnly?: boolean } = {},
  ) {}

  /** The cache that belongs to this installation, with what came with it. */
  static ofInstallation({ readOnly = false } = {}): PackCache {
    const root = installationFolder();
    return new PackCache(join(root, 'node_modules', '.cache', 'packs'), { shipped: join(root, ...SHIPPED), readOnly });
  }

  /** What a release takes along, for writing. */
  static ofRelease(): PackCache {
    return new PackCache(join(installationFolder(), ...SHIPPED));
  }

  /** The data of each file by its path, if a pack with this hash was read before. */
  files(hash: string): Readonly<Record<string, Json>> | undefined {
    try {
      const files: unknown = JSON.parse(this.#read(hash));
      return isRecord(files) ? files : undefined;
    } catch {
      return undefined;
    }
  }

  keepFiles(hash: string, files: Readonly<Record<string, Json>>): void {
    this.#write([hash], JSON.stringify(files));
  }

  /** The pack that was last read from a folder: which texts its files had (as hashes), and their data. */
  recent(dir: string): Recent | undefined {
    try {
      const { hash, texts } = JSON.parse(this.#read('recent', dir)) as Pointer;
      const files = this.files(hash);
      return files && { texts, files };
    } catch {
      return undefined;
    }
  }

  /** @param texts the hash of each file's text by its path */
  keepRecent(dir: string, hash: string, texts: Readonly<Record<string, string>>): void {
    this.#write(['recent', dir], JSON.stringify({ hash, texts } satisfies Pointer));
  }

  /** Whether a pack with this hash passed a check with that hash. */
  passed(hash: string, check: string): boolean {
    try {
      return this.#read(hash, check) !== '';
    } catch {
      return false;
    }
  }

  keepPassed(hash: string, check: string): void {
    this.#write([hash, check], '{}');
  }

  /** @throws when nobody kept it */
  #read(...parts: readonly string[]): string {
    const name = nameOf(parts);
    const { shipped } = this.options;
    const own = join(this.folder, name);
    return readFileSync(shipped === undefined || existsSync(own) ? own : join(shipped, name), 'utf8');
  }

  /** Written beside and renamed, so that a reader never sees half a file. */
  #write(parts: readonly string[], text: string): void {
    if (this.options.readOnly) return;
    const path = join(this.folder, nameOf(parts));
    try {
      mkdirSync(this.folder, { recursive: true });
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, text);
      renameSync(draft, path);
      this.#prune();
    } catch {
      // A read-only installation: every start reads its YAML.
    }
  }

  #prune(): void {
    const names = readdirSync(this.folder).filter((name) => name.endsWith('.json'));
    if (names.length <= KEPT) return;
    const aged = names
      .map((name) => ({ name, at: statSync(join(this.folder, name)).mtimeMs }))
      .sort((a, b) => b.at - a.at);
    for (const { name } of aged.slice(KEPT)) rmSync(join(this.folder, name), { force: true });
  }
}

function nameOf(parts: readonly string[]): string {
  return `${hashOf([String(FORMAT), ...parts]).slice(0, 32)}.json`;
}

/** One hash of several texts that depends on where each ends. */
export function hashOf(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex');
}

function isRecord(value: unknown): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
