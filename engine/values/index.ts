export { closeBudget, withBudget, openBudget, spendTurns, spendText } from './budget.js';
export { keysOfBrackets } from './bracket-keys.js';
export { keysOfFragment, keysOfPointer, pathOfPointer } from './json-pointer.js';
export { pathText, jsonSchemaProblem, schemaProblems } from './json-schema.js';
export { ExpressionFailure, type Json, type JsonObject, OutOfRange, TooMuchWork } from './json-value.js';
export { textFor } from './pattern-text.js';
export { BadPattern, patternProblem, packPattern, type TextPattern, textPattern, automatonOf } from './pattern.js';
export { sizeBytes } from './size.js';
export { endOf } from './steps.js';
export {
  addReferences,
  base64Later,
  bufferOf,
  byteCount,
  type ByteStore,
  ByteStoreFull,
  BytesLost,
  bytesOfText,
  type BytesPiece,
  type BytesSlice,
  type ByteWriter,
  chunksOf,
  digestOfBytes,
  INLINE_BYTES,
  isBytesText,
  isStored,
  partsOfText,
  piecesOfSlices,
  referenceText,
  type SentPart,
  slicesOf,
  STORED_CODING,
  type StoredBytes,
  textOfBytes,
  useByteStore,
} from './stored-bytes.js';
export { jsonLength } from './text-size.js';
export { synthesize, synthesisProblem } from './synthesis.js';
export {
  asBoolean,
  asList,
  asMap,
  asNumber,
  asText,
  define,
  equal,
  headerText,
  isList,
  isObject,
  isRecord,
  sharedText,
  lazy,
  member,
  putAt,
  toText,
  canonical,
} from './values.js';
