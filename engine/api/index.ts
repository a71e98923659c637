/** The vendor's API over HTTP: decode, authenticate, resolve, answer. */
export { vendorApi } from './api.js';
export { EventStreams } from './stream.js';
