/** The vendor API over HTTP: decode, authenticate, resolve, respond. */
export { vendorApi } from './api.js';
export { UNSUPPORTED_HEADER, unsupportedText } from './headers.js';
export { type FoundKey, Keys } from './keys.js';
export { OpenResponses } from './open-responses.js';
