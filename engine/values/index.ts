export { closeBudget, counted, openBudget, spendTurns, spendText } from './budget.js';
export { keysOfFragment, keysOfPointer, pathOfPointer } from './json-pointer.js';
export { pathText, schemaMistake, schemaProblems } from './json-schema.js';
export { ExpressionFailure, type Json, type JsonObject } from './json-value.js';
export {
  BadPattern,
  patternMistake,
  packPattern,
  type PatternMistake,
  type TextPattern,
  textPattern,
  automatonOf,
} from './pattern.js';
export { LastMade, unlessSame, unlessSameItems } from './last-made.js';
export { synthesize, synthesisMistake } from './synthesis.js';
export {
  asBoolean,
  asList,
  asMap,
  asNumber,
  asText,
  define,
  equal,
  isList,
  isObject,
  member,
  putAt,
  toText,
  canonical,
} from './values.js';
