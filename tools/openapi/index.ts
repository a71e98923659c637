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
export { CONTRACT_FILE, type Imported, importDocument, NOTES_FILE } from './import.js';
