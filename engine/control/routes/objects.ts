import * as s from '../schema.js';
import type { Json, JsonObject } from '../../values/index.js';
import { suggest } from '../../pack/index.js';
import { publicValue, type ResourceDef, type Schema } from '../../model/index.js';
import type { ResourceProgram } from '../../program/index.js';
import { type Engine, exogenousOf } from '../../runtime/index.js';
import { type Collection, type Row, writtenOf } from '../../world/index.js';
import { valueDifferences, historiesOf, objectKey } from '../changes.js';
import { type ControlRoute, route } from '../route.js';
import { asked, pastOf, viewAt, WHO, whoDid } from '../ledger-position.js';
import { collectionNamed, objectsWith, OWNER, tenantNamed, type SeenWorld } from '../lookup.js';
import { unknown } from '../rejection.js';
import { namedBy, NamedSchema, naming, NamingSchema } from '../references.js';
import { count, InstantSchema, optional, required, text } from '../shape.js';
import { DueTimerSchema, timerView } from '../timer-view.js';
import { PossibleSchema } from './causes.js';

const MOST = 1_000;
/** Maximum number of steps of an object's history in a response. */
const STEPS = 50;
/** Maximum number of possible external events of an object in a response. */
const POSSIBLE = 50;

const ObjectRowSchema = s.named(
  'ObjectRow',
  s.object({
    id: s.string,
    tenant: OWNER,
    status: s.any,
    at: InstantSchema.orNull(),
    timers: s.integer,
    fields: s.map,
  }),
);

const ObjectStepSchema = s.named(
  'ObjectStep',
  s.object({
    ...WHO,
    change: s.oneOf('created', 'changed', 'deleted'),
    fields: s.list(s.object({ field: s.string, from: s.any, to: s.any })),
  }),
);

const ObjectViewSchema = s.named(
  'ObjectView',
  s.object({
    collection: s.string,
    resource: s.string,
    title: s.string,
    id: s.string,
    tenant: OWNER,
    also_of: s
      .list(s.string.orNull())
      .about('other tenants that have an object with this id; null: an object without a tenant')
      .optional(),
    deleted: s.boolean,
    status: s.any,
    status_field: s.string.orNull().about('the field that the state machine sets'),
    value: s.map,
    shown: s
      .object({ version: s.string, value: s.map })
      .about("the object as the requested version of the vendor's API returns it; absent if no version was requested")
      .optional(),
    exogenous: s.list(s.object({ field_path: s.string, source: s.string, value: s.any })),
    pins: s.list(s.object({ id: s.string, path: s.string, value: s.any, object: s.string.orNull() })),
    timers: s.list(DueTimerSchema),
    next: s.list(PossibleSchema),
    names: s.list(NamedSchema),
    named_by: s.list(NamingSchema),
    history: s.list(ObjectStepSchema),
  }),
);

type ObjectView = s.Shown<typeof ObjectViewSchema>;

const OF_OBJECT =
  "id of the object's tenant, if several have an object with this id (default: `none`, the object without a tenant)";

