/** The vendor API over HTTP: decodes, authenticates and resolves requests, and sends the responses. */
export { vendorApi } from './api.js';
export { UNSUPPORTED_HEADER, unsupportedText } from './headers.js';
export { type FoundKey, Keys } from './keys.js';
export { OpenResponses } from './open-responses.js';
