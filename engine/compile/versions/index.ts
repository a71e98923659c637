/** Versions of the vendor's API: how each one shows objects, and which parameters it takes. */
export { type LinkedVersions, linkVersions, paramsOfVersions } from './link.js';