/** Routes that show objects to people: lists with the most distinctive fields, and everything about one object. */
export const OBJECT_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /objects',
    {
      id: 'objects',
      tag: 'world',
      about: 'Objects of a collection, newest first, with the fields that best distinguish them',
      query: {
        resource: required(text, 'name of the collection'),
        search: optional(text, 'return only objects with this text in their id or a value'),
        status: optional(text, 'return only objects in this state'),
        tenant: optional(text, 'return only objects of this tenant; `none`: objects without a tenant'),
        skip: optional(count(0, Number.MAX_SAFE_INTEGER), 'number of objects to skip'),
        limit: optional(count(1, MOST), 'maximum number of objects (default: 100)'),
        fields: optional(
          text,
          'names of the fields to return, separated by commas (default: the fields that best distinguish the objects)',
        ),
        at: optional(asked, 'the objects as of this moment (default: now)'),
      },
      response: s.object({
        resource: s.string,
        fields: s.list(s.string),
        order: s.string.orNull().about('name of the field whose time `at` has'),
        data: s.list(ObjectRowSchema),
        total: s.integer,
      }),
      errors: [404, 422, 507],
    },
    (context, { query: { resource, search, status, tenant, skip = 0, limit = 100, fields: named, at: moment } }) => {
      const engine = viewAt(context.engine, moment);
      const { def } = collectionNamed(engine, resource);
      const all = rowsOf(engine, def, tenant);
      const found = [];
      const wanted = search?.toLowerCase();
      let total = 0;
      for (let at = all.length - 1; at >= 0; at--) {
        const row = all[at];
        if (status !== undefined && row.value[def.status ?? ''] !== status) continue;
        if (wanted !== undefined && !contains(row, wanted)) continue;
        if (total >= skip && found.length < limit) found.push(row);
        total++;
      }
      const fields =
        named === undefined ? distinctFields(def, all.slice(-MOST).reverse()) : fieldsNamed(def, named.split(','));
      return {
        body: {
          resource: def.collection,
          fields,
          order: def.file.order ?? null,
          data: found.map((row) => listed(def, fields, row)),
          total,
        },
      };
    },
  ),
  route(
    'GET /objects/:id',
    {
      id: 'object',
      tag: 'world',
      about: 'One object with its references, timers, overridden values, possible external events and history',
      names: 'id of the object',
      query: {
        version: optional(text, "version of the vendor's API; `shown` then has the object as that version returns it"),
        tenant: optional(text, OF_OBJECT),
        at: optional(asked, 'the object as of this moment (default: now); possible external events are then omitted'),
      },
      response: ObjectViewSchema,
      errors: [404, 422, 507],
    },
    ({ engine: present }, { id, query }) => {
      const { version, at } = query;
      const engine = viewAt(present, at);
      const tenant = tenantNamed(engine, query.tenant);
      const [row, ...others] = objectsWith(engine, id, tenant);
      const there = row ? engine.pack.resources[row.resource] : deletedIn(engine, id, tenant);
      if (!there) throw unknown('object', id);
      const { def } = there;
      const tombstone = row ? undefined : tombstoneOf(engine, def, id, tenant);
      const owner = (row ?? tombstone)?.tenant ?? null;
      const value = row?.value ?? tombstone?.deleted(id) ?? {};
      const timers = row?.timers ?? [];
      return {
        body: {
          collection: def.collection,
          resource: def.name,
          title: def.title,
          id,
          ...(owner === null ? {} : { tenant: owner }),
          ...(others.length === 0 ? {} : { also_of: others.map((other) => other.tenant) }),
          deleted: row === undefined,
          status: def.status === null ? null : (value[def.status] ?? null),
          status_field: def.status,
          value: publicValue(def, value),
          ...(version === undefined || row === undefined ? {} : { shown: shownIn(present, version, row) }),
          exogenous: row ? sourcesOf(engine, there, row) : [],
          pins: pinsOf(engine, there, id, owner, value),
          timers: [...timers].sort((a, b) => a.due - b.due || a.seq - b.seq).map((each) => timerView(engine, each)),
          next: row && at === undefined ? present.possible({ id, limit: POSSIBLE }) : [],
          names: namedBy(engine, { id, value }),
          named_by: naming(engine, def, id),
          history: historyOf(present, engine.world.ledger.count, def, id, owner),
        },
      };
    },
  ),
];

/** An object as a version of the vendor API returns it. */
function shownIn(engine: Engine, version: string, row: Row): { readonly version: string; readonly value: JsonObject } {
  const found = engine.pack.versions?.find(version, false);
  if (found === undefined) throw unknown('version', version);
  const plan = found.version.shape?.plan(row.resource) ?? engine.runtime.resources[row.resource].response();
  return { version: found.version.name, value: plan.value(engine.runtime.reader, row.value) };
}

/** Fields of a resource by name. @throws ControlRejection (404) for an unknown one */
function fieldsNamed(def: ResourceDef, names: readonly string[]): readonly string[] {
  const known = [...def.schema.fields].filter(([, { hidden, internal }]) => !hidden || internal).map(([name]) => name);
  for (const name of names) if (!known.includes(name)) throw unknown('field', name, suggest(name, known));
  return names;
}

/** Objects of a resource, oldest first: of all tenants, or of the named one. */
function rowsOf(engine: SeenWorld, { index }: ResourceDef, named: string | undefined): readonly Row[] {
  const { tenants } = engine.world;
  const tenant = tenantNamed(engine, named);
  if (tenant !== undefined) return tenants.known(tenant, index)?.ordered().all() ?? [];
  const all = tenants.rows(index);
  return tenants.ids.length === 0 ? all : [...all].sort((a, b) => a.order - b.order || a.seq - b.seq);
}

/** The last state of a deleted object. */
function tombstoneOf(
  { world }: SeenWorld,
  { index }: { readonly index: number },
  id: string,
  tenant: string | null | undefined,
): Collection | undefined {
  const there = (each: Collection): boolean => tenant === undefined || each.tenant === tenant;
  return world.tenants.everywhere(index).find((each) => there(each) && each.deleted(id) !== undefined);
}

