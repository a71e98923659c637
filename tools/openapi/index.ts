export { Contract } from './contract.js';
export { Document, readDocument } from './document.js';
export { CONTRACT_FILE, type Imported, importDocument, NOTES_FILE } from './import.js';
