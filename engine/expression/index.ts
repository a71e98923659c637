/** The expression language: CEL's grammar over JSON values, checked when a pack loads and run as closures. */
export { closeBudget, openBudget, spendTurns } from './budget.js';
export { type Compiled, compileExpression, define } from './compile.js';
export type { Environment, Table } from './environment.js';
export { functions, methods } from './functions.js';
export {
  type Evaluate,
  ExpressionFailure,
  type Frame,
  frameOf,
  type Host,
  type Json,
  type JsonObject,
} from './host.js';
export { pathText, schemaMistake, schemaProblems } from './json-schema.js';
export { type Decoded, decodeJson, textOf } from './json.js';
export { ORIGIN, withOrigin } from './origin.js';
export { FrameLayout, type Holder, Scope, type Variable } from './scope.js';
export { BadPattern, patternMistake, type PatternMistake, type TextPattern, textPattern } from './pattern.js';
export { compileBare, compileTemplate, TemplateError } from './template.js';
export * from './types.js';
export {
  asBoolean,
  asList,
  asMap,
  asNumber,
  asText,
  equal,
  isList,
  isObject,
  member,
  putAt,
  toText,
} from './values.js';
export { copyAny } from './copiers.js';
export { Layout, layoutOf } from './layout.js';
