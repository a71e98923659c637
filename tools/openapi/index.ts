export { Contract } from './contract.js';
export { Document, readDocument } from './document.js';
export { FORMATS } from './facts.js';
export {
  changedOperations,
  documentFacts,
  factsFile,
  FACTS_FILE,
  type FactsOperations,
  type FactsSource,
} from './facts-file.js';
export { graphqlFacts } from './facts-graphql.js';
export { type Imported, importDocument } from './import.js';
export { CONTRACT_FILE, NOTES_FILE } from './notes-file.js';
