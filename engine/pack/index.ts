/** Reads a pack's folder: data, locations, problems, and the JSON Schemas of its files. */
export { hashOf, PackCache } from './cache.js';
export { type FormatOptions, formatProblems } from './format.js';
export { installedFile, installedFiles, packageVersion, packFolder, releasedVersion } from './installation.js';
export { missingPack, noSuchPack } from './known-packs.js';
export { FILE_KINDS, type FileKind, FOLDERS, SINGLE_FILES, TEXT_FILES, USES, WITH_AREAS } from './pack-files.js';
export type { Position } from './position.js';
export { type Problem, type ProblemDetails, ProblemList, sortProblems } from './problem.js';
export { readFile, readPack, readText } from './read.js';
export { ARGUMENTS, LITERAL, NAMING } from './short.js';
export { asParam } from './short-params.js';
export { isRegularExpression } from './schemas.js';
export { type PackSignature, packSignature } from './signature.js';
export { type DataPath, PackSource, SourceFile } from './source.js';
export { STEP_KINDS, STEP_LISTS } from './step-kinds.js';
export { didYouMean, notThis, suggest } from './suggest.js';
export { pruned, validateFileSchema, validateSchemas } from './validate.js';
