import { type Json, packPattern, toText } from '../values/index.js';
import { type Environment, type FlowFunction, type Host, NUMBER, SourceTexts, STRING } from '../expression/index.js';
import { ProblemList, type PackSource, type SourceFile, suggest, USES } from '../pack/index.js';
import { readInstant, writeInstant } from '../world/index.js';
import { withConditions } from './conditions.js';
import { checkEngineErrors, type ErrorDef, linkErrors, requestType } from './errors.js';
import type { ErrorsFile, PackFile, ScenariosFile, TableFile, TypesFile, VersionFile } from './files.js';
import { formatsByPrefix, type IdFormat, isNumbered } from './ids.js';
import { emptyScope, inside, keyIn, Diagnostics, type SourceLocation } from './diagnostics.js';
import { NamedTypes } from './parse-schema.js';
import { type SchemaContext } from './schema-context.js';
import { linkResource, type ResourceDef, resourceTypes } from './resource.js';
import type { Format } from './schema.js';
import { readSettings } from './read-settings.js';
import type { Settings } from './settings.js';
import { linkTable } from './tables.js';
import { type PackTable } from './pack-table.js';

/** The declarations of a pack, apart from its behavior: settings, types, tables, errors. */
export interface Model {
  readonly source: PackSource;
  /** The location of pack.yaml, for problems. */
  readonly packPlace: SourceLocation;
  readonly diagnostics: Diagnostics;
  readonly settings: Settings;
  readonly env: Environment & { readonly flows: Map<string, FlowFunction> };
  readonly context: SchemaContext;
  readonly resources: readonly ResourceDef[];
  readonly byName: ReadonlyMap<string, ResourceDef>;
  readonly byCollection: ReadonlyMap<string, ResourceDef>;
  readonly tables: ReadonlyMap<string, PackTable>;
  readonly errors: ReadonlyMap<string, ErrorDef & { check(): void }>;
  /** Compiles an id format in `ids` of pack.yaml for a prefix. */
  readonly idFormat: (prefix: string, format: string) => IdFormat;
  /** Replaces `${vars.x}` in a text by the pack's variables. */
  readonly fill: (text: string) => string;
  /** Whether responses hide, as far as possible, that the sandbox emulates the vendor (`--set realistic=on`). */
  readonly realistic: boolean;
  /** Names of durations that compiled parts of the pack use. */
  readonly usedDurations: Set<string>;
}

/** Variables that every pack has, with their defaults. */
const EVERY_PACK = { realistic: 'off' };

/**
 * Links the declarations of a pack whose files passed their schemas.
 * @param overrides values of `serve --set`; a dot in a name means an underscore (`account.country`)
 * @param debug compiled functions carry source maps
 */
export function linkModel(
  source: PackSource,
  overrides: Readonly<Record<string, string>> = {},
  problems = new ProblemList(),
  debug = false,
  passed = false,
): Model {
  const diagnostics = new Diagnostics(problems);
  const packFile = packFileOf(source);
  const pack = withConditions(packFile.data as PackFile, source);
  const root: SourceLocation = { file: packFile, path: [] };
  const vars = new Map<string, string>();
  const given = Object.fromEntries(
    Object.entries(overrides).map(([name, value]) => [name.replaceAll('.', '_'), value]),
  );
  const time = pack.timestamps ?? 'iso8601';
  const usedDurations = new Set<string>();
  const environment = {
    texts: new SourceTexts(source.dir, debug),
    resources: new Map() as Environment['resources'],
    tables: new Map<string, PackTable>(),
    vars,
    flows: new Map<string, FlowFunction>(),
    durations: new Set(Object.keys(pack.durations ?? {})),
    useDuration: (name: string) => void usedDurations.add(name),
    idFormats: new Set(Object.entries(pack.ids ?? {}).flatMap(([name, each]) => (isNumbered(each) ? [] : name))),
    scenarioValues: providedValues(source),
    rateLimits: new Set(Object.keys(pack.rate_limits ?? {})),
    switches: switchesOf(source),
    hasTenants: pack.tenants !== undefined,
    scopes: pack.auth?.tokens?.scopes === undefined ? undefined : { asked: false },
    timestamp: time === 'unix' ? NUMBER : STRING,
    actor: pack.auth?.actor?.resource,
    request: requestType(
      pack.request_headers ?? {},
      Object.keys(pack.cookies ?? {}),
      Object.keys(pack.request_params ?? {}),
    ),
    fromMs: (ms: number) => writeInstant(time, ms),
    toMs: readInstant,
    suggest,
  };
  for (const [name, value] of Object.entries({ ...EVERY_PACK, ...pack.vars, ...given })) {
    const scope = emptyScope();
    const compiled = diagnostics.template(inside(root, 'vars', name), value, scope, environment);
    vars.set(name, toText(scope.unit.expression(['x'], compiled)(NO_HOST)));
  }
  const fill = (text: string): string => {
    const stands = () => placeOf(text, source) ?? keyIn(root, 'vars');
    const filled = text.replace(/\$\{\s*vars\.(\w+)\s*\}/g, (_, name: string) => {
      const value = vars.get(name);
      if (value !== undefined) return value;
      diagnostics.unknown(stands(), 'variable', name, vars.keys());
      return '';
    });
    if (filled.includes('${'))
      diagnostics.problem(stands(), 'expression', 'only variables are possible here, such as ${vars.title}');
    return filled;
  };
  const resourceFiles = source.all('resource');
  const context: SchemaContext = {
    diagnostics,
    timestamp: environment.timestamp,
    resourceNames: new Set(resourceFiles.map((file) => String((file.data as { resource: Json }).resource))),
    formats: linkFormats(pack),
    named: namedTypes(source),
    tableRows: new Map(source.all('table').map(({ data }) => [(data as TableFile).table, (data as TableFile).rows])),
    tables: () => environment.tables,
    fieldsOf: (name) => byName.get(name)?.schema.fields,
    vars,
    switches: environment.switches,
  };
  for (const name of Object.keys(given)) {
    if (!(name in (pack.vars ?? {})) && !(name in EVERY_PACK))
      diagnostics.unknown(keyIn(root, 'vars'), 'variable', name, Object.keys(pack.vars ?? {}));
  }
  const resources = resourceFiles.map((file, index) =>
    linkResource(index, { file, path: [] }, pack, context, fill, passed),
  );
  const byName = uniqueBy(resources, (resource) => resource.name, 'resource', diagnostics);
  environment.resources = resourceTypes(resources);
  for (const file of source.all('table')) {
    const table = linkTable(file.data as TableFile, { file, path: [] }, context, time);
    const other = environment.tables.get(table.name);
    for (const each of other ? [other, table] : [])
      diagnostics.problem(inside(each.place, 'table'), 'duplicate-table', `two tables are called '${table.name}'`);
    environment.tables.set(table.name, table);
  }
  const settings = readSettings(pack, root, diagnostics, fill);
  const lives = [...settings.cookies.values()].map(({ maxAge }) => maxAge ?? 0);
  for (const wait of [...settings.retries, settings.idempotency?.retention ?? 0, ...lives])
    if (typeof wait !== 'number') usedDurations.add(wait.name);
  const errorsFile = source.one('errors');
  const errorsPlace: SourceLocation = errorsFile ? { file: errorsFile, path: [] } : root;
  const written = (errorsFile?.data as ErrorsFile | undefined) ?? { envelope: { error: '=error' }, errors: {} };
  const errors = linkErrors(written, errorsPlace, context, environment);
  checkEngineErrors(errors, written.errors, errorsPlace, diagnostics);
  return {
    source,
    packPlace: root,
    diagnostics,
    settings,
    env: environment,
    context,
    resources,
    byName,
    byCollection: uniqueBy(resources, (resource) => resource.collection, 'collection', diagnostics),
    tables: environment.tables,
    errors,
    idFormat: formatsByPrefix(pack.ids ?? {}, fill),
    fill,
    realistic: vars.get('realistic') === 'on',
    usedDurations,
  };
}

