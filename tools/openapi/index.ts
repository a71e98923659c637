export { Contract } from './contract.js';
export { Document, readDocument } from './document.js';
export { FORMATS } from './facts.js';
export { documentFacts, factsFile, FACTS_FILE, type FactsSource, routeShape } from './facts-file.js';
export { CONTRACT_FILE, type Imported, importDocument, NOTES_FILE } from './import.js';
