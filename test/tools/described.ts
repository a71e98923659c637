import { Document } from '../../tools/openapi/index.js';

/** The content of a request or a response, with an example of it. */
export const json = (schema: object, example?: unknown): object => ({
  content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
});

/** A schema of objects. */
export const object = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required,
});

/** A document with these paths, whose calls need a key. */
export function documentOf(paths: object): Document {
  const root = {
    openapi: '3.1.0',
    info: { title: 'Kites', version: '1' },
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    paths,
  };
  return new Document(root, root);
}
