import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ParserOptions } from '@apidevtools/json-schema-ref-parser';
import { parse } from 'yaml';
import { safeReferences } from './references.js';

/** Bytes of all files of a document together. The largest public documents have about 30 MB. */
const MAX_BYTES = 64 * 1024 * 1024;
/** How deep the data of one file may nest: far beyond any document, far below what recursion bears. */
const MAX_DEPTH = 256;
/** Aliases of one YAML file that may be resolved for each anchor, as the `yaml` package counts them. */
const MAX_ALIASES = 100;

/** Files that a document takes as they are: long descriptions. */
const MARKDOWN = /\.md$/i;

/** A file that a document may not reach, or data that no document needs. */
class DocumentRejected extends Error {}

/**
 * What the parser of references may read for a document: the document itself, and files of JSON, YAML or Markdown in its folder and below it. A
 * document may come from a stranger, who must not be able to copy other files of this machine into a pack.
 */
export class DocumentFiles {
  /** Why the document was rejected; the parser of references only says which file it was. */
  rejection: string | null = null;
  /** References that were dropped, each with its place. */
  readonly warnings: string[] = [];
  readonly #folder: string;
  readonly #root: string;
  #bytes = 0;

  /** @param file path of the document */
  constructor(file: string) {
    this.#folder = realpathSync(dirname(file));
    this.#root = realpathSync(file);
  }

  get options(): Pick<ParserOptions, 'resolve' | 'parse'> {
    const read = ({ url }: { url: string }): Buffer => this.#noting(() => this.#read(url));
    const parse = ({ data, url }: { data: unknown; url: string }): unknown =>
      this.#noting(() => {
        const path = pathOf(url);
        if (MARKDOWN.test(path)) return String(data);
        const tree = parsed(String(data));
        this.warnings.push(...safeReferences(tree, basename(path)));
        return tree;
      });
    return {
      resolve: { external: true, http: false, file: { order: 1, canRead: true, read } },
      parse: { json: false, text: false, binary: false, yaml: { order: 1, canParse: true, allowEmpty: true, parse } },
    };
  }

  #read(url: string): Buffer {
    const path = withinFolder(pathOf(url), this.#folder, this.#root);
    this.#bytes += statSync(path).size;
    if (this.#bytes > MAX_BYTES)
      throw new DocumentRejected(`the document and its files have more than ${MAX_BYTES} bytes`);
    return readFileSync(path);
  }

  #noting<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      this.rejection ??= error instanceof Error ? error.message : String(error);
      throw error;
    }
  }
}

/** @param url as the parser of references writes it: a path whose characters may be encoded, or a `file:` URL */
function pathOf(url: string): string {
  if (/^file:/i.test(url)) return fileURLToPath(url);
  if (/^[a-z][a-z0-9+.-]+:/i.test(url) || /^[\\/]{2}/.test(url))
    throw new DocumentRejected(`it refers to ${url}: references to the network are not followed`);
  return decodeURIComponent(url);
}

/** Where a path really leads. @throws DocumentRejected out of the folder of the document, or to something that is no JSON, YAML or Markdown */
function withinFolder(path: string, folder: string, root: string): string {
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    throw new DocumentRejected(`it refers to ${shown(path, folder)}, which is not there`);
  }
  if (real === root) return real;
  const way = relative(folder, real);
  if (way.split(sep)[0] === '..' || way === real)
    throw new DocumentRejected(
      `it refers to a file outside of its folder: ${path}. Put the files of a document into one folder, without links out of it`,
    );
  if (!(/\.(?:json|ya?ml)$/i.test(real) || MARKDOWN.test(real)) || !statSync(real).isFile())
    throw new DocumentRejected(`it refers to ${shown(path, folder)}, which isn't a JSON, YAML or Markdown file`);
  return real;
}

const shown = (path: string, folder: string): string => relative(folder, path) || path;

function parsed(text: string): unknown {
  const data: unknown = text.trimStart().startsWith('{') ? json(text) : parse(text, { maxAliasCount: MAX_ALIASES });
  checkDepth(data);
  return data;
}

/** JSON is read as what it is; what only looks like it is YAML. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parse(text, { maxAliasCount: MAX_ALIASES });
  }
}

/** @throws DocumentRejected for data that nests without end, which an alias within its own anchor does */
function checkDepth(data: unknown): void {
  let level: object[] = [data].filter(isObject);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new DocumentRejected(`it nests deeper than ${MAX_DEPTH} levels`);
    // Each object counts once a level: what aliases share stays as small as it is written.
    level = [...new Set(level.flatMap((each) => Object.values(each).filter(isObject)))];
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
