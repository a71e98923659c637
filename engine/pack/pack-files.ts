/** The kind of a pack file; also the name of its JSON Schema. */
export type FileKind =
  | 'pack'
  | 'types'
  | 'errors'
  | 'resource'
  | 'flow'
  | 'table'
  | 'causes'
  | 'magic'
  | 'scenarios'
  | 'browser'
  | 'mcp'
  | 'graphql'
  | 'sdl'
  | 'actors'
  | 'facts'
  | 'tells'
  | 'page'
  | 'version'
  | 'seed'
  | 'example'
  | 'task'
  | 'company';

/** Files at the top of a pack folder. */
export const SINGLE_FILES: Readonly<Record<string, FileKind>> = {
  'pack.yaml': 'pack',
  'types.yaml': 'types',
  'errors.yaml': 'errors',
  'causes.yaml': 'causes',
  'magic.yaml': 'magic',
  'scenarios.yaml': 'scenarios',
  'browser.yaml': 'browser',
  'mcp.yaml': 'mcp',
  'graphql.yaml': 'graphql',
  'actors.yaml': 'actors',
  'facts.yaml': 'facts',
  'tells.yaml': 'tells',
};

/** Files at the top that aren't YAML: their data is their text. */
export const TEXT_FILES: Readonly<Record<string, FileKind>> = { 'schema.graphql': 'sdl' };

/** Folders with any number of files of one kind. */
export const FOLDERS: Readonly<Record<string, FileKind>> = {
  resources: 'resource',
  flows: 'flow',
  tables: 'table',
  pages: 'page',
  versions: 'version',
  seeds: 'seed',
  examples: 'example',
  tasks: 'task',
};

/** Folders whose files may also be one level deeper: `flows/AREA/NAME.yaml`. */
export const WITH_AREAS: ReadonlySet<string> = new Set(['flows']);

/** Kinds of files that contain seed data, examples, tasks and the like: they use a pack's names but declare none. */
export const USES: ReadonlySet<FileKind> = new Set(['seed', 'example', 'task', 'actors', 'tells']);

/** Every kind of YAML file, each with a schema `schemas/<kind>.schema.json`. */
export const FILE_KINDS: readonly FileKind[] = [...Object.values(SINGLE_FILES), ...Object.values(FOLDERS), 'company'];
