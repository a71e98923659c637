import type { Json } from '../values/index.js';
import { anySchema, misfit, type Schema } from '../model/index.js';
import type { PinPath, ResourceProgram } from '../program/index.js';
import { type Engine, pinProblems } from '../runtime/index.js';
import type { Row } from '../world/index.js';
import { objectsWith, objectWith, tenantNamed, unknownResource } from './lookup.js';
import { didYouMean, suggest } from '../pack/index.js';
import { ControlRejection, unknown } from './rejection.js';

/** The target of a pin, as the request names it. */
export interface PinRequest {
  readonly resource: string | undefined;
  readonly id: string | undefined;
  /** The tenant whose objects the pin applies to; `none`: objects without a tenant. */
  readonly tenant: string | undefined;
  readonly path: string;
  readonly value: Json;
}

/** The resolved target of a pin. */
export interface PinTarget {
  readonly program: ResourceProgram;
  /** One object; null: every object of the collection. */
  readonly object: Row | null;
  /** The object to which pinned objects have to refer: the path led from it to another resource. */
  readonly owner: { readonly fields: readonly string[]; readonly id: string } | null;
  /** The tenant whose objects the pin applies to; null: objects of no tenant. Undefined: objects of all tenants. */
  readonly tenant: string | null | undefined;
  readonly path: string;
  readonly pin: PinPath;
}

/** The resource and object that a request names, and whether it names any. */
interface PinSubject {
  readonly program: ResourceProgram | null;
  readonly object: Row | null;
  readonly tenant: string | null | undefined;
}

/**
 * Resolves the target of a pin. `resource` may be a collection, a resource's name or an object's id; a path may begin with a
 * resource's name, which then decides the resource.
 * @throws ControlRejection: 404 unknown resource, tenant or object, 422 not pinnable, or a value that violates the field's
 * schema
 */
export function pinTarget(engine: Engine, request: PinRequest): PinTarget {
  const subject = subjectOf(engine, request);
  const target = targetOf(engine, subject, request.path);
  const { collection, shared } = target.program.def;
  if (shared && typeof subject.tenant === 'string')
    throw new ControlRejection(422, 'not_pinnable', `${collection} belong to no tenant`, { path: 'tenant' });
  checkValue(engine, target, request.value);
  return target;
}

function subjectOf(engine: Engine, { resource, id, tenant: whose }: PinRequest): PinSubject {
  const tenant = tenantNamed(engine, whose);
  const named = resource === undefined ? null : programNamed(engine, resource);
  if (named === null && resource !== undefined) {
    const object = objectWith(engine, resource, tenant);
    if (!object) throw unknownResource(engine, resource);
    if (id !== undefined && id !== resource) {
      throw new ControlRejection(400, 'invalid_value', `'id' names another object than 'resource'`, { path: 'id' });
    }
    return { program: engine.pack.resources[object.resource], object, tenant };
  }
  if (id === undefined) return { program: named, object: null, tenant };
  const object = [...objectsWith(engine, id, tenant)].find((each) => named === null || each.resource === named.index);
  if (!object) throw unknown('object', id);
  return { program: engine.pack.resources[object.resource], object, tenant };
}

function programNamed(engine: Engine, name: string): ResourceProgram | null {
  const def = engine.model.byName.get(name) ?? engine.model.byCollection.get(name);
  return def ? engine.pack.resources[def.index] : null;
}

function targetOf(engine: Engine, { program, object, tenant }: PinSubject, path: string): PinTarget {
  const own = program && pinAt(program, path);
  if (program && own) return { program, object, owner: null, tenant, path, pin: own };
  const [first, ...rest] = path.split('.');
  const prefix = rest.length > 0 ? programNamed(engine, first) : null;
  const inner = rest.join('.');
  const pin = prefix && pinAt(prefix, inner);
  if (prefix && pin) {
    if (prefix === program || object === null)
      return { program: prefix, object, owner: null, tenant, path: inner, pin };
    return { program: prefix, object: null, owner: ownerOf(prefix, object, engine), tenant, path: inner, pin };
  }
  throw notPinnable(engine, program ?? prefix, path);
}

/** Members below a field: names separated by dots, each with optional list indexes: `lines[0].total`. */
const MEMBERS = /^[^.[\]]+(?:\[\d{1,6}\])*(?:\.[^.[\]]+(?:\[\d{1,6}\])*)*$/;

