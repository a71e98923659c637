import { equal, isObject } from '../../values/index.js';
import { publicValue, type ResourceDef } from '../../model/index.js';
import type { Engine } from '../../runtime/index.js';
import type { StoredEntry, World } from '../../world/index.js';
import {
  changesAt,
  type ChangeStep,
  historiesOf,
  type NamedObject,
  nameOf,
  type ObjectDifference,
  valueAt,
} from '../changes.js';
import { pastOf, WHO, whoDid } from '../ledger-position.js';
import { OWNER, tenantNamed } from '../lookup.js';
import { unknown } from '../rejection.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { optional, required, text } from '../shape.js';
import { transitionOf, TransitionSchema } from '../transition.js';

/** Maximum number of links in a chain of causes. */
const LONGEST = 50;

type WhyLedger = World['ledger'];

const SOURCE = s.string.orNull().about('source of the external value; null if the value is not external');

const ValueChangeSchema = s.named(
  'ValueChange',
  s.object({ ...WHO, from: s.any, to: s.any, transition: TransitionSchema.orNull(), source: SOURCE }),
);

const CauseLinkSchema = s.named(
  'CauseLink',
  s.object({
    did: s.oneOf('wrote', 'pinned', 'armed the timer', 'moved the clock'),
    ...WHO,
    from: s.any.optional(),
    to: s.any.optional(),
    transition: TransitionSchema.orNull().optional(),
    source: SOURCE.optional(),
  }),
);

/** The route that returns the origin of a value. */
export const WHY_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /why',
    {
      id: 'why',
      tag: 'history',
      about: 'What caused the value of a field: the chain of ledger entries',
      query: {
        object: required(text, 'id of the object'),
        field: required(text, 'path of the field, such as `status` or `address.city`'),
        tenant: optional(
          text,
          "id of the object's tenant, if several have an object with this id (default: `none`, the object without a tenant)",
        ),
      },
      response: s.object({
        collection: s.string,
        object: s.string,
        tenant: OWNER,
        field: s.string,
        value: s.any,
        chain: s.list(CauseLinkSchema).about('the ledger entry that wrote the value, followed by its causes'),
        earlier: s.list(ValueChangeSchema).about('earlier changes of the field, newest first'),
      }),
      errors: [404, 507],
    },
    ({ engine }, { query: { object: id, field, tenant: whose } }) => {
      const { world, model } = engine;
      const start = pastOf(engine, Math.max(world.ledger.oldest, engine.firstMoment));
      const entries = world.ledger.since(start.ledger.count);
      const object = objectOf(engine, id, tenantNamed(engine, whose), start, entries);
      const { def, tenant } = object;
      const path = field.split('.');
      if (!def.schema.fields.has(path[0]))
        throw unknown('field', field, model.env.suggest(path[0], def.schema.fields.keys()));
      const before = start.tenants.known(tenant, def.index)?.get(id)?.value;
      const steps = historiesOf(entries, [nameOf(object)]).get(nameOf(object)) ?? [];
      const changes = changesAt(
        before && publicValue(def, before),
        steps.map((step) => ({ ...step, value: step.value && publicValue(def, step.value) })),
        path,
      ).reverse();
      const value = world.tenants.known(tenant, def.index)?.get(id)?.value;
      const [made, ...earlier] = changes;
      return {
        body: {
          collection: def.collection,
          object: id,
          ...(tenant === null ? {} : { tenant }),
          field,
          value: (value && valueAt(publicValue(def, value), path)) ?? null,
          chain: made ? chainOf(engine, def, id, made) : [],
          earlier: earlier.map((each) => changeView(engine, def, id, each)),
        },
      };
    },
  ),
];

/** The causes of a value: its writer; for a timer, who advanced the clock and who set the timer; for a pin, who pinned it. */
function chainOf(
  engine: Engine,
  def: ResourceDef,
  id: string,
  made: ChangeStep & ObjectDifference,
): s.Shown<typeof CauseLinkSchema>[] {
  const chain: s.Shown<typeof CauseLinkSchema>[] = [{ did: 'wrote', ...changeView(engine, def, id, made) }];
  const { ledger } = engine.world;
  const pinned = pinOf(ledger, made);
  if (pinned) chain.push({ did: 'pinned', ...whoDid(engine, pinned) });
  for (let entry: StoredEntry | undefined = made.entry; entry?.command === 'timer' && chain.length < LONGEST;) {
    const mover = moverOf(ledger, entry);
    if (mover) chain.push({ did: 'moved the clock', ...whoDid(engine, mover) });
    entry = armedBy(ledger, entry);
    if (entry) chain.push({ did: 'armed the timer', ...whoDid(engine, entry) });
  }
  return chain;
}

function changeView(
  engine: Engine,
  def: ResourceDef,
  id: string,
  step: ChangeStep & ObjectDifference,
): s.Shown<typeof ValueChangeSchema> {
  const source = step.sources.findLast(
    ({ path, value }) => path === step.path.join('.') && equal(value, step.to ?? null),
  );
  return {
    ...whoDid(engine, step.entry),
    from: step.from ?? null,
    to: step.to ?? null,
    transition: transitionOf(engine.world, def, id, step),
    source: source?.source ?? null,
  };
}

function moverOf(ledger: WhyLedger, timer: StoredEntry): StoredEntry | undefined {
  return ledger.since(0, timer.n).findLast(({ command, args }) => command === 'clock' && args !== null);
}

/** Finds the entry that set the timer whose firing made an entry. */
function armedBy(ledger: WhyLedger, timer: StoredEntry): StoredEntry | undefined {
  const { args } = timer;
  if (!isObject(args)) return undefined;
  const spent = timer.changes.find(
    (change) => change.op === 'disarm' && change.id === args['object'] && change.trigger === args['trigger'],
  );
  if (spent?.op !== 'disarm') return undefined;
  return ledger
    .since(0, timer.n - 1)
    .findLast(
      ({ changes, command }) =>
        command !== 'rewind' &&
        changes.some((each) => each.op === 'arm' && each.seq === spent.seq && each.id === spent.id),
    );
}

function pinOf(
  ledger: WhyLedger,
  { entry, sources, path, to }: ChangeStep & ObjectDifference,
): StoredEntry | undefined {
  const field = path.join('.');
  const source = sources.findLast((each) => each.path === field && equal(each.value, to ?? null));
  if (source?.source !== 'pin') return undefined;
  return ledger
    .since(0, entry.n)
    .findLast(({ changes }) =>
      changes.some(
        (each) => each.op === 'set' && each.register === 'pins' && isObject(each.value) && each.value['path'] === field,
      ),
    );
}

/** The object with an id. @param whose the named tenant; undefined: any, objects without a tenant first */
function objectOf(
  { world, model }: Engine,
  id: string,
  whose: string | null | undefined,
  start: World,
  entries: readonly StoredEntry[],
): NamedObject {
  for (const { tenants } of [world, start]) {
    for (const def of model.resources) {
      const row = whose === undefined ? tenants.find(def.index, id) : tenants.known(whose, def.index)?.get(id);
      if (row) return { def, id, tenant: row.tenant };
    }
  }
  for (const { changes } of entries) {
    const put = changes.find(
      (change) => change.op === 'put' && change.id === id && (whose === undefined || (change.tenant ?? null) === whose),
    );
    const def = put?.op === 'put' ? model.byCollection.get(put.collection) : undefined;
    if (def && put?.op === 'put') return { def, id, tenant: put.tenant ?? null };
  }
  throw unknown('object', id);
}
