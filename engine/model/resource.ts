import { MACHINE } from '../codes.js';
import { type JsonObject, lazy } from '../values/index.js';
import { type Environment, type Type } from '../expression/index.js';
import { checkMachine, compileMachine, type Machine } from '../machine/index.js';
import { type CollectionConfig, parseDuration, readInstant } from '../world/index.js';
import type { PackFile, ResourceFile } from './files.js';
import { type IdFormat, idFormat, PLAIN_ID } from './ids.js';
import { inside, keyIn, type SourceLocation } from './diagnostics.js';
import { parseFields } from './parse-schema.js';
import { type SchemaContext } from './schema-context.js';
import { attributesOf, type ObjectSchema, type Schema, typeOfFields } from './schema.js';

/** The declaration of a resource. Its behavior is compiled in `compile/`. */
export interface ResourceDef {
  readonly index: number;
  readonly file: ResourceFile;
  readonly place: SourceLocation;
  readonly name: string;
  readonly collection: string;
  readonly title: string;
  readonly ids: IdFormat;
  readonly singleton: boolean;
  /** Maximum number of objects to keep, besides those whose expiry field is in the future; null: all are kept. */
  readonly atMost: ResourceFile['at_most'] | null;
  /** Whether objects of the resource belong to no tenant and are visible to all. */
  readonly shared: boolean;
  /** Whether objects of the resource are tenants. */
  readonly isTenant: boolean;
  /** Fields in the order of responses, `id` first. */
  readonly schema: ObjectSchema;
  readonly type: Type & { kind: 'object' };
  /** Name of the field that contains the state of the resource's machine; null: no machine. */
  readonly status: string | null;
  readonly machine: Machine | null;
  /** Timestamps that are set to `now` whenever another field changes. */
  readonly touched: readonly string[];
  /** Fields that number objects within a parent. */
  readonly sequences: readonly Sequence[];
}

/** A field that numbers the objects below one parent. */
export interface Sequence {
  readonly field: string;
  readonly per: string;
  /** Name of the series of numbers, which several fields may share. */
  readonly of: string;
}

/** Links the declaration of a resource, and reports its problems. */
export function linkResource(
  index: number,
  place: SourceLocation,
  pack: PackFile,
  context: SchemaContext,
  fill: (text: string) => string,
  passed = false,
): ResourceDef {
  const file = place.file.data as ResourceFile;
  const { diagnostics } = context;
  const machine = lazy(() => linkMachine(file, place, context, passed));
  const shape = lazy(() => {
    const declared = parseFields(file.fields, inside(place, 'fields'), context);
    const fields = new Map<string, Schema>([
      [
        'id',
        declared.get('id') ?? {
          kind: 'string',
          nullable: false,
          expr: { kind: 'string', refs: [file.resource] },
          place,
        },
      ],
    ]);
    if (fields.get('id')?.hidden === true && fields.get('id')?.internal !== true)
      diagnostics.problem(
        inside(place, 'fields', 'id'),
        'invalid-value',
        'an id is no secret, or the state could not be seeded back: `internal: true` keeps it from clients',
      );
    const shaped = new Set(Object.values(file.shapes ?? {}).flat());
    for (const [name, schema] of declared) fields.set(name, shaped.has(name) ? { ...schema, in_shapes: true } : schema);
    const status = linkStatus(fields, machine(), place, context);
    const type = typeOfFields(fields, file.title ?? file.resource, file.resource);
    const schema: ObjectSchema = { kind: 'object', nullable: false, expr: type, place, fields };
    return { fields, status, type, schema };
  });
  const touched = lazy(() => linkTouched(shape().fields, place, context));
  const sequences = lazy(() => linkSequences(shape().fields, file.collection, place, context));
  if (!passed) shape();
  const formatName = file.id?.format;
  const format = formatName === undefined ? PLAIN_ID : pack.ids?.[formatName];
  if (format === undefined)
    diagnostics.unknown(inside(place, 'id', 'format'), 'id-format', String(formatName), Object.keys(pack.ids ?? {}));
  const { key } = file.id ?? {};
  const keyed = key && `^${key.map(() => '[^/?#\\s]{1,255}').join('/')}$`;
  const plain = file.id === undefined ? '^[^/?#\\s]{1,255}$' : (file.id.pattern ?? keyed);
  if (!passed) checkNamed();
  function checkNamed(): void {
    const { fields } = shape();
    for (const [i, field] of (file.indexes ?? []).entries()) {
      diagnostics.known(inside(place, 'indexes', i), 'field', field, fields);
    }
    const { until } = file.at_most ?? {};
    if (until !== undefined) diagnostics.known(inside(place, 'at_most', 'until'), 'field', until, fields);
    if (file.order !== undefined && fields.get(file.order)?.kind !== 'timestamp') {
      if (fields.has(file.order))
        diagnostics.problem(inside(place, 'order'), 'wrong-type', `'${file.order}' is not a timestamp`);
      else diagnostics.unknown(inside(place, 'order'), 'field', file.order, fields.keys());
    }
    touched();
    sequences();
    checkKinds(file, fields, place, diagnostics);
    for (const [shape, names] of Object.entries(file.shapes ?? {}))
      for (const [i, name] of names.entries())
        if (name === 'id' || !fields.has(name))
          diagnostics.unknown(inside(place, 'shapes', shape, i), 'field', name, [...fields.keys()].slice(1));
  }
  return new LinkedResource(
    index,
    file,
    place,
    idFormat(file.id?.prefix ?? '', format ?? PLAIN_ID, fill, plain),
    pack.tenants?.resource === file.resource,
    { shape, machine, touched, sequences },
  );
}

