import { randomBytes } from 'node:crypto';
import { loadPack } from '../compile/index.js';
import { type PackCache, packFolder, type PackSource, type Problem } from '../pack/index.js';
import type { Program } from '../program/index.js';
import { type Store, StoreError } from '../store/index.js';

/** Thrown for a pack with errors. */
export class PackInvalid extends Error {
  /** The source that was read; not enumerable, so that printing the error omits it. */
  declare readonly source: PackSource;

  constructor(
    readonly problems: readonly Problem[],
    source: PackSource,
  ) {
    const errors = problems.filter((problem) => problem.severity === 'error');
    super(
      `the pack has ${errors.length} error${errors.length === 1 ? '' : 's'}; the first: ${errors[0]?.file}:${errors[0]?.line}:${errors[0]?.column} ${errors[0]?.message}`,
    );
    Object.defineProperty(this, 'source', { value: source, enumerable: false });
  }
}

/** A pack whose worlds a server serves. */
interface ServedPack {
  readonly program: Program;
  readonly folder: string;
}

/** Options for reading the packs of a server. */
interface ProgramsOptions {
  /** The first world's pack. */
  readonly pack: string;
  readonly packs?: readonly string[];
  readonly vars?: Readonly<Record<string, string>>;
  readonly cache?: PackCache;
  /** Reports the phases of reading the first pack. */
  readonly onPhase?: (phase: string) => void;
}

/** The packs of a server by name, the first world's first. */
export class Programs {
  readonly #byName = new Map<string, ServedPack>();

  /** Reads and compiles packs. @throws PackInvalid if one has errors */
  constructor({ pack, packs = [], vars, cache, onPhase }: ProgramsOptions) {
    for (const [index, given] of [pack, ...packs].entries()) {
      const folder = packFolder(given);
      const loaded = loadPack(folder, { vars, cache, ...(index === 0 ? { onPhase } : {}) });
      if (!loaded.pack) throw new PackInvalid(loaded.problems, loaded.source);
      this.#byName.set(loaded.pack.model.settings.name, { program: loaded.pack, folder });
    }
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  get all(): readonly Program[] {
    return [...this.#byName.values()].map(({ program }) => program);
  }

  /** The first world's pack. */
  get first(): ServedPack {
    return this.of(this.names[0]);
  }

  /** The pack with a name. @throws Error if it isn't served */
  of(name: string): ServedPack {
    const found = this.#byName.get(name);
    if (!found) throw new Error(`pack '${name}' is not served here`);
    return found;
  }

  /** A new random key for a world of this pack. */
  newKey(name: string): string {
    const { keyPrefix, keyLength } = this.of(name).program.model.settings.auth;
    return mintKey(keyPrefix, keyLength);
  }
}

/** The name of a server's first world. */
export const firstWorldName = 'main';

/**
 * Finds or creates the first world of a store; of several processes only one creates it.
 * @param given the world's key; random by default
 * @returns the world; its key is null if the world already existed and none was given
 */
export async function firstWorld(
  store: Store,
  programs: Pick<Programs, 'names' | 'newKey'>,
  given: string | undefined,
): Promise<{ readonly id: string; readonly key: string | null }> {
  const known = await store.find(firstWorldName);
  if (known) return { id: known.id, key: given ?? null };
  const pack = programs.names[0];
  const key = given ?? programs.newKey(pack);
  try {
    const { id } = await store.create({ name: firstWorldName, key, pack, expires: null });
    return { id, key };
  } catch (error) {
    if (error instanceof StoreError && error.code === 'taken') return firstWorld(store, programs, given);
    throw error;
  }
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A new random key. Random characters come in groups of eight, so that secret scanners don't take it for a vendor's. */
export function mintKey(prefix: string, length: number): string {
  let random = '';
  while (random.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && random.length < length) random += BASE62[byte % 62];
  return prefix + random.replace(/.{8}(?=.)/g, '$&_');
}
