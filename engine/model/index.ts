/** The model of a pack: names, shapes, settings, tables and errors, linked and checked. */
export {
  engineError,
  ENGINE_ERRORS,
  type ErrorDef,
  NO_REQUEST,
  type RenderedError,
  REQUEST_TYPE,
  type RequestInfo,
} from './errors.js';
export type * from './files.js';
export { publicValue } from './hidden.js';
export type { IdFormat } from './ids.js';
export { emptyScope, inside, Linking, type Path, type Place } from './linking.js';
export { linkModel, type Model } from './model.js';
export { isPinnable, pinPathsOf } from './pins.js';
export { collectionConfig, type ResourceDef, storedFields } from './resource.js';
export { anything, parseFields, parseSchema, type Schema, type SchemaContext, typeOfFields } from './schema.js';
export { glob, type NamedDuration, type Settings } from './settings.js';
export type { PackTable } from './tables.js';
export { blank, completed, fieldsMisfit, hasTemplate, misfit, type Misfit, neutral } from './values.js';
