import { keysOfFragment } from '../../engine/values/index.js';
import { Exit, Failure } from '../command/output.js';
import { DocumentFiles } from './document-files.js';
import { withDataReferences, withDataResolved } from './references.js';
import { nullInEnums, settled } from './settle.js';

/** A JSON object of the document. */
export type Node = Readonly<Record<string, unknown>>;

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

/** An OpenAPI document as one OpenAPI 3.1 tree, whatever its version and number of files. */
export class Document {
  #pointers: WeakMap<object, string> | undefined;
  #heirs: ReadonlyMap<string, readonly unknown[]> | undefined;

  /**
   * @param original the document in its own version, as one file
   * @param warnings about parts that can't be read
   */
  constructor(
    readonly root: Node,
    readonly original: unknown,
    readonly warnings: readonly string[] = [],
  ) {}

  /** Returns a value as an object and follows `$ref`; keys beside `$ref` override those of its target. Other values become an empty object. */
  at(value: unknown): Node {
    let node = objectOr(value);
    for (let steps = 0; typeof node['$ref'] === 'string' && steps < 50; steps++) {
      const { $ref, ...beside } = node;
      const target = objectOr(this.find(textOr($ref)));
      const more = Object.keys(beside).some((key) => key !== 'description' && key !== 'summary');
      node = more ? { ...target, ...beside } : target;
    }
    return node;
  }

  /** Resolves a reference within the document, such as `#/components/schemas/Pet`. */
  find(ref: string): unknown {
    if (!ref.startsWith('#')) return undefined;
    return keysOfFragment(ref.slice(1)).reduce<unknown>(
      (node, key) => (Array.isArray(node) ? (node as unknown[])[Number(key)] : objectOr(node)[key]),
      this.root,
    );
  }

  /** The name of a referenced schema: the last part of its `$ref`. */
  nameOf(schema: unknown): string | undefined {
    const ref = textOr(objectOr(schema)['$ref']);
    return /^#\/components\/schemas\/([^/]+)$/.exec(ref)?.[1];
  }

  /** Subtypes of a schema with a discriminator: the schemas whose `allOf` refers to it. */
  heirsOf(schema: unknown): readonly unknown[] {
    const name = this.nameOf(schema);
    const base = name === undefined ? {} : this.at(schema);
    if (!('discriminator' in base) || 'oneOf' in base || 'anyOf' in base) return [];
    this.#heirs ??= heirsIn(this.root);
    return this.#heirs.get(`#/components/schemas/${name}`) ?? [];
  }

  /** The JSON pointer of an object in the tree; undefined if the object isn't part of it. */
  pointerOf(node: object): string | undefined {
    this.#pointers ??= pointersOf(this.root);
    return this.#pointers.get(node);
  }
}

/** Finds all subtypes, by the reference to their base schema. */
function heirsIn(root: Node): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const [name, schema] of Object.entries(objectOr(objectOr(root['components'])['schemas'])))
    for (const part of listOr(objectOr(schema)['allOf'])) {
      const base = textOr(objectOr(part)['$ref']);
      if (base === '') continue;
      found.set(base, [...(found.get(base) ?? []), { $ref: `#/components/schemas/${name}` }]);
    }
  return found;
}

function pointersOf(root: Node): WeakMap<object, string> {
  const found = new WeakMap<object, string>();
  const walk = (value: unknown, pointer: string): void => {
    if (typeof value !== 'object' || value === null || found.has(value)) return;
    found.set(value, pointer);
    for (const [key, each] of Object.entries(value))
      walk(each, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  };
  walk(root, '');
  return found;
}

/**
 * Reads a Swagger 2.0, OpenAPI 3.0 or 3.1 document, in JSON or YAML. Follows references to other files in its folder (document-files.ts).
 * @throws Failure if it can't be read or is no such document
 */
export async function readDocument(file: string): Promise<Document> {
  const { $RefParser } = await import('@apidevtools/json-schema-ref-parser');
  const { upgrade } = await import('@scalar/openapi-upgrader');
  const files = new DocumentFiles(file);
  let read: unknown;
  try {
    read = await $RefParser.bundle(file, files.options);
  } catch (error) {
    throw wrong(file, files.rejection ?? (error instanceof Error ? error.message : String(error)));
  }
  const given = objectOr(read);
  const version = textOr(given['openapi']) || textOr(given['swagger']);
  if (!/^(?:2\.0|3\.[01])/.test(version))
    throw wrong(
      file,
      version === '' ? 'this is no OpenAPI document' : `OpenAPI ${version} is not supported; 2.0, 3.0 and 3.1 are`,
    );
  if (Object.keys(objectOr(given['paths'])).length === 0) throw wrong(file, 'it has no paths');
  // The upgrade modifies its argument.
  let upgraded: unknown;
  try {
    upgraded = upgrade(nullInEnums(structuredClone(given)), '3.1');
  } catch (error) {
    throw wrong(file, error instanceof Error ? error.message : String(error));
  }
  const settledRoot = settled(upgraded);
  const root = withDataResolved(settledRoot, settledRoot);
  withDataReferences(root);
  withDataReferences(given);
  return new Document(objectOr(root), given, files.warnings);
}

function wrong(file: string, what: string): Failure {
  return new Failure(Exit.wrongInput, 'openapi_invalid', `${file}: ${what}`);
}

/** Returns a value if it is an object, else an empty object. */
export function objectOr(value: unknown): Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {};
}

export function listOr(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOr(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Parameters of an operation, including those of its path. */
export function parametersOf(document: Document, path: Node, operation: Node): Node[] {
  const resolved = (holder: Node): Node[] => listOr(holder['parameters']).map((each) => document.at(each));
  const own = resolved(operation);
  const shared = resolved(path);
  return [
    ...own,
    ...shared.filter((each) => !own.some((other) => other['name'] === each['name'] && other['in'] === each['in'])),
  ];
}

/** A request or response body: media type, schema and examples. */
interface DocumentBody {
  readonly type: string;
  /** Unresolved, often a `$ref`. */
  readonly schema: unknown;
  readonly examples: readonly unknown[];
}

/** The body of a request or response; JSON is preferred. */
export function documentBody(document: Document, holder: unknown): DocumentBody | undefined {
  const content = document.at(document.at(holder)['content']);
  const types = Object.keys(content);
  const type = types.find(isJson) ?? types.find((each) => each.includes('form')) ?? types[0];
  if (type === undefined) return undefined;
  const media = document.at(content[type]);
  const named = Object.values(objectOr(media['examples'])).map((each) => document.at(each)['value']);
  const examples = [media['example'], ...named].filter((each) => each !== undefined);
  return { schema: media['schema'], type, examples };
}

/** Whether a media type is JSON. */
export function isJson(type: string): boolean {
  return /[/+]json\b/.test(type) || type === '*/*';
}

/** The successful response of an operation: the first 2xx, else a redirect, else `default`. */
export function successOf(
  document: Document,
  operation: Node,
): { readonly status: number; readonly response: Node; readonly body: DocumentBody | undefined } | undefined {
  const responses = objectOr(operation['responses']);
  const sorted = Object.keys(responses).sort();
  const status =
    sorted.find((each) => /^2(?:\d\d|XX)$/i.test(each)) ??
    sorted.find((each) => /^30\d$/.test(each) && each !== '304') ??
    sorted.find((each) => each === 'default');
  if (status === undefined) return undefined;
  const response = document.at(responses[status]);
  return { status: /^\d+$/.test(status) ? Number(status) : 200, response, body: documentBody(document, response) };
}
