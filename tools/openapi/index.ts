/** OpenAPI documents as packs. */
export { readDocument } from './document.js';
export { type Imported, importDocument } from './import.js';
