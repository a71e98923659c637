/** Readable packs: a whole reference, or the explanation of one name. */
export { nameReference, nearest } from './explain.js';
export { MADE, type Pages, referencePages } from './pages.js';
export { reference } from './reference.js';
export { stateOf, type VendorCall } from './vendor-calls.js';
