import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../values/index.js';
import { installationFolder } from './installation.js';

/** Raise it when the same text would be read or checked differently. */
const FORMAT = 3;
/** What the folder may hold: a large pack is 2 MB, and those who edit one write it with every change. */
const [MOST_FILES, MOST_BYTES] = [500, 64 * 2 ** 20];
/** What the packs of a release came to when it was built. */
const SHIPPED = ['dist', 'primed'];

interface Pointer {
  readonly hash: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** The hash of a folder's files, and which ones they are. */
interface Unchanged {
  readonly hash: string;
  readonly files: readonly (readonly [path: string, kind: string])[];
}

/** What is known of a folder's files from the last time. */
interface Recent {
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

  /** The data of each file by its path, parsed when it is asked for, if a pack with this hash was read before. */
  files(hash: string): Readonly<Record<string, Json>> | undefined {
    try {
      const all = this.#read('latin1', hash);
      const end = all.indexOf('\n');
      const files = {};
      let at = end + 1;
      for (const [path, length] of JSON.parse(all.slice(0, end)) as [string, number][]) {
        const from = at;
        const to = (at += length);
        let value: Json | undefined;
        const get = (): Json => (value ??= JSON.parse(all.slice(from, to)) as Json);
        Object.defineProperty(files, path, { get, enumerable: true });
      }
      return at === all.length ? files : undefined;
    } catch {
      return undefined;
    }
  }

  /** One character is one byte: of texts like that V8 parses twice as much in the same time. */
  keepFiles(hash: string, files: Readonly<Record<string, Json>>): void {
    const texts = Object.entries(files).map(([path, data]) => [path, plain(JSON.stringify(data))] as const);
    const list = plain(JSON.stringify(texts.map(([path, text]) => [path, text.length])));
    this.#write([hash], `${list}\n${texts.map(([, text]) => text).join('')}`);
  }

  /** What the files of a folder came to when they were last read; undefined: they are others now. @param signature of its files, and of all their names */
  unchanged(dir: string, signature: string): Unchanged | undefined {
    try {
      const found = JSON.parse(this.#read('utf8', 'unchanged', dir)) as Unchanged & { readonly signature: string };
      return found.signature === hashOf([signature]) ? found : undefined;
    } catch {
      return undefined;
    }
  }

  keepUnchanged(dir: string, signature: string, unchanged: Unchanged): void {
    this.#write(['unchanged', dir], JSON.stringify({ signature: hashOf([signature]), ...unchanged }));
  }

  /** The pack that was last read from a folder: which texts its files had (as hashes), and their data. */
  recent(dir: string): Recent | undefined {
    try {
      const { hash, texts } = JSON.parse(this.#read('utf8', 'recent', dir)) as Pointer;
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
      return this.#read('utf8', hash, check) !== '';
    } catch {
      return false;
    }
  }

  keepPassed(hash: string, check: string): void {
    this.#write([hash, check], '{}');
  }

  /** @throws when it is not kept */
  #read(encoding: 'utf8' | 'latin1', ...parts: readonly string[]): string {
    const name = nameOf(parts);
    const { shipped } = this.options;
    const own = join(this.folder, name);
    return readFileSync(shipped === undefined || existsSync(own) ? own : join(shipped, name), encoding);
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

  /** Removes what was written longest ago, beyond what the folder may hold. */
  #prune(): void {
    const names = readdirSync(this.folder).filter((name) => name.endsWith('.json'));
    const files = names.map((name) => ({ name, stat: statSync(join(this.folder, name)) }));
    let bytes = 0;
    for (const [index, { name, stat }] of files.sort((a, b) => b.stat.mtimeMs - a.stat.mtimeMs).entries()) {
      bytes += stat.size;
      if (bytes > MOST_BYTES || index >= MOST_FILES) rmSync(join(this.folder, name), { force: true });
    }
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

function plain(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
