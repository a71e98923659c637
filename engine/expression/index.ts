export { compileExpression } from './compile.js';
export { type Compiled, compiledObject, fixed, sameObject, sharedObject } from './compiled.js';
export type { FlowFunction, Environment, Table } from './environment.js';
export type { Dated, Host, Shaped } from './host.js';
export { functions, methods } from './functions.js';
export { specials } from './specials.js';
export { access, bare, isInherited, scriptLiteral, objectLiteral, safeAccess } from './javascript.js';
export {
  ORIGIN,
  asSeen,
  textWithoutOrigin,
  valueWithOrigin,
  valueWithoutOrigin,
  withOrigin,
  withoutOrigin,
  worldOfKey,
  worldTag,
} from './origin.js';
export { type Holder, Scope, type Variable, WatchedScope } from './scope.js';
export {
  computeFlow,
  hasOwn,
  itemsOf,
  LastMade,
  LastPut,
  ownMember,
  unlessSame,
  unlessSameItems,
  wholeNumber,
} from './support.js';
export { type SourcePlace, SourceTexts } from './texts.js';
export { CodeRejected, type Js, type PlacedLine, requireCode, CodeUnit } from './unit.js';
export { compileBare, compileTemplate, expressionsIn, knownTexts, TemplateError } from './template.js';
export { type ExpressionNode, parse } from './parse.js';
export * from './types.js';
