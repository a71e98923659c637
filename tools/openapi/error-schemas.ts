import type { Json } from '../../engine/values/index.js';
import { documentBody, type Document, isJson, METHODS, objectOr } from './document.js';
import { plain, schemaTypeName } from './types.js';

/** The error body of one operation. */
interface DocumentedError {
  /** Method and path. */
  readonly call: string;
  /** 0: any status. */
  readonly status: number;
  readonly schema: unknown;
  readonly examples: readonly Json[];
}

/** Error bodies with the same keys are one format. */
interface ErrorShape {
  readonly schema: unknown;
  readonly count: number;
  /** Method and path of the operations that use it. */
  readonly calls: readonly string[];
}

/** All error bodies of a document. */
export interface DocumentedErrors {
  readonly all: readonly DocumentedError[];
  /** Error formats, most common first. */
  readonly shapes: readonly ErrorShape[];
}

/** Collects the error bodies of all responses. */
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

/** Groups error bodies by their keys, most common first. */
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
