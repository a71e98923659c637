/** Packs made readable: a reference of everything, an explanation of one name. */
export { explain, nearest } from './explain.js';
export { reference } from './reference.js';
