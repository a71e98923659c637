/** Packs made readable: a reference of everything, an explanation of one name. */
export { explain, nearest } from './explain.js';
export { overview, stateOf, type VendorCall } from './overview.js';
export { MADE, type Pages, referencePages, relinked } from './pages.js';
export { reference } from './reference.js';
