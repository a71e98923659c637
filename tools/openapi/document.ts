import { Failure, Exit } from '../output.js';

/** A JSON object of the document. */
export type Node = Readonly<Record<string, unknown>>;

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

/** An OpenAPI document whose references are resolved; `nameOf` knows which schemas have names. */
export interface Document {
  readonly root: Node;
  readonly nameOf: (schema: unknown) => string | undefined;
}

/**
 * Reads an OpenAPI 3.0 or 3.1 document, JSON or YAML. References to other files are followed, those to the network are not.
 * @throws Failure when it cannot be read or is something else
 */
export async function readDocument(file: string): Promise<Document> {
  const { $RefParser } = await import('@apidevtools/json-schema-ref-parser');
  let read: unknown;
  try {
    read = await $RefParser.dereference(file, { resolve: { http: false }, dereference: { circular: true } });
  } catch (error) {
    throw wrong(file, error instanceof Error ? error.message : String(error));
  }
  const root = object(read);
  const version = text(root['openapi']);
  if (!/^3\.[01]/.test(version))
    throw wrong(
      file,
      version === '' ? 'this is no OpenAPI 3 document' : `OpenAPI ${version} is not supported, 3.0 and 3.1 are`,
    );
  if (Object.keys(object(root['paths'])).length === 0) throw wrong(file, 'it has no paths');
  const names = new Map(
    Object.entries(object(object(root['components'])['schemas'])).map(([name, schema]) => [schema, name]),
  );
  return { root, nameOf: (schema) => names.get(schema) };
}

function wrong(file: string, what: string): Failure {
  return new Failure(Exit.wrongInput, 'openapi_invalid', `${file}: ${what}`);
}

/** The value if it is an object, else an empty one. */
export function object(value: unknown): Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Parameters of an operation, those of its path included. */
export function parametersOf(path: Node, operation: Node): Node[] {
  const own = list(operation['parameters']).map(object);
  const shared = list(path['parameters']).map(object);
  return [
    ...own,
    ...shared.filter((each) => !own.some((other) => other['name'] === each['name'] && other['in'] === each['in'])),
  ];
}

/** The schema of a body, JSON preferred, and its media type. */
export function bodyOf(
  holder: unknown,
): { readonly schema: Node; readonly type: string; readonly example: unknown } | undefined {
  const content = object(object(holder)['content']);
  const types = Object.keys(content);
  const type = types.find((each) => /[/+]json\b/.test(each)) ?? types.find((each) => each.includes('form')) ?? types[0];
  if (type === undefined) return undefined;
  const media = object(content[type]);
  const examples = Object.values(object(media['examples'])).map((each) => object(each)['value']);
  return { schema: object(media['schema']), type, example: media['example'] ?? examples[0] };
}

/** The first successful answer of an operation. */
export function successOf(
  operation: Node,
): { readonly status: number; readonly body: ReturnType<typeof bodyOf> } | undefined {
  const responses = object(operation['responses']);
  const status = Object.keys(responses)
    .filter((each) => /^2(?:\d\d|XX)$/i.test(each))
    .sort()[0];
  if (status === undefined) return undefined;
  return { status: /^\d+$/.test(status) ? Number(status) : 200, body: bodyOf(responses[status]) };
}