/** The declared pin path that contains a path. */
function pinAt({ pins }: ResourceProgram, path: string): PinPath | undefined {
  return (
    pins.find((pin) => pin.path === path) ??
    pins.find(
      (pin) => pin.members && path.startsWith(pin.path.slice(0, -1)) && MEMBERS.test(path.slice(pin.path.length - 1)),
    )
  );
}

/** Finds the fields by which objects of a resource refer to an object of another resource. */
function ownerOf({ def }: ResourceProgram, object: Row, engine: Engine): PinTarget['owner'] {
  const { name } = engine.pack.resources[object.resource].def;
  const fields = [...def.schema.fields]
    .filter(([, schema]) => schema.kind === 'ref' && schema.refs.includes(name))
    .map(([field]) => field);
  if (fields.length === 0) {
    throw new ControlRejection(
      422,
      'not_pinnable',
      `${def.collection} do not name a ${name}: pin one of them, or all`,
      {
        path: 'id',
      },
    );
  }
  return { fields, id: object.id };
}

function notPinnable(engine: Engine, program: ResourceProgram | null, path: string): ControlRejection {
  if (program === null) {
    throw new ControlRejection(400, 'missing_key', "'resource' is missing, and the path does not begin with one", {
      path: 'resource',
    });
  }
  const { def, pins } = program;
  const pinnable = pins.map((pin) => pin.path);
  const field = path.split('.')[0] === def.name ? path.split('.')[1] : path.split('.')[0];
  const derived = field !== undefined && def.schema.fields.has(field);
  const near = engine.model.env.suggest(path, pinnable);
  const why = derived
    ? `'${path}' of ${def.collection} is derived by the engine`
    : `${def.collection} have no pinnable '${path}'`;
  const which = pinnable.length === 0 ? 'nothing of them is pinnable' : `pinnable are ${pinnable.join(', ')}`;
  return new ControlRejection(422, derived ? 'engine_derived' : 'not_pinnable', `${why}; ${which}`, {
    path,
    pinnable,
    ...(near === undefined ? {} : { suggestion: near }),
  });
}

function checkValue(engine: Engine, { program, object, path, pin }: PinTarget, value: Json): void {
  const schema = schemaOf(program, pin, path);
  if (schema === null) {
    const near = nearMember(program, pin, path);
    throw new ControlRejection(422, 'unknown_field', `${path} is not a field${didYouMean(near)}`, {
      path,
      ...(near === undefined ? {} : { suggestion: near }),
    });
  }
  const wrong = misfit(schema, value, path, engine.model.settings.time);
  if (wrong) throw new ControlRejection(422, 'invalid_value', `${wrong.path} ${wrong.message}`, { path: wrong.path });
  // Only pins of a single object run the pack's own checks, since these depend on the object.
  const problems = object === null ? [] : pinProblems(engine.runtime.reader, pin, object, path, value);
  if (problems.length === 0) return;
  const [{ param, message }] = problems;
  throw new ControlRejection(422, 'invalid_value', `${String(param)}: ${String(message)}`, { path: param, problems });
}

/** Suggests the path with a similar field name; undefined if there is none. */
function nearMember(program: ResourceProgram, pin: PinPath, path: string): string | undefined {
  const above = path.slice(0, path.lastIndexOf('.'));
  const holder = above.length < pin.path.length - 1 ? pin.schema() : schemaOf(program, pin, above);
  if (holder?.kind !== 'object') return undefined;
  const near = suggest(path.slice(above.length + 1), holder.fields.keys());
  return near === undefined ? undefined : `${above}.${near}`;
}

/** The schema of a pinned value; null if the field has no such member. */
function schemaOf({ def }: ResourceProgram, pin: PinPath, path: string): Schema | null {
  if (!pin.members || def.file.pins?.[pin.path]?.type !== undefined) return pin.schema();
  const members = path.slice(pin.path.length - 1).split('.');
  let at: Schema | null = pin.schema();
  for (const member of members) {
    if (at.kind === 'object') {
      const field: Schema | undefined = at.fields.get(member);
      if (field === undefined) return at.open ? anySchema(at.place) : null;
      at = field;
    } else if (at.kind === 'map') at = at.of ?? anySchema(at.place);
    else return anySchema(at.place);
  }
  return at;
}
