import type { Json } from '../values/index.js';
import { essential, located } from './located.js';
import type { PackSchemas } from './schemas.js';
import { type DataPath, PackSource, SourceFile } from './source.js';
import type { Position } from './position.js';

/** The parts of a pack that its schemas accept, so that these can be checked. */
export interface Pruned {
  readonly source: PackSource;
  /** Words in the removed parts; a problem that names one of these words may only follow from the removal. */
  readonly words: ReadonlySet<string>;
}

/** Maximum number of times that a file is checked again after a removal, which may make its container invalid. */
const ROUNDS = 50;

/**
 * Removes the parts that violate a schema, the smallest first; files that can't be read, or are empty afterwards, are removed
 * as a whole.
 */
export function prune(source: PackSource, schemas: PackSchemas): Pruned {
  const words = new Set<string>();
  const files = source.files.flatMap((file) => {
    if (file.kind === 'sdl') return [file];
    if (!file.broken) {
      const kept = pruneFile(file, schemas, words);
      if (kept !== undefined) return [kept];
    }
    note(file.text, words);
    return [];
  });
  return { source: new PackSource(source.dir, files, source.hash), words };
}

function pruneFile(file: SourceFile, schemas: PackSchemas, words: Set<string>): SourceFile | undefined {
  const indexes: Indexes = new WeakMap();
  let { data } = file;
  for (let round = 0; round < ROUNDS; round++) {
    const errors = schemas.errors(file.kind, data);
    if (errors.length === 0) return round === 0 ? file : new PrunedFile(file, data, indexes);
    const found = located(errors, data);
    const wrong = essential(found);
    const paths = (wrong.length > 0 ? wrong : found).map(({ error, path }): DataPath => {
      const params: Readonly<Record<string, unknown>> = error.params;
      const key = error.propertyName ?? params['additionalProperty'];
      return typeof key === 'string' ? [...path, key] : path;
    });
    // Removes the deepest parts first, since their containers may be valid then, and later list items first, so that indexes
    // stay valid.
    const depth = Math.max(...paths.map((path) => path.length));
    if (depth === 0) return undefined;
    const deepest = new Map(paths.filter((path) => path.length === depth).map((path) => [JSON.stringify(path), path]));
    for (const path of [...deepest.values()].sort((a, b) => Number(b.at(-1)) - Number(a.at(-1)) || 0)) {
      for (const step of path) if (typeof step === 'string') note(step, words);
      data = without(data, path, indexes, words);
    }
  }
  return undefined;
}

/** For each list that lost items, the original index of each remaining item. */
type Indexes = WeakMap<readonly Json[], readonly number[]>;

function without(value: Json, [step, ...rest]: DataPath, indexes: Indexes, words: Set<string>): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const at = Number(step);
    const places = indexes.get(items) ?? items.map((_, index) => index);
    if (rest.length > 0) {
      const made = items.map((item, index) => (index === at ? without(item, rest, indexes, words) : item));
      indexes.set(made, places);
      return made;
    }
    note(JSON.stringify(items[at] ?? null), words);
    const made = items.filter((_, index) => index !== at);
    indexes.set(
      made,
      places.filter((_, index) => index !== at),
    );
    return made;
  }
  const members = Object.entries(value as Readonly<Record<string, Json>>);
  if (rest.length > 0)
    return Object.fromEntries(
      members.map(([key, item]) => [key, key === step ? without(item, rest, indexes, words) : item]),
    );
  note(JSON.stringify(Object.fromEntries(members.filter(([key]) => key === step))), words);
  return Object.fromEntries(members.filter(([key]) => key !== step));
}

function note(text: string, words: Set<string>): void {
  for (const [word] of text.matchAll(/\w+/g)) words.add(word);
}

/** A file without its removed parts, whose locations are those in the whole file. */
class PrunedFile extends SourceFile {
  constructor(
    private readonly whole: SourceFile,
    data: Json,
    private readonly indexes: Indexes,
  ) {
    super(whole.path, whole.kind, whole.text, data);
  }

  override locate(path: DataPath, at: 'key' | 'value' = 'value', offset?: number): Position {
    let value: unknown = this.data;
    const original = path.map((step) => {
      const places = Array.isArray(value) ? this.indexes.get(value as readonly Json[]) : undefined;
      const place = places !== undefined && typeof step === 'number' ? (places[step] ?? step) : step;
      value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
      return place;
    });
    return this.whole.locate(original, at, offset);
  }
}