function listed(
  def: ResourceDef,
  fields: readonly string[],
  { id, value, timers, tenant }: Row,
): s.Shown<typeof ObjectRowSchema> {
  const shown = publicValue(def, value);
  return {
    id,
    ...(tenant === null ? {} : { tenant }),
    status: def.status === null ? null : (value[def.status] ?? null),
    at: def.file.order === undefined ? null : (value[def.file.order] ?? null),
    timers: timers.length,
    fields: Object.fromEntries(fields.map((name): [string, Json] => [name, shown[name] ?? null])),
  };
}

function deletedIn(engine: SeenWorld, id: string, tenant: string | null | undefined): ResourceProgram | undefined {
  return engine.pack.resources.find((each) => tombstoneOf(engine, each, id, tenant) !== undefined);
}

function sourcesOf(engine: SeenWorld, { index }: ResourceProgram, { value, provenance }: Row): ObjectView['exogenous'] {
  return exogenousOf(engine.runtime, [{ resource: index, value, provenance }], []);
}

function pinsOf(
  { world }: SeenWorld,
  { index }: ResourceProgram,
  id: string,
  tenant: string | null,
  value: JsonObject,
): ObjectView['pins'] {
  return world.pins.for({ resource: index, id, tenant, value }).map(({ id: pin, path, value: pinned, object }) => ({
    id: pin,
    path,
    value: pinned,
    object,
  }));
}

/** An object's history up to an entry, newest first, as far back as the ledger reaches. */
function historyOf(
  engine: Engine,
  until: number,
  def: ResourceDef,
  id: string,
  tenant: string | null,
): ObjectView['history'] {
  const { world, model } = engine;
  const start = pastOf(engine, Math.max(world.ledger.oldest, engine.firstMoment));
  const entries = world.ledger.since(start.ledger.count, until);
  const key = objectKey(def.collection, id, tenant);
  const steps = historiesOf(entries, [key]).get(key) ?? [];
  let before = start.tenants.known(tenant, def.index)?.get(id)?.value;
  const history = steps.flatMap(({ entry, value }) => {
    // Skips resets before the object existed.
    if (!before && !value) return [];
    const changed = before && value ? valueDifferences(before, value) : [];
    const change: ObjectView['history'][number]['change'] =
      value === undefined ? 'deleted' : before === undefined ? 'created' : 'changed';
    before = value;
    const hidden = (name: string): boolean => model.resources[def.index].schema.fields.get(name)?.hidden === true;
    return {
      ...whoDid(engine, entry),
      args: entry.origin === 'call' ? null : entry.args,
      change,
      fields: changed
        .filter(({ path }) => !hidden(path[0]))
        .map(({ path, from, to }) => ({ field: path.join('.'), from: from ?? null, to: to ?? null })),
    };
  });
  return history.slice(-STEPS).reverse();
}

/** Whether a text occurs in an object's id or values. */
function contains({ id, held }: Row, wanted: string): boolean {
  return id.toLowerCase().includes(wanted) || JSON.stringify(writtenOf(held)).toLowerCase().includes(wanted);
}

/** Number of fields that a list shows in addition to id and status. */
const WANTED = 4;
/** Number of objects that are examined to select the columns of a list. */
const SAMPLE = 40;
const SIMPLE = new Set<Schema['kind']>(['string', 'ref', 'integer', 'number', 'boolean', 'enum']);
/** Maximum length of a text that a column of a list shows. */
const LONGEST = 60;

/** The fields that best distinguish the objects of a list: mostly filled, with the most distinct values. */
function distinctFields(def: ResourceDef, rows: readonly Row[]): string[] {
  const sample = rows.slice(0, SAMPLE);
  if (sample.length === 0) return [];
  const rated = [...def.schema.fields].flatMap(([name, schema], place) => {
    if (!isDistinct(name, schema, def)) return [];
    const values = sample.map(({ value }) => value[name] ?? null).filter(isShort);
    if (values.length * 3 < sample.length) return [];
    const variety = new Set(values).size / sample.length;
    // References and numbers distinguish more than constant words; earlier fields more than later ones.
    const weight = schema.kind === 'ref' ? 0.5 : schema.kind === 'integer' || schema.kind === 'number' ? 0.4 : 0;
    return [{ name, place, rate: variety + weight + values.length / sample.length - place / 200 }];
  });
  return rated
    .sort((a, b) => b.rate - a.rate)
    .slice(0, WANTED)
    .sort((a, b) => a.place - b.place)
    .map(({ name }) => name);
}

function isDistinct(name: string, schema: Schema, { status, file }: ResourceDef): boolean {
  if (name === 'id' || name === status || name === file.order) return false;
  if (schema.hidden || schema.internal || schema.secret || schema.view !== undefined) return false;
  return SIMPLE.has(schema.kind) && !/secret|token|url/.test(name);
}

function isShort(value: Json): boolean {
  return value !== null && value !== '' && (typeof value !== 'string' || value.length <= LONGEST);
}
