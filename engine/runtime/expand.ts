import { isObject, type Json, type JsonObject } from '../values/index.js';
import { type Host } from '../expression/index.js';
import type { RefSchema, Schema } from '../model/index.js';
import {
  type ResponsePlan,
  inShape,
  type ListPage,
  type OperationResult,
  Rejection,
  type VersionShape,
} from '../program/index.js';
import type { Row } from '../world/index.js';
import { atHome } from './response.js';
import { ResponseSize } from './response-size.js';
import type { Runtime } from './runtime.js';

/** Requested paths as a tree: for each field, the paths below that field. */
type ExpansionTree = Map<string, ExpansionTree>;

/** Replaces ids in a response by their objects, and adds fields that are returned only on request. */
export class Expander {
  /** Counts the size of the response so far. */
  #size = new ResponseSize();

  /** @param shape of the response's version; null: the base version's */
  constructor(
    private readonly runtime: Runtime,
    private readonly shape: VersionShape | null = null,
  ) {}

  /** Returns a result with the requested paths expanded. @throws Rejection */
  result(host: Host, result: OperationResult, paths: readonly string[], shape: string | null = null): Json {
    const tree = this.#tree(paths);
    this.#size = new ResponseSize();
    switch (result.kind) {
      case 'row':
        return this.#object(host, result.row.resource, result.row.value, tree, '', shape);
      case 'object':
        return this.#object(host, result.resource, result.value, tree, '', shape);
      case 'value':
        if (this.#lenient) return inShape(this.shape, host, result.value);
        // Values that steps return have no declared fields, unless the version declares them.
        if (this.shape === null) return this.#reject(paths[0]);
        return this.#value(host, null, this.shape.embed(host, result.value), tree, '');
      case 'page':
        return this.page(host, result.page, paths, shape);
    }
  }

  /** Returns the items of a page, expanded by the requested paths that begin with `data`. @throws Rejection */
  page(host: Host, page: ListPage, paths: readonly string[], shape: string | null = null): Json[] {
    const tree = this.#tree(paths);
    this.#size = new ResponseSize();
    const below = tree.get('data');
    const asked = page.envelope === 'search' ? this.runtime.pack.envelopes.searchAsked : undefined;
    if (!this.#lenient) for (const name of tree.keys()) if (name !== 'data' && !asked?.has(name)) this.#reject(name);
    const use: ExpansionTree = this.#lenient
      ? new Map([...tree, ...(below ?? [])])
      : (below ?? new Map<string, ExpansionTree>());
    if (page.rows.length === 0) this.#known([this.#fields(page.resource)], use, 'data');
    return page.rows.map((row) => this.#object(host, row.resource, row.value, use, 'data.', shape));
  }

  #fields(resource: number): ReadonlyMap<string, Schema> {
    return this.shape?.fields(resource) ?? this.runtime.resources[resource].def.schema.fields;
  }

  #plan(resource: number): ResponsePlan {
    return this.shape?.plan(resource) ?? this.runtime.resources[resource].response();
  }

  get #lenient(): boolean {
    return this.runtime.model.settings.expansion?.lenient ?? false;
  }