/** Parts of a resource's declaration that are parsed on first use. */
interface LateParts {
  readonly shape: () => Pick<ResourceDef, 'schema' | 'type' | 'status'>;
  readonly machine: () => Machine | null;
  readonly touched: () => readonly string[];
  readonly sequences: () => readonly Sequence[];
}

/** A class, since V8 is slow to read object literals with getters and each command reads many members. */
class LinkedResource implements ResourceDef {
  readonly name: string;
  readonly collection: string;
  readonly title: string;
  readonly singleton: boolean;
  readonly atMost: ResourceDef['atMost'];
  readonly shared: boolean;

  constructor(
    readonly index: number,
    readonly file: ResourceFile,
    readonly place: SourceLocation,
    readonly ids: IdFormat,
    readonly isTenant: boolean,
    private readonly late: LateParts,
  ) {
    this.name = file.resource;
    this.collection = file.collection;
    this.title = file.title ?? file.resource;
    this.singleton = file.singleton ?? false;
    this.atMost = file.at_most ?? null;
    this.shared = file.shared === true || isTenant;
  }

  get schema(): ObjectSchema {
    return this.late.shape().schema;
  }

  get type(): ResourceDef['type'] {
    return this.late.shape().type;
  }

  get status(): string | null {
    return this.late.shape().status;
  }

  get machine(): Machine | null {
    return this.late.machine();
  }

  get touched(): readonly string[] {
    return this.late.touched();
  }

  get sequences(): readonly Sequence[] {
    return this.late.sequences();
  }
}

/** Checks ids with a prefix for each kind: the deciding field has to be an enum, with a prefix for each value. */
function checkKinds(
  { id = {} }: ResourceFile,
  fields: ReadonlyMap<string, Schema>,
  place: SourceLocation,
  diagnostics: SchemaContext['diagnostics'],
): void {
  const { prefix, by } = id;
  const at = inside(place, 'id', by === undefined ? 'prefix' : 'by');
  if (typeof prefix !== 'object' || by === undefined) {
    if (typeof prefix === 'object') diagnostics.problem(at, 'invalid-value', '`by` names the field that decides');
    else if (by !== undefined)
      diagnostics.problem(keyIn(at), 'invalid-value', '`prefix` has one text for each value of this field');
    return;
  }
  const field = diagnostics.find(at, 'field', by, fields);
  if (field !== undefined)
    if (field.kind !== 'enum' || field.view !== undefined || field.nullable)
      diagnostics.problem(at, 'wrong-type', `'${by}' cannot decide: it is a stored enum that is never null`);
    else {
      for (const kind of Object.keys(prefix))
        diagnostics.known(keyIn(place, 'id', 'prefix', kind), 'id-kind', kind, field.values);
      const without = field.values.filter((value) => !Object.hasOwn(prefix, value));
      if (without.length > 0)
        diagnostics.problem(inside(place, 'id', 'prefix'), 'missing-id', `no prefix for ${without.join(', ')}`);
    }
}

/** Returns the timer name of a resource's wait. */
export function waitTrigger(name: string): string {
  return `wait:${name}`;
}

/** Lists the timers that an object may currently have: those of its machine's state, and its waits. */
export function timersOf(
  { machine, status, file }: ResourceDef,
  value: JsonObject,
): readonly { readonly delay: string; readonly trigger: string }[] {
  const ofState = machine === null || status === null ? [] : machine.timersOf(String(value[status]));
  const ofWaits = Object.keys(file.waits ?? {}).map((name) => ({
    delay: waitTrigger(name),
    trigger: waitTrigger(name),
  }));
  return [...ofState, ...ofWaits];
}

/** Lists the names of the fields that a resource stores, in order. */
export function storedFields(resource: Pick<ResourceDef, 'schema'>): string[] {
  return [...resource.schema.fields].flatMap(([name, schema]) => (schema.view === undefined ? [name] : []));
}

/** Returns the field that refers to a resource's parent, and names in routes that form its id; null: no parent. */
export function parentField({
  parent,
}: ResourceFile): { readonly field: string; readonly names?: readonly string[] } | null {
  if (parent === undefined) return null;
  if (typeof parent === 'string') return { field: parent };
  const [[field, names]] = Object.entries(parent);
  return { field, names };
}

