export { closeBudget, withBudget, openBudget, spendTurns, spendText } from './budget.js';
export { keysOfFragment, keysOfPointer, pathOfPointer } from './json-pointer.js';
export { pathText, schemaMistake, schemaProblems } from './json-schema.js';
export { ExpressionFailure, type Json, type JsonObject } from './json-value.js';
export { BadPattern, patternMistake, packPattern, type TextPattern, textPattern, automatonOf } from './pattern.js';
export { synthesize, synthesisMistake } from './synthesis.js';
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
  LastMade,
  LastPut,
  lazy,
  member,
  putAt,
  toText,
  canonical,
  unlessSame,
  unlessSameItems,
} from './values.js';
