/** The model of a pack: names, types, settings, tables and errors, linked and checked. */
export {
  ANONYMOUS_KEY,
  engineError,
  ENGINE_ERRORS,
  NO_REQUEST,
  type RenderedError,
  type RequestInfo,
  TOKEN_KEY,
} from './errors.js';
export type * from './files.js';
export { publicValue } from './hidden.js';
export type { IdFormat } from './ids.js';
export { emptyScope, inside, keyIn, Diagnostics, type SourcePath, type SourceLocation } from './diagnostics.js';
export { type ListSettings, type Paging, readLists } from './lists.js';
export { linkModel, type Model } from './model.js';
export { isPinnable, pinPathsOf } from './pins.js';
export {
  collectionConfig,
  parentField,
  type ResourceDef,
  type Sequence,
  storedFields,
  timersOf,
  waitTrigger,
} from './resource.js';
export { parseFields, parseParams, parseSchema, TYPE_NAMES } from './parse-schema.js';
export { type SchemaContext } from './schema-context.js';
export type { RateLimitSettings } from './rate-limits.js';
export {
  anySchema,
  type ArraySchema,
  attributesOf,
  type EnumSchema,
  type MapSchema,
  type NumberSchema,
  type ObjectSchema,
  type OneOfSchema,
  type RefSchema,
  rulesOf,
  type Schema,
  schemaAt,
  type SchemaKind,
  type TextSchema,
  typeOfFields,
  typeOfShown,
  visitSchema,
  type Condition,
  type ParamRule,
  RULE_KINDS,
  type RuleSet,
} from './schema.js';
export { endpointNames, type EventKindSettings, rejectsUnknown, type Settings, type VersionList } from './settings.js';
export { type Wait } from './waits.js';
export { referringFields } from './referring.js';
export { glob } from './glob.js';
export { ALL_STEP_KINDS, isStep, type PlacedStep, stepsBelow, stepsOfFile } from './steps.js';
export { type BrokenRule, brokenRule, brokenParamRules } from './broken-rules.js';
export { linkRule, linkRules, ruleSet } from './param-rules.js';
export { blank, completed, fieldsMisfit, hasTemplate, misfit, neutral, withInstants } from './values.js';
export { conditionHeaders } from './conditions.js';
