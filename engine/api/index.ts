/** The vendor API over HTTP: decodes, authenticates and resolves requests, and sends the responses. */
export { vendorApi } from './api.js';
export { UNSUPPORTED_HEADER, unsupportedText } from './send.js';
export { Keys } from './stages/authenticate.js';
export type { FoundKey } from './visit.js';
export { OpenResponses } from './open-responses.js';
