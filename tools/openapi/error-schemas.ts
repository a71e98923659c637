import type { Json } from '../../engine/values/index.js';
import { documentBody, type Document, isJson, METHODS, objectOr } from './document.js';
import { plain, schemaTypeName } from './types.js';

/** The body of an error of one operation. */
interface DocumentedError {
  /** Method and path of the operation. */
  readonly call: string;
  /** 0: of any status. */
  readonly status: number;
  readonly schema: unknown;
  readonly examples: readonly Json[];
}

/** One form of errors: those whose bodies have the same keys. */
interface ErrorShape {
  readonly schema: unknown;
  readonly count: number;
  /** Method and path of the operations that have it. */
  readonly calls: readonly string[];
}

/** What a document has of errors. */
export interface DocumentedErrors {
  readonly all: readonly DocumentedError[];
  /** The forms, the commonest first. */
  readonly shapes: readonly ErrorShape[];
}

/** Bodies of errors in all responses of a document. */
export function errorsIn(document: Document): DocumentedErrors {
  const all = Object.entries(objectOr(document.root['paths'])).flatMap(([path, item]) =>
    METHODS.flatMap((method) =>
      Object.entries(objectOr(objectOr(document.at(item)[method])['responses'])).flatMap(([status, response]) => {
        if (!/^(?:[45]|default)/.test(status)) return [];
        const body = documentBody(document, response);
        if (body === undefined || !isJson(body.type)) return [];
        const { schema } = plain(document, body.schema);
        if (!['object', 'array'].includes(schemaTypeName(schema)) && !('oneOf' in schema) && !('anyOf' in schema))
          return [];
        const examples = [...body.examples, schema['example']].filter(
          (each) => typeof each === 'object' && each !== null,
        );
        return [
          { call: `${method} ${path}`, status: Number(status) || 0, schema: body.schema, examples: examples as Json[] },
        ];
      }),
    ),
  );
  return { all, shapes: shapesOf(document, all) };
}

/** Forms of errors by the keys of their bodies, the commonest first. */
export function shapesOf(document: Document, found: readonly DocumentedError[]): ErrorShape[] {
  const shapes = new Map<string, { schema: unknown; count: number; calls: string[] }>();
  for (const { call, schema } of found) {
    const own = plain(document, schema).schema;
    const key = Object.keys(objectOr(own['properties'])).join(' ') || JSON.stringify(own).slice(0, 200);
    const known = shapes.get(key) ?? { schema, count: 0, calls: [] };
    known.count++;
    known.calls.push(call);
    shapes.set(key, known);
  }
  return [...shapes.values()].sort((a, b) => b.count - a.count);
}
