/** The expression language: CEL's grammar over JSON values, checked when a pack loads and run as JavaScript. */
export { closeBudget, counted, openBudget, spendTurns } from './budget.js';
export { compileExpression } from './compile.js';
export { type Compiled, compiledObject, fixed } from './compiled.js';
export type { Environment, Shaped, Table } from './environment.js';
export { formText } from './form-text.js';
export { functions, methods } from './functions.js';
export { specials } from './specials.js';
export { ExpressionFailure, type Host, type Json, type JsonObject } from './host.js';
export { access, bare, isInherited, literal, objectLiteral, safeAccess } from './javascript.js';
export { keysOfFragment, keysOfPointer } from './json-pointer.js';
export { pathText, schemaMistake, schemaProblems } from './json-schema.js';
export { type Decoded, decodeJson, textOf } from './json.js';
export { decodingJson } from './large-json.js';
export { ORIGIN, withOrigin, withoutOrigin, worldOfKey, worldTag } from './origin.js';
export { type Holder, Scope, type Variable } from './scope.js';
export { hasOwn, itemsOf } from './support.js';
export {
  BadPattern,
  patternMistake,
  packPattern,
  type PatternMistake,
  type TextPattern,
  textPattern,
} from './pattern.js';
export { type SourcePlace, Texts } from './texts.js';
export { CodeRefused, type Js, type PlacedLine, requireCode, Unit } from './unit.js';
export { compileBare, compileTemplate, TemplateError } from './template.js';
export { synthesize } from './synthesis.js';
export * from './types.js';
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
} from './values.js';
