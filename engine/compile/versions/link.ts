import { type Json, type JsonObject, lazy, packPattern, type TextPattern } from '../../values/index.js';
import { type Host, type Shaped } from '../../expression/index.js';
import {
  type ChangeFile,
  inside,
  keyIn,
  type OperationChangeFile,
  type SourceLocation,
  type ResourceDef,
  type Schema,
  type VersionFile,
  type VersionList,
} from '../../model/index.js';
import type { Operation, Version, ApiVersions, VersionShape } from '../../program/index.js';
import type { Compiler } from '../context.js';
import { addedParams, changedCall, type LinkedCall } from './calls.js';
import { changedFields } from './fields.js';
import { planShape, type ResourceShape } from './plan.js';

/** Linked versions, with the parts that only their check needs. */
export interface LinkedVersions extends ApiVersions {
  /** Compiles everything now, so that problems are reported. */
  check(): void;
}

interface Linked extends Version {
  readonly names: ReadonlySet<string>;
  readonly later: TextPattern | null;
  readonly fields: ReadonlyMap<number, ReadonlyMap<string, Schema>>;
  readonly calls: ReadonlyMap<string, LinkedCall>;
  readonly check: () => void;
}

/** Links the versions of a pack; null if it has none. Problems are reported in the versions' files. */
export function linkVersions(operations: readonly Operation[], compiler: Compiler): LinkedVersions | null {
  const { model } = compiler;
  const { versions } = model.settings;
  const files = filesOf(compiler);
  if (versions === null || versions.list === null) return null;
  const { list, current } = versions;
  const byKey = new Map(operations.map((operation) => [operation.key, operation]));
  const all: Linked[] = [baseOf(list, files, byKey, compiler)];
  for (const { file, place } of files) all.push(linkVersion(file, place, all[all.length - 1], byKey, compiler));
  const find = finder(all, list);
  if (list.reportedBy !== null && !compiler.passed) checkKindField(list.reportedBy, compiler);
  const account = find(current, false);
  if (account === undefined)
    model.diagnostics.unknown(
      inside(model.packPlace, 'versions', 'current'),
      'version',
      current,
      all.flatMap(({ names }) => [...names]),
    );
  return {
    all,
    current: account?.version ?? all[0],
    find,
    check: () => {
      for (const each of all) each.check();
    },
  };
}

/** Reports `versions.told_by` if it isn't a constant field of any resource, which identifies the kind of an object. */
function checkKindField(name: string, { model }: Compiler): void {
  const constants = model.resources.flatMap(({ schema }) =>
    [...schema.fields].filter(([, { kind }]) => kind === 'const').map(([field]) => field),
  );
  if (!constants.includes(name))
    model.diagnostics.unknown(inside(model.packPlace, 'versions', 'told_by'), 'field', name, new Set(constants));
}

/** The parameters that versions add to operations, by the operation's key: its steps see them. */
export function paramsOfVersions(compiler: Compiler): (key: string) => ReadonlyMap<string, Schema> {
  const changes = lazy(() => {
    const found = new Map<string, (readonly [OperationChangeFile, SourceLocation])[]>();
    for (const { change, place } of filesOf(compiler, true).flatMap(changesOf))
      for (const [key, each] of Object.entries(change.operations ?? {}))
        if (each.add) found.set(key, [...(found.get(key) ?? []), [each, inside(place, 'operations', key)]]);
    return found;
  });
  return (key) => {
    const own = changes().get(key);
    return own === undefined ? NO_PARAMS : addedParams(own, compiler);
  };
}

const NO_PARAMS: ReadonlyMap<string, Schema> = new Map();

interface PlacedFile {
  readonly file: VersionFile;
  readonly place: SourceLocation;
}

/** The files of versions in the order of pack.yaml. @param quiet whether not to report their problems */
function filesOf({ model, diagnostics }: Compiler, quiet = false): PlacedFile[] {
  const found = new Map<string, PlacedFile>();
  const place = inside(model.packPlace, 'versions', 'newer');
  const newer = model.settings.versions?.list?.newer ?? [];
  for (const source of model.source.all('version')) {
    const each = { file: source.data as VersionFile, place: { file: source, path: [] } };
    if (!quiet) diagnostics.known(inside(each.place, 'version'), 'version', each.file.version, newer);
    found.set(each.file.version, each);
  }
  return newer.flatMap((name, index) => {
    const file = found.get(name);
    if (file) return [file];
    if (!quiet)
      diagnostics.problem(inside(place, index), 'no-version-file', `no file in versions/ is of the version '${name}'`);
    return [];
  });
}

