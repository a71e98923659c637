import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ParserOptions } from '@apidevtools/json-schema-ref-parser';
import { parse } from 'yaml';
import { safeReferences } from './references.js';

/** Limit on the size of all files of a document together. The largest public documents have about 30 MB. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Limit on nesting depth: more than any real document, less than a stack overflow needs. */
const MAX_DEPTH = 256;
/** Maximum aliases per anchor of a YAML file, as the `yaml` package counts them. */
const MAX_ALIASES = 100;

/** Referenced files that are read as text, such as long descriptions. */
const MARKDOWN = /\.md$/i;

/** A reference to a file outside of the folder, or data beyond the limits. */
class DocumentRejected extends Error {}

/**
 * Reads the files of a document for the reference parser: the document itself, and JSON, YAML or Markdown files in or below its folder. Documents can
 * come from strangers, who must not be able to copy other files of this machine into a pack.
 */
export class DocumentFiles {
  /** Reason of the rejection; the reference parser reports only the file's name. */
  rejection: string | null = null;
  /** A warning for each dropped reference, with its location. */
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
        if (MARKDOWN.test(path) && realpathSync(path) !== this.#root) return String(data);
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

/** @param url as the reference parser passes it: a percent-encoded path or a `file:` URL */
function pathOf(url: string): string {
  if (/^file:/i.test(url)) return fileURLToPath(url);
  if (/^[a-z][a-z0-9+.-]+:/i.test(url) || /^[\\/]{2}/.test(url))
    throw new DocumentRejected(`it refers to ${url}: references to the network are not followed`);
  return decodeURIComponent(url);
}

/** Resolves symbolic links. @throws DocumentRejected if the file is outside of the document's folder, or is neither JSON, YAML nor Markdown */
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

/** Parses JSON; falls back to YAML. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parse(text, { maxAliasCount: MAX_ALIASES });
  }
}

/** @throws DocumentRejected for data that is nested too deeply, such as an alias inside its own anchor */
function checkDepth(data: unknown): void {
  let level: object[] = [data].filter(isObject);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new DocumentRejected(`it nests deeper than ${MAX_DEPTH} levels`);
    // Aliases share objects, so each object is visited once per level.
    level = [...new Set(level.flatMap((each) => Object.values(each).filter(isObject)))];
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
