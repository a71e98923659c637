import type { Json, JsonObject } from '../../values/index.js';
import { publicValue, type ResourceDef } from '../../model/index.js';
import type { ResourceProgram } from '../../program/index.js';
import { exogenousOf } from '../../runtime/index.js';
import type { Collection, Row } from '../../world/index.js';
import { differences, historiesOf, keyOf } from '../changes.js';
import { tellingFields } from '../list-columns.js';
import { type ControlContext, type ControlRoute, route } from '../context.js';
import { pastOf, whoDid } from '../ledger-position.js';
import { collectionNamed, objectsWith, tenantNamed } from '../lookup.js';
import { unknown } from '../rejection.js';
import { namedBy, naming } from '../references.js';
import { count, optional, required, text } from '../shape.js';
import { timerView } from '../timer-view.js';

const MOST = 1_000;
/** Steps of an object's history that are told. */
const STEPS = 50;
/** World events that are told of one object. */
const POSSIBLE = 50;

/** Objects as people look at them: lists of what tells them apart, and everything about one. */
export function objectRoutes(context: ControlContext): ControlRoute[] {
  const { engine } = context;
  const { world, model } = engine;
  return [
    route(
      'GET /objects',
      {
        query: {
          resource: required(text),
          search: optional(text),
          status: optional(text),
          tenant: optional(text),
          skip: optional(count(0, Number.MAX_SAFE_INTEGER)),
          limit: optional(count(1, MOST)),
        },
      },
      ({ query: { resource, search, status, tenant, skip = 0, limit = 100 } }) => {
        const { def } = collectionNamed(engine, resource);
        const all = rowsOf(def, tenant);
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
        const fields = tellingFields(def, all.slice(-MOST).reverse());
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
    route('GET /objects/:id', { query: { version: optional(text), tenant: optional(text) } }, ({ id, query }) => {
      const { version } = query;
      const tenant = tenantNamed(engine, query.tenant);
      const [row, ...others] = objectsWith(engine, id, tenant);
      const there = row ? engine.pack.resources[row.resource] : deletedIn(id, tenant);
      if (!there) throw unknown('object', id);
      const { def } = there;
      const grave = row ? undefined : graveOf(def, id, tenant);
      const owner = (row ?? grave)?.tenant ?? null;
      const value = row?.value ?? grave?.deleted(id) ?? {};
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
          ...(version === undefined || row === undefined ? {} : { shown: shownIn(version, row) }),
          exogenous: row ? sourcesOf(there, row) : [],
          pins: pinsOf(there, id, owner, value),
          timers: [...timers].sort((a, b) => a.due - b.due || a.seq - b.seq).map((each) => timerView(engine, each)),
          next: row ? engine.possible({ id, limit: POSSIBLE }) : [],
          names: namedBy(engine, { id, value }),
          named_by: naming(engine, def, id),
          history: historyOf(def, id, owner),
        },
      };
    }),
  ];

  /** How a version of the vendor's API shows an object. */
  function shownIn(version: string, row: Row): JsonObject {
    const found = engine.pack.versions?.find(version, false);
    if (found === undefined) throw unknown('version', version);
    const plan = found.version.shape?.plan(row.resource) ?? engine.runtime.resources[row.resource].response();
    return { version: found.version.name, value: plan.value(engine.runtime, row.value) };
  }

  /** Objects of a resource, oldest first: of everybody, or of the tenant that is named. */
  function rowsOf({ index }: ResourceDef, named: string | undefined): readonly Row[] {
    const { tenants } = world;
    const tenant = tenantNamed(engine, named);
    if (tenant !== undefined) return tenants.known(tenant, index)?.ordered().all() ?? [];
    const all = tenants.rows(index);
    return tenants.ids.length === 0 ? all : [...all].sort((a, b) => a.order - b.order || a.seq - b.seq);
  }

  /** What a deleted object was in. */
  function graveOf(
    { index }: { readonly index: number },
    id: string,
    tenant: string | null | undefined,
  ): Collection | undefined {
    const there = (each: Collection): boolean => tenant === undefined || each.tenant === tenant;
    return world.tenants.everywhere(index).find((each) => there(each) && each.deleted(id) !== undefined);
  }

  function listed(def: ResourceDef, fields: readonly string[], { id, value, timers, tenant }: Row): JsonObject {
    const told = fields.map((name): [string, Json] => [name, value[name] ?? null]);
    return {
      id,
      ...(tenant === null ? {} : { tenant }),
      status: def.status === null ? null : (value[def.status] ?? null),
      at: def.file.order === undefined ? null : (value[def.file.order] ?? null),
      timers: timers.length,
      fields: Object.fromEntries(told),
    };
  }

  function deletedIn(id: string, tenant: string | null | undefined): ResourceProgram | undefined {
    return engine.pack.resources.find((each) => graveOf(each, id, tenant) !== undefined);
  }

  function sourcesOf({ index }: ResourceProgram, { value, provenance }: Row): JsonObject[] {
    return exogenousOf(engine.runtime, [{ resource: index, value, provenance }], []);
  }

  function pinsOf({ index }: ResourceProgram, id: string, tenant: string | null, value: JsonObject): JsonObject[] {
    return world.pins.for({ resource: index, id, tenant, value }).map(({ id: pin, path, value: pinned, object }) => ({
      id: pin,
      path,
      value: pinned,
      object,
    }));
  }

  /** What happened to an object, newest first, as far back as the ledger reaches. */
  function historyOf(def: ResourceDef, id: string, tenant: string | null): JsonObject[] {
    const start = pastOf(engine, Math.max(world.ledger.oldest, engine.firstMoment));
    const entries = world.ledger.since(start.ledger.count);
    const key = keyOf(def.collection, id, tenant);
    const steps = historiesOf(entries, [key]).get(key) ?? [];
    let before = start.tenants.known(tenant, def.index)?.get(id)?.value;
    const told = steps.flatMap(({ entry, value }) => {
      // A reset takes away what is there.
      if (!before && !value) return [];
      const changed = before && value ? differences(before, value) : [];
      const change = value === undefined ? 'deleted' : before === undefined ? 'created' : 'changed';
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
    return told.slice(-STEPS).reverse();
  }
}

/** Whether a text stands in an object's id or in one of its texts. */
function contains({ id, value }: Row, wanted: string): boolean {
  return id.toLowerCase().includes(wanted) || JSON.stringify(value).toLowerCase().includes(wanted);
}