function changesOf({ file, place }: PlacedFile): { readonly change: ChangeFile; readonly place: SourceLocation }[] {
  return file.changes.map((change, index) => ({ change, place: inside(place, 'changes', index) }));
}

/** The version in which resources are written. It lacks what `from` of a later version adds. */
function baseOf(
  { base, same }: VersionList,
  files: readonly PlacedFile[],
  operations: ReadonlyMap<string, Operation>,
  { diagnostics }: Compiler,
): Linked {
  const lacks = new Set<string>();
  for (const { change, place } of files.flatMap(changesOf)) {
    for (const [key, { exists }] of Object.entries(change.operations ?? {})) {
      diagnostics.known(keyIn(place, 'operations', key), 'operation', key, operations);
      if (exists === true) lacks.add(key);
    }
  }
  const nothing = { fields: new Map(), calls: new Map(), switches: new Set<string>(), changes: [], later: null };
  return { ...nothing, name: base, names: new Set([base, ...same]), shape: null, lacks, check: () => undefined };
}

function linkVersion(
  file: VersionFile,
  place: SourceLocation,
  before: Linked,
  operations: ReadonlyMap<string, Operation>,
  compiler: Compiler,
): Linked {
  const { model } = compiler;
  const fields = new LaterFields(before.fields);
  const calls = new Map(before.calls);
  const lacks = new Set(before.lacks);
  const switches = new Set(before.switches);
  for (const { change, place: at } of changesOf({ file, place })) {
    for (const [name, each] of Object.entries(change.resources ?? {})) {
      const def = model.byName.get(name);
      const where = inside(at, 'resources', name);
      if (!def) compiler.diagnostics.unknown(keyIn(where), 'resource', name, model.byName.keys());
      else {
        const was = fields.promised(def.index);
        fields.promise(def.index, () => changedFields(was() ?? def.schema.fields, each, where, model.context));
        if (!compiler.passed) fields.get(def.index);
      }
    }
    for (const [key, each] of Object.entries(change.operations ?? {})) {
      const operation = operations.get(key);
      if (each.exists === true) lacks.delete(key);
      if (each.exists === false) lacks.add(key);
      if (operation) calls.set(key, lazyCall(operation, calls.get(key), each, inside(at, 'operations', key), compiler));
    }
    for (const name of change.switches ?? []) switches.add(name);
  }
  const { shape, check } = linkShape(file.version, fields, before.fields, compiler);
  return {
    name: file.version,
    names: new Set([file.version, ...(file.same ?? [])]),
    later: file.later === undefined ? null : packPattern(file.later),
    shape,
    fields,
    calls,
    lacks,
    switches,
    changes: file.changes.map(({ title }) => title),
    check: () => {
      check();
      for (const call of calls.values()) void call.params;
    },
  };
}

/** Parameters are read on first use, like those of operations. */
function lazyCall(
  operation: Operation,
  before: LinkedCall | undefined,
  change: OperationChangeFile,
  place: SourceLocation,
  compiler: Compiler,
): LinkedCall {
  return new LateCall(lazy(() => changedCall(operation, before, change, place, compiler)));
}

class LateCall implements LinkedCall {
  constructor(private readonly call: () => LinkedCall) {}

  get params(): LinkedCall['params'] {
    return this.call().params;
  }

  get moves(): LinkedCall['moves'] {
    return this.call().moves;
  }

  get rejected(): LinkedCall['rejected'] {
    return this.call().rejected;
  }

  translate(...given: Parameters<LinkedCall['translate']>): JsonObject {
    return this.call().translate(...given);
  }

  sent(...given: Parameters<LinkedCall['sent']>): JsonObject {
    return this.call().sent(...given);
  }

  nameOf(name: string): string {
    return this.call().nameOf(name);
  }
}

