import { Document } from '../../tools/openapi/index.js';

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
