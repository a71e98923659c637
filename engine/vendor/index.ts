/** The vendor plane over HTTP: decode, authenticate, resolve, answer. */
export { createApp } from './app.js';
export { KeyGuard, otherKey } from './auth.js';
export { createHttpServer } from './host.js';