function packFileOf(source: PackSource): SourceFile {
  const file = source.one('pack');
  if (!file) throw new Error('the pack has no pack.yaml');
  return file;
}

/** Finds the first location in a pack's files of a text, as a key or a value. */
function placeOf(text: string, source: PackSource): SourceLocation | undefined {
  const look = (value: Json, place: SourceLocation): SourceLocation | undefined => {
    if (value === text) return place;
    if (typeof value !== 'object' || value === null) return undefined;
    for (const [key, item] of Object.entries(value)) {
      const at = inside(place, Array.isArray(value) ? Number(key) : key);
      const found = key === text ? keyIn(at) : look(item, at);
      if (found) return found;
    }
    return undefined;
  };
  for (const file of source.files) {
    const found = USES.has(file.kind) ? undefined : look(file.data, { file, path: [] });
    if (found) return found;
  }
  return undefined;
}

function uniqueBy(
  resources: readonly ResourceDef[],
  key: (resource: ResourceDef) => string,
  what: 'resource' | 'collection',
  diagnostics: Diagnostics,
): Map<string, ResourceDef> {
  const found = new Map<string, ResourceDef>();
  for (const resource of resources) {
    const other = found.get(key(resource));
    for (const each of other ? [other, resource] : []) {
      diagnostics.problem(
        inside(each.place, what),
        `duplicate-${what}`,
        `two resources have the ${what} '${key(resource)}'`,
      );
    }
    found.set(key(resource), resource);
  }
  return found;
}

function linkFormats(pack: PackFile): Map<string, Format> {
  return new Map(
    Object.entries(pack.formats ?? {}).map(([name, file]) => [
      name,
      { name, title: file.title ?? name, pattern: packPattern(file.pattern) },
    ]),
  );
}

function namedTypes(source: PackSource): NamedTypes {
  const file = source.one('types');
  const data = (file?.data ?? {}) as TypesFile;
  return new NamedTypes(
    new Map(
      Object.entries(data).map(([name, value]) => [name, { value, place: { file: file as SourceFile, path: [name] } }]),
    ),
  );
}

function providedValues(source: PackSource): Set<string> {
  const file = source.one('scenarios');
  const data = file?.data as ScenariosFile | undefined;
  return new Set((data?.scenarios ?? []).flatMap((scenario) => Object.keys(scenario.provide ?? {})));
}

/** Names of the version switches that the pack's versions declare, for `version.has`. */
function switchesOf(source: PackSource): Set<string> {
  const changes = source.all('version').flatMap(({ data }) => (data as VersionFile).changes);
  return new Set(changes.flatMap(({ switches = [] }) => switches));
}

/** Variables are constants, so their templates can't read the world. */
const NO_HOST: Host = new Proxy({} as Host, {
  get: (_, key) => {
    if (key === 'baseUrl') return '';
    throw new Error('variables are settled before there is a world');
  },
});
