/** Versions of the vendor's API: how each shows what the world holds, and what it is sent. */
export { type LinkedVersions, linkVersions, paramsOfVersions } from './link.js';
