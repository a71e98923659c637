/** The vendor's API over HTTP: decode, authenticate, resolve, answer. */
export { vendorApi } from './api.js';
export { type FoundKey, Keys, TOKEN } from './keys.js';
export { OpenResponses } from './open-responses.js';
