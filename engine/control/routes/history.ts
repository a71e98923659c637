import { publicValue } from '../../model/index.js';
import type { Engine } from '../../runtime/index.js';
import type { StoredChange, StoredEntry } from '../../world/index.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import {
  asked,
  beyond,
  inLedger,
  momentName,
  momentNamed,
  momentView,
  pastOf,
  WHO,
  whoDid,
} from '../ledger-position.js';
import { OWNER, unknownEntry } from '../lookup.js';
import { ControlRejection, unknown } from '../rejection.js';
import { count, InstantSchema, optional, required, text } from '../shape.js';

const MOST = 1_000;
/** Limit of saved moments, each of which stores a whole state. */
const MOST_MOMENTS = 100;

const EntrySummarySchema = s.named(
  'EntrySummary',
  s.object({
    ...WHO,
    objects: s.list(s.object({ op: s.oneOf('put', 'delete'), collection: s.string, id: s.string, tenant: OWNER })),
  }),
);

const EntrySchema = s.named(
  'Entry',
  s.object({
    ...WHO,
    after: s.mapOf(s.integer).about('positions of the random number streams after the entry'),
    changes: s.list(s.open({ op: s.oneOf('put', 'delete', 'arm', 'disarm', 'set', 'clock', 'reset') })),
  }),
);

const MomentSavedSchema = s.named('MomentSaved', s.object({ name: s.string, entry: s.integer, now: InstantSchema }));

/** Routes of the world's history: its entries, saved moments, and rewinds. */
export const HISTORY_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /ledger',
    {
      id: 'ledger',
      tag: 'history',
      about: 'Ledger entries (transactions of the world) in order; without `from`, the newest',
      query: {
        from: optional(asked, 'first entry to return'),
        object: optional(text, 'return only entries that change the object with this id'),
        limit: optional(count(1, MOST), 'maximum number of entries (default: 100)'),
      },
      response: s.object({
        oldest: s.integer.about('number of the oldest entry that the ledger reaches back to; 0: the initial world'),
        last: s.integer,
        data: s.list(EntrySummarySchema),
        next: s.integer.orNull().about('`from` of the next page; null on the last page'),
      }),
      errors: [404, 422],
    },
    ({ engine }, { query: { from, object, limit = 100 } }) => {
      const { ledger } = engine.world;
      const kept = ledger.since(from === undefined ? 0 : firstOf(engine, momentNamed(engine, from)) - 1);
      const found =
        object === undefined ? kept : kept.filter(({ changes }) => changes.some((each) => isOf(each, object)));
      // Without `from`, the newest entries are returned.
      const wanted = from === undefined ? found.slice(-limit) : found.slice(0, limit);
      const next = from === undefined ? undefined : found.at(limit);
      return {
        body: {
          oldest: Math.max(ledger.oldest, engine.firstMoment),
          last: ledger.count,
          data: wanted.map((entry) => summaryOf(engine, entry)),
          next: next?.n ?? null,
        },
      };
    },
  ),
  route(
    'GET /ledger/:id',
    {
      id: 'entry',
      tag: 'history',
      about: 'One ledger entry with all its changes',
      names: 'number of the entry, or another name of a moment',
      response: EntrySchema,
      errors: [404, 422],
    },
    ({ engine }, { id }) => {
      const { ledger } = engine.world;
      const n = /^\d+$/.test(id) ? Number(id) : momentNamed(engine, id);
      if (n > ledger.count) throw unknown('entry', id, undefined, { last: ledger.count });
      const entry = ledger.entry(n);
      if (!entry) throw n === 0 ? unknown('entry', id) : beyond(engine, `entry ${n} is no longer in the ledger`);
      const changes = entry.changes.flatMap((change) => (change.op === 'pack' ? [] : [shown(engine, change)]));
      return { body: { ...whoDid(engine, entry), after: { ...entry.after }, changes } };
    },
  ),
  route(
    'POST /moments',
    {
      id: 'saveMoment',
      tag: 'history',
      about: 'Save the present or an earlier moment under a name',
      body: { name: required(momentName), at: optional(asked) },
      status: 201,
      response: MomentSavedSchema,
      errors: [404, 422, 507],
    },
    ({ engine }, { body: { name, at } }) => {
      const { world } = engine;
      if (!world.moments.has(name) && world.moments.size >= MOST_MOMENTS)
        throw new ControlRejection(422, 'too_many_moments', `${MOST_MOMENTS} moments are saved; delete one`, {
          limit: MOST_MOMENTS,
        });
      const past = pastOf(engine, at === undefined ? world.ledger.count : momentNamed(engine, at));
      world.nameMoment(name, past);
      return { body: { name, ...momentView(engine, past) } };
    },
  ),
  route(
    'GET /moments',
    {
      id: 'moments',
      tag: 'history',
      about: 'Saved moments',
      response: s.object({ data: s.list(s.object({ name: s.string, entry: s.integer })) }),
    },
    ({ engine: { world } }) => ({ body: { data: [...world.moments].map(([name, entry]) => ({ name, entry })) } }),
  ),
  route(
    'DELETE /moments/:id',
    {
      id: 'deleteMoment',
      tag: 'history',
      about: 'Delete the name of a saved moment',
      names: 'name of the saved moment',
      response: s.object({ name: s.string, deleted: s.literal<boolean>(true) }),
      errors: [404],
    },
    ({ engine: { world } }, { id }) => {
      if (!world.moments.has(id)) throw unknownEntry('moment', id, world.moments.keys());
      world.nameMoment(id, null);
      return { body: { name: id, deleted: true } };
    },
  ),
  route(
    'POST /rewind',
    {
      id: 'rewind',
      heavy: true,
      tag: 'history',
      about: 'Rewind the world to an earlier moment; the rewind is itself a new ledger entry',
      body: { to: required(asked) },
      response: s.object({
        to: s.integer.about('number of the entry to which the world was rewound'),
        entry: s.integer.about('number of the entry that records the rewind'),
        now: InstantSchema,
      }),
      errors: [404, 422],
    },
    ({ engine, clock }, { body: { to }, why }) => {
      const n = momentNamed(engine, to);
      inLedger(engine, () => clock.rewind(n, { ...why, entry: n }));
      return { body: { to: n, ...momentView(engine, engine.world) } };
    },
  ),
];

/** The number of the first requested entry. @throws ControlRejection if the ledger has dropped it */
function firstOf(engine: Engine, n: number): number {
  if (n > 0 && !engine.world.ledger.entry(n)) throw beyond(engine, `entry ${n} is no longer in the ledger`);
  return n;
}

function summaryOf(engine: Engine, entry: StoredEntry): s.Shown<typeof EntrySummarySchema> {
  const objects = entry.changes.flatMap((change) =>
    change.op === 'put' || change.op === 'delete'
      ? [
          {
            op: change.op,
            collection: change.collection,
            id: change.id,
            ...(change.tenant === undefined ? {} : { tenant: change.tenant }),
          },
        ]
      : [],
  );
  return { ...whoDid(engine, entry), objects };
}

/** A change without fields that the pack hides. */
function shown(
  { model }: Engine,
  change: Exclude<StoredChange, { op: 'pack' }>,
): { readonly op: Exclude<StoredChange['op'], 'pack'>; readonly value?: unknown } {
  if (change.op !== 'put') return change;
  const def = model.byCollection.get(change.collection);
  return def ? { ...change, value: publicValue(def, change.value) } : change;
}

function isOf(change: StoredChange, object: string): boolean {
  return 'id' in change && change.id === object;
}
