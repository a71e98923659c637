import type { Json } from '../values/index.js';
import { nodeOffset, readYaml } from './convert.js';
import { type FileKind, TEXT_FILES } from './pack-files.js';
import { LineIndex, type Position } from './position.js';
import { offsetInScalar } from './scalar.js';
import { lower } from './short.js';
import type { Origins } from './short-form.js';
import { Anchors, isMergeKey, type Pair, parseYaml, yaml, type YAMLMap } from './yaml.js';

/** Keys and indexes from a file's top to a value. */
export type DataPath = readonly (string | number)[];

/** One YAML file of a pack: data at once, positions on demand. */
export class SourceFile {
  #lines: LineIndex | undefined;
  #tree: SourceTree | undefined;
  #text: string | (() => string);
  #data: Json | (() => Json);
  #origins: Origins | undefined;

  /**
   * @param text or a function that returns it
   * @param data or a function that returns it
   * @param path relative to the pack's folder, with `/`
   * @param broken whether part of the text was misread, so that checks of its content are pointless
   */
  constructor(
    readonly path: string,
    readonly kind: FileKind,
    text: string | (() => string),
    data: Json | (() => Json),
    readonly broken = false,
  ) {
    this.#text = text;
    this.#data = data;
  }

  /** The text of the file; read when first needed, if the file's data came from the cache. */
  get text(): string {
    if (typeof this.#text === 'function') this.#text = this.#text();
    return this.#text;
  }

  get data(): Json {
    if (typeof this.#data === 'function') this.#data = this.#data();
    return this.#data;
  }

  /**
   * Returns the position of the value (or key) at a path; for an unknown path, that of the nearest existing parent. @param
   * offset within the text there, as expressions report it
   */
  locate(path: DataPath, at: 'key' | 'value' = 'value', offset?: number): Position {
    if (Object.hasOwn(TEXT_FILES, this.path)) return this.position(offset ?? 0);
    return this.locateWritten(this.#written(path), at, offset);
  }

  /** Returns the position of a value (or key) by its path in the file as written, with short forms. */
  locateWritten(path: DataPath, at: 'key' | 'value' = 'value', offset?: number): Position {
    this.#tree ??= new SourceTree(this.text);
    return this.position(this.#tree.find(path, at, offset));
  }

  /** Converts a path of the long form to the path of the same part in the file. */
  #written(path: DataPath): DataPath {
    this.#origins ??= lower(this.kind, readYaml(this.text).data).origins;
    return this.#origins.of(path);
  }

  /** Returns the line and column of a character offset in the file. */
  position(offset: number): Position {
    this.#lines ??= new LineIndex(this.text);
    return this.#lines.at(offset);
  }
}

/** All files of a pack, with their data and locations. */
export class PackSource {
  /** @param hash of the names and contents of all files */
  constructor(
    readonly dir: string,
    readonly files: readonly SourceFile[],
    readonly hash: string,
  ) {}

  /** Returns the file of a kind that exists at most once; undefined: none. */
  one(kind: FileKind): SourceFile | undefined {
    return this.files.find((file) => file.kind === kind);
  }

  /** Lists all files of a kind, ordered by path. */
  all(kind: FileKind): SourceFile[] {
    return this.files.filter((file) => file.kind === kind);
  }
}

/** Whether a YAML node is missing or empty. */
function isBlank(node: unknown): boolean {
  return !yaml().isNode(node) || node.range?.[0] === node.range?.[1];
}

/** The YAML nodes of a file, which only positions in messages need, so the text is parsed a second time for them. */
class SourceTree {
  readonly #root: unknown;
  readonly #anchors: Anchors;

  constructor(private readonly text: string) {
    const document = parseYaml(text);
    this.#root = document.contents;
    this.#anchors = new Anchors(document);
  }

  /** Finds the character offset in the file of a value or key. @param offset within the text at the path */
  find(path: DataPath, at: 'key' | 'value', offset: number | undefined): number {
    let node = this.#root;
    let key: unknown;
    for (const step of path) {
      const child = this.#child(node, step);
      if (!child) return nodeOffset(key ?? node);
      ({ key, node } = child);
    }
    const wanted = at === 'key' || isBlank(node) ? (key ?? node) : node;
    const target = this.#anchors.resolve(wanted);
    if (offset === undefined || !yaml().isScalar(target)) return nodeOffset(wanted);
    // The long form of an expression begins with `${`; the short form begins with `=`, or with the name itself.
    const shift =
      wanted === key && at === 'value' ? 2 : typeof target.value === 'string' && target.value.startsWith('=') ? 1 : 0;
    return offsetInScalar(target, this.text, Math.max(0, offset - shift));
  }

  #child(parent: unknown, step: string | number): { key: unknown; node: unknown } | undefined {
    const { isMap, isSeq } = yaml();
    const node = this.#anchors.resolve(parent);
    if (isSeq(node) && typeof step === 'number' && step < node.items.length) {
      return { key: undefined, node: node.items[step] };
    }
    if (!isMap(node)) return undefined;
    const pair = this.#pair(node, String(step));
    return pair && { key: pair.key, node: pair.value };
  }

  /** Finds the pair with a key, in the map itself or in the maps that it merges. */
  #pair(map: YAMLMap, name: string): Pair | undefined {
    const { isMap, isScalar, isSeq } = yaml();
    const written = ({ key }: Pair): boolean =>
      isScalar(key) && (key.source ?? String(key.value)) === name && (name !== '<<' || !isMergeKey(key));
    const own = map.items.find(written);
    if (own) return own;
    for (const { key, value } of map.items) {
      if (!isMergeKey(key)) continue;
      const merged = this.#anchors.resolve(value);
      for (const each of isSeq(merged) ? merged.items : [merged]) {
        const source = this.#anchors.resolve(each);
        const found = isMap(source) ? this.#pair(source, name) : undefined;
        if (found) return found;
      }
    }
    return undefined;
  }
}