  #tree(paths: readonly string[]): ExpansionTree {
    const { expansion } = this.runtime.model.settings;
    const limit = expansion?.maxDepth ?? 4;
    const root: ExpansionTree = new Map();
    for (const path of paths) {
      const keys = path.split('.');
      // The member `data` of a list doesn't count as a level.
      if (keys.filter((key) => key !== 'data').length > limit)
        throw new Rejection('expand_too_deep', { path, limit, param: expansion?.param ?? 'expand' });
      let at = root;
      for (const key of keys) {
        let next = at.get(key);
        if (next === undefined) at.set(key, (next = new Map<string, ExpansionTree>()));
        at = next;
      }
    }
    return root;
  }

  #object(
    host: Host,
    resource: number,
    object: JsonObject,
    tree: ExpansionTree,
    path: string,
    shape: string | null = null,
  ): JsonObject {
    const program = this.runtime.resources[resource];
    const { isTenant, shared } = program.def;
    const tenant = isTenant || shared ? null : host.tenant;
    const owner = { resource, id: String(object['id']), tenant, value: object };
    return atHome(host, program, owner, () => this.#shown(host, resource, object, tree, path, shape));
  }

  #shown(
    host: Host,
    resource: number,
    object: JsonObject,
    tree: ExpansionTree,
    path: string,
    shape: string | null,
  ): JsonObject {
    const fields = this.#fields(resource);
    const plan = this.#plan(resource);
    const own = shape === null ? undefined : plan.shaped?.(host, object, shape);
    const response: Record<string, Json> = { ...(own ?? plan.value(host, object)) };
    this.#size.value(response);
    for (const [name, below] of tree) {
      const at = `${path}${name}`;
      if (plan.expandOnly.has(name)) {
        const shown = plan.onExpand(host, object, name) ?? null;
        this.#size.value(shown);
        const schema = fields.get(name);
        const wanted = schema ? onlyAsked(schema, shown, below) : shown;
        response[name] = below.size > 0 && schema ? this.#value(host, schema, wanted, below, `${at}.`) : wanted;
        continue;
      }
      const schema = fields.get(name);
      if (schema && plan.asksWithin.has(name) && response[name] !== undefined) {
        response[name] = onlyAsked(schema, plan.whole(host, object, name) ?? null, below);
        this.#size.value(response[name]);
      }
      if (schema === undefined) {
        // Clients may still request fields that only earlier versions had; the response has no value for them.
        if (!this.#lenient && this.shape?.had(resource, name) !== true) this.#reject(at);
        continue;
      }
      if (response[name] !== undefined) response[name] = this.#expanded(host, schema, response[name], below, at);
    }
    return response;
  }

  /** Returns a requested field: for an id, the object with further paths applied. */
  #expanded(host: Host, schema: Schema, value: Json, below: ExpansionTree, path: string): Json {
    if (schema.kind === 'ref') {
      if (typeof value === 'string') return this.#reference(host, schema, value, below, path);
      this.#check(schema, below, path);
      return value;
    }
    if (schema.kind === 'array' && schema.items.kind === 'ref') {
      const { items } = schema;
      return Array.isArray(value)
        ? (value as readonly Json[]).map((id) =>
            typeof id === 'string' ? this.#reference(host, items, id, below, path) : id,
          )
        : value;
    }
    // The pack doesn't store the object of an `expandable` id, so the id is returned unchanged.
    if (schema.expandable) return value;
    if (below.size === 0)
      return this.#lenient || schema.view !== undefined || schema.on_expand ? value : this.#reject(path);
    return this.#value(host, schema, value, below, `${path}.`);
  }

  /** Checks the paths below a null reference: rejects a field that no resource allowed by the reference has. */
  #check(schema: RefSchema, below: ExpansionTree, path: string): void {
    this.#known(
      schema.refs.flatMap((name) => {
        const def = this.runtime.model.byName.get(name);
        return def ? [this.#fields(def.index)] : [];
      }),
      below,
      path,
    );
  }

  /** Rejects paths whose first field is in none of the given maps; without maps, allows all paths. */
  #known(fields: readonly ReadonlyMap<string, Schema>[], below: ExpansionTree, path: string): void {
    if (this.#lenient || fields.length === 0) return;
    for (const name of below.keys()) if (!fields.some((each) => each.has(name))) this.#reject(`${path}.${name}`);
  }

  #reference(host: Host, schema: RefSchema, id: string, below: ExpansionTree, path: string): Json {
    for (const name of schema.refs) {
      const def = this.runtime.model.byName.get(name);
      const row = def && this.#row(host, def.index, id);
      if (row)
        return atHome(host, this.runtime.resources[row.resource], row, () =>
          this.#object(host, row.resource, row.value, below, `${path}.`),
        );
    }
    return this.#tombstone(host, schema, id) ?? id;
  }

  /**
   * Finds an object that a response refers to. For a caller without a tenant it searches all tenants, since references cross
   * tenants.
   */
  #row(host: Host, resource: number, id: string): Row | undefined {
    const { tenant = null } = host;
    const { tenants } = this.runtime.world;
    return tenant === null ? tenants.find(resource, id) : tenants.known(tenant, resource)?.get(id);
  }

  /** Returns the response for a deleted object that can still be retrieved; undefined: none. */
  #tombstone(host: Host, schema: RefSchema, id: string): Json | undefined {
    for (const name of schema.refs) {
      const def = this.runtime.model.byName.get(name);
      const deleted = def && this.runtime.world.tenants.collection(host.tenant, def.index).deleted(id);
      const tombstone = def && this.runtime.resources[def.index].operations.get('retrieve')?.tombstone;
      if (deleted && tombstone) return tombstone()(host, deleted);
    }
    return undefined;
  }

  /** Applies paths inside of a value that isn't a reference. @param schema of the value; null: undeclared */
  #value(host: Host, schema: Schema | null, value: Json, tree: ExpansionTree, path: string): Json {
    if (Array.isArray(value)) {
      const items = schema?.kind === 'array' ? schema.items : schema;
      return (value as readonly Json[]).map((item) => this.#value(host, items, item, tree, path));
    }
    if (!isObject(value)) return value;
    const embedded = this.#embedded(host, value);
    if (embedded !== undefined)
      return this.#object(host, embedded, this.#row(host, embedded, String(value['id']))?.value ?? value, tree, path);
    const made: Record<string, Json> = { ...value };
    const kind = this.shape?.kindOf(value);
    const fields = kind !== undefined ? this.#fields(kind) : schema?.kind === 'object' ? schema.fields : undefined;
    for (const [name, below] of tree) {
      const field = fields?.get(name);
      if (!Object.hasOwn(made, name)) {
        if (!this.#lenient && fields && !field && (kind === undefined || this.shape?.had(kind, name) !== true))
          this.#reject(`${path}${name}`);
        continue;
      }
      if (field) made[name] = this.#expanded(host, field, made[name], below, `${path}${name}`);
      else if (below.size > 0) made[name] = this.#value(host, schema, made[name], below, `${path}${name}.`);
    }
    return made;
  }

  /** Returns the resource of a value in a response that is a complete object, recognized by its id; undefined: none. */
  #embedded(host: Host, value: JsonObject): number | undefined {
    const { id } = value;
    if (typeof id !== 'string') return undefined;
    return this.runtime.resources.find(
      (resource) =>
        resource.def.ids.prefix !== '' &&
        id.startsWith(resource.def.ids.prefix) &&
        this.#row(host, resource.index, id) !== undefined,
    )?.index;
  }

  #reject(path: string): never {
    const param = this.runtime.model.settings.expansion?.param ?? 'expand';
    throw new Rejection('expand_invalid', { path, reason: 'This property cannot be expanded', param });
  }
}

/** Removes the members of a value that responses contain only on request, and that the call didn't request. */
function onlyAsked(schema: Schema, value: Json, tree: ExpansionTree): Json {
  if (schema.kind === 'array' && Array.isArray(value))
    return (value as readonly Json[]).map((item) => onlyAsked(schema.items, item, tree));
  if (schema.kind !== 'object' || !isObject(value)) return value;
  const made: Record<string, Json> = { ...value };
  for (const [name, field] of schema.fields) {
    if (!Object.hasOwn(made, name)) continue;
    if (field.on_expand && !tree.has(name)) delete made[name];
    else made[name] = onlyAsked(field, made[name], tree.get(name) ?? NOTHING);
  }
  return made;
}

const NOTHING: ExpansionTree = new Map();
