/** The vendor plane over HTTP: decode, authenticate, resolve, answer. */
export { createApp } from '../http/app.js';
export { KeyGuard, otherKey } from '../http/auth.js';
export { createHttpServer } from '../http/server.js';