/** Compiles how a version shows objects of all resources. */
function linkShape(
  version: string,
  fields: ReadonlyMap<number, ReadonlyMap<string, Schema>>,
  before: ReadonlyMap<number, ReadonlyMap<string, Schema>>,
  { model, programs }: Compiler,
): { readonly shape: VersionShape; readonly check: () => void } {
  const reportedBy = model.settings.versions?.list?.reportedBy ?? null;
  const kindsOf = lazy(() => {
    const kinds = new Map<string, ResourceDef[]>();
    for (const index of fields.keys()) {
      const def = model.resources[index];
      const mark = reportedBy === null ? undefined : constantOf(def, reportedBy);
      if (mark?.kind !== 'const' || typeof mark.constant !== 'string') continue;
      kinds.set(mark.constant, [...(kinds.get(mark.constant) ?? []), def]);
    }
    return kinds;
  });
  const kindOf = (value: JsonObject): ResourceDef | undefined => {
    const kind = reportedBy === null ? undefined : value[reportedBy];
    const found = typeof kind === 'string' ? kindsOf().get(kind) : undefined;
    if (found === undefined || found.length === 1) return found?.[0];
    const { id } = value;
    return found.find(({ ids }) => typeof id === 'string' && id.startsWith(ids.prefix));
  };
  const shapes: ResourceShape[] = [];
  const fieldsOf = (resource: number) => fields.get(resource) ?? model.resources[resource].schema.fields;
  const events = model.byName.get(model.settings.events?.resource ?? '');
  const eventKind = reportedBy === null ? undefined : events?.schema.fields.get(reportedBy);
  const shapeOf = (resource: number): ResourceShape =>
    (shapes[resource] ??= planShape(
      model.resources[resource],
      fieldsOf(resource),
      programs[resource].response,
      // Events contain objects as the event's own version showed them, so their content isn't converted again.
      { version, model, env, shaped: model.resources[resource] === events ? AS_IT_IS : shape },
    ));
  const embed = (host: Host, value: Json): Json => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const items = value as Json[];
      let made: Json[] | undefined;
      for (let at = 0; at < items.length; at++) {
        const shown = embed(host, items[at]);
        if (shown !== items[at]) (made ??= [...items])[at] = shown;
      }
      return made ?? items;
    }
    const object = value as JsonObject;
    const def = kindOf(object);
    if (def !== undefined) return shapeOf(def.index).convert(host, object);
    if (reportedBy !== null && eventKind?.kind === 'const' && object[reportedBy] === eventKind.constant) return value;
    let made: Record<string, Json> | undefined;
    for (const key of Object.keys(object)) {
      const shown = embed(host, object[key]);
      if (shown !== object[key]) (made ??= { ...object })[key] = shown;
    }
    return made ?? value;
  };
  const shape: VersionShape = {
    plan: (resource) => shapeOf(resource).plan,
    fields: fieldsOf,
    kindOf: (value) => kindOf(value)?.index,
    had: (resource, field) =>
      before.get(resource)?.has(field) === true || model.resources[resource].schema.fields.has(field),
    answer: (host, resource, object) => shapeOf(resource).plan.value(host, object),
    embed,
  };
  const env = { ...model.env, shaped: shape };
  return { shape, check: () => fields.forEach((_, resource) => void shapeOf(resource)) };
}

/** Shows values unchanged, for content that was already written in its version. */
const AS_IT_IS: Shaped = {
  answer: (_host, _resource, object) => object,
  embed: (_host, value) => value,
};

function finder(all: readonly Linked[], { older, flags }: VersionList): ApiVersions['find'] {
  const known = new Map(all.flatMap((version) => [...version.names].map((name) => [name, version] as const)));
  return (given, lenient) => {
    const end = flags === null ? -1 : given.indexOf(flags);
    const name = end < 0 ? given : given.slice(0, end);
    const version = known.get(name) ?? all.findLast(({ later }) => later?.test(name) === true);
    if (version) return { version, near: false };
    if (older?.test(name) === true) return { version: all[0], near: true };
    if (!lenient) return undefined;
    // Names of versions begin with a date or another text by which they can be ordered.
    return { version: all.findLast((each) => each.name <= name) ?? all[0], near: true };
  };
}

/** Returns the constant that a resource's file declares for a field, without parsing other fields. */
function constantOf(
  def: ResourceDef,
  field: string,
): { readonly kind: string; readonly constant?: unknown } | undefined {
  const written: unknown = def.file.fields?.[field];
  const own = typeof written === 'object' && written !== null && 'const' in written ? written.const : undefined;
  return typeof own === 'string' ? { kind: 'const', constant: own } : def.schema.fields.get(field);
}

type FieldsOf = ReadonlyMap<string, Schema>;

/** Fields by resource number; those set by `promise` are computed on first read. */
class LaterFields extends Map<number, FieldsOf> {
  readonly #promised = new Map<number, () => FieldsOf>();

  constructor(before: ReadonlyMap<number, FieldsOf>) {
    super();
    for (const index of before.keys())
      this.promise(
        index,
        lazy(() => before.get(index) as FieldsOf),
      );
  }

  promise(index: number, make: () => FieldsOf): void {
    // Adds the key with a placeholder, so that iteration includes it in order.
    super.set(index, NOT_YET);
    this.#promised.set(index, lazy(make));
  }

  promised(index: number): () => FieldsOf | undefined {
    return this.#promised.get(index) ?? (() => undefined);
  }

  override get(index: number): FieldsOf | undefined {
    return this.#promised.get(index)?.();
  }
}

const NOT_YET: FieldsOf = new Map();
