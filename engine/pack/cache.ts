import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../values/index.js';
import { installationFolder } from './installation.js';

/** Version of the cached format. Raise it when the same text would be parsed or checked differently. */
const FORMAT = 3;
/** Limits of the cache folder: number of files, and bytes. A large pack takes 2 MB, and every edit writes it again. */
const [MOST_FILES, MOST_BYTES] = [500, 64 * 2 ** 20];
/** Path, within the installation, of the packs that the release cached. */
const SHIPPED = ['dist', 'primed'];

interface Pointer {
  readonly hash: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** The hash of a pack's files whose metadata hasn't changed, and their names. */
interface Unchanged {
  readonly hash: string;
  readonly files: readonly (readonly [path: string, kind: string])[];
}

/** A folder's state when it was last parsed: the files' data, and the hash of each text. */
interface Recent {
  readonly texts: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, Json>>;
}

/**
 * A folder of parsed packs, by content hash: parsing YAML takes hundreds of milliseconds, JSON a few. Only packs without
 * problems are cached. Losing the folder, or not being able to write it, only costs time.
 */
export class PackCache {
  /** @param options `shipped`: a folder that is also searched; `readOnly`: the cache writes nothing */
  constructor(
    readonly folder: string,
    private readonly options: { readonly shipped?: string; readonly readOnly?: boolean } = {},
  ) {}

  /** Opens the cache in this installation's folder; it also reads the packs that the release cached. */
  static ofInstallation({ readOnly = false } = {}): PackCache {
    const root = installationFolder();
    return new PackCache(join(root, 'node_modules', '.cache', 'packs'), { shipped: join(root, ...SHIPPED), readOnly });
  }

  /** Opens the cache that the release contains, for writing. */
  static ofRelease(): PackCache {
    return new PackCache(join(installationFolder(), ...SHIPPED));
  }

  /** Returns the data of each file, by path, of a cached pack with this hash, parsed on access. Undefined: not cached. */
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

  /** Caches the data of a pack's files, as one byte per character, since V8 parses such texts twice as fast. */
  keepFiles(hash: string, files: Readonly<Record<string, Json>>): void {
    const texts = Object.entries(files).map(([path, data]) => [path, plain(JSON.stringify(data))] as const);
    const list = plain(JSON.stringify(texts.map(([path, text]) => [path, text.length])));
    this.#write([hash], `${list}\n${texts.map(([, text]) => text).join('')}`);
  }

  /** Returns a folder's cached hash and file names; undefined if files changed. @param signature of files and names */
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

  /** Returns the state of a folder when it was last parsed; undefined: not cached. */
  recent(dir: string): Recent | undefined {
    try {
      const { hash, texts } = JSON.parse(this.#read('utf8', 'recent', dir)) as Pointer;
      const files = this.files(hash);
      return files && { texts, files };
    } catch {
      return undefined;
    }
  }

  /** Stores the state of a folder. @param texts the hash of each file's text by path */
  keepRecent(dir: string, hash: string, texts: Readonly<Record<string, string>>): void {
    this.#write(['recent', dir], JSON.stringify({ hash, texts } satisfies Pointer));
  }

  /** Whether a pack passed a check. @param hash of the pack @param check hash that identifies the check */
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

  /** Reads a cached file. @throws if it isn't cached */
  #read(encoding: 'utf8' | 'latin1', ...parts: readonly string[]): string {
    const name = nameOf(parts);
    const { shipped } = this.options;
    const own = join(this.folder, name);
    return readFileSync(shipped === undefined || existsSync(own) ? own : join(shipped, name), encoding);
  }

  /** Writes a file under another name and renames it, so that readers never see an incomplete file. */
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
      // A cache that can't be written only costs time: every start parses the YAML.
    }
  }

  /** Removes the oldest files above the folder's limits. */
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

/** Computes one hash of several texts, which also depends on the boundaries between them. */
export function hashOf(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex');
}

function plain(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