/** Returns how the world stores the objects of a resource. */
export function collectionConfig(resource: ResourceDef): CollectionConfig {
  const { order, retention, indexes = [], fields } = resource.file;
  const parent = parentField(resource.file)?.field;
  // Indexes the fields by which an object's deletion finds the objects that refer to it.
  const asked = Object.entries(fields ?? {}).flatMap(([name, field]) =>
    typeof field === 'object' && field.on_delete !== undefined && !indexes.includes(name) ? [name] : [],
  );
  return {
    name: resource.collection,
    shared: resource.shared,
    isTenant: resource.isTenant,
    indexes: [...new Set([...indexes, ...asked, ...(parent === undefined ? [] : [parent])])],
    retentionSeconds: retention === undefined ? undefined : (parseDuration(retention) ?? 0) / 1000,
    order: order === undefined ? undefined : (value: JsonObject) => (readInstant(value[order] ?? null) || 0) / 1000,
    foldsIds: resource.file.id?.ignore_case === true,
  };
}

/** Returns the names and types of a pack's resources, for expressions. */
export function resourceTypes(resources: readonly ResourceDef[]): Environment['resources'] {
  return new Map(
    resources.map((resource) => [
      resource.name,
      {
        index: resource.index,
        shapes: Object.keys(resource.file.shapes ?? {}),
        get type() {
          return resource.type;
        },
      },
    ]),
  );
}

function linkSequences(
  fields: ReadonlyMap<string, Schema>,
  collection: string,
  place: SourceLocation,
  { diagnostics }: SchemaContext,
): Sequence[] {
  return [...fields].flatMap(([field, { kind, view, nullable, sequence }]) => {
    if (sequence === undefined) return [];
    const at = inside(place, 'fields', field, 'sequence');
    if (kind !== 'integer' || view !== undefined || nullable)
      diagnostics.problem(keyIn(at), 'wrong-type', `'${field}' cannot count: a sequence is a stored integer`);
    const parent = diagnostics.find(inside(at, 'per'), 'field', sequence.per, fields);
    if (parent !== undefined)
      if (parent.kind !== 'ref')
        diagnostics.problem(inside(at, 'per'), 'wrong-type', `'${sequence.per}' does not refer to an object`);
    return [{ field, per: sequence.per, of: sequence.of ?? `${collection}.${field}` }];
  });
}

function linkTouched(fields: ReadonlyMap<string, Schema>, place: SourceLocation, context: SchemaContext): string[] {
  const touched = [...fields].filter(([, schema]) => schema.touch);
  for (const [name, schema] of touched) {
    if (schema.kind === 'timestamp' && schema.view === undefined) continue;
    context.diagnostics.problem(
      keyIn(place, 'fields', name, 'touch'),
      'wrong-type',
      `only a stored timestamp can be touched, '${name}' is none`,
    );
  }
  return touched.map(([name]) => name);
}

function linkMachine(
  file: ResourceFile,
  place: SourceLocation,
  context: SchemaContext,
  passed: boolean,
): Machine | null {
  if (!file.machine) return null;
  const problems = passed ? [] : checkMachine(file.machine);
  for (const { path, code, message, suggestion } of problems) {
    context.diagnostics.problem(inside(place, 'machine', ...path), MACHINE[code], message, { suggestion });
  }
  return problems.length > 0 ? null : compileMachine(file.machine, { resource: file.resource });
}

function linkStatus(
  fields: Map<string, Schema>,
  machine: Machine | null,
  place: SourceLocation,
  context: SchemaContext,
): string | null {
  const marked = [...fields].filter(([, schema]) => schema.machine);
  const { diagnostics } = context;
  const [status, second] = marked;
  if (second !== undefined)
    diagnostics.problem(keyIn(place, 'fields', second[0]), 'two-statuses', 'only one field is moved by the machine');
  if (status === undefined) {
    if (machine)
      diagnostics.problem(keyIn(place, 'machine'), 'no-status', "no field is the machine's status (`machine: true`)");
    return null;
  }
  const [name, schema] = status;
  if (!machine) {
    if (!(place.file.data as ResourceFile).machine)
      diagnostics.problem(
        keyIn(place, 'fields', name),
        'no-machine',
        `'${name}' is moved by a machine, but there is none`,
      );
    return name;
  }
  if (schema.kind === 'enum') {
    for (const state of machine.states) {
      if (!schema.values.includes(state))
        diagnostics.problem(
          keyIn(place, 'machine', 'states', state),
          'state-not-in-enum',
          `state '${state}' is no value of '${name}'`,
        );
    }
    return name;
  }
  fields.set(name, {
    ...attributesOf(schema),
    kind: 'enum',
    values: machine.states,
    expr: { kind: 'string', values: machine.states },
  });
  return name;
}
