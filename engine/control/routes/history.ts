import type { Json, JsonObject } from '../../values/index.js';
import { publicValue } from '../../model/index.js';
import type { StoredChange, StoredEntry } from '../../world/index.js';
import { type ControlContext, type ControlRoute, route } from '../context.js';
import { asked, beyond, checkPast, momentName, momentNamed, momentView, pastOf, whoDid } from '../ledger-position.js';
import { unknownEntry } from '../lookup.js';
import { ControlRejection, unknown } from '../rejection.js';
import { count, optional, required, text } from '../shape.js';

const MOST = 1_000;
/** Each keeps a whole state. */
const MOST_MOMENTS = 100;

/** What has happened to the world, moments of it by name, and the way back to one. */
export function historyRoutes({ engine, clock }: ControlContext): ControlRoute[] {
  const { world, model } = engine;
  return [
    route(
      'GET /ledger',
      { query: { from: optional(asked), object: optional(text), limit: optional(count(1, MOST)) } },
      ({ query: { from, object, limit = 100 } }) => {
        const kept = world.ledger.since(from === undefined ? 0 : firstOf(momentNamed(engine, from)) - 1);
        const found =
          object === undefined ? kept : kept.filter(({ changes }) => changes.some((each) => isOf(each, object)));
        // Without a beginning the newest are wanted.
        const wanted = from === undefined ? found.slice(-limit) : found.slice(0, limit);
        const next = from === undefined ? undefined : found.at(limit);
        return {
          body: {
            oldest: world.ledger.oldest,
            last: world.ledger.count,
            data: wanted.map(summaryOf),
            next: next?.n ?? null,
          },
        };
      },
    ),
    route('GET /ledger/:id', {}, ({ id }) => {
      const n = /^\d+$/.test(id) ? Number(id) : momentNamed(engine, id);
      if (n > world.ledger.count) throw unknown('entry', id, undefined, { last: world.ledger.count });
      const entry = world.ledger.entry(n);
      if (!entry) throw n === 0 ? unknown('entry', id) : beyond(engine, `entry ${n} is no longer in the ledger`);
      return { body: { ...whoDid(engine, entry), after: entry.after, changes: entry.changes.map(shown) } };
    }),
    route('POST /moments', { body: { name: required(momentName), at: optional(asked) } }, ({ body: { name, at } }) => {
      if (!world.moments.has(name) && world.moments.size >= MOST_MOMENTS)
        throw new ControlRejection(422, 'too_many_moments', `${MOST_MOMENTS} moments are saved; delete one`, {
          limit: MOST_MOMENTS,
        });
      const past = pastOf(engine, at === undefined ? world.ledger.count : momentNamed(engine, at));
      world.nameMoment(name, past);
      return { status: 201, body: { name, ...momentView(engine, past) } };
    }),
    route('GET /moments', {}, () => ({
      body: { data: [...world.moments].map(([name, entry]) => ({ name, entry })) },
    })),
    route('DELETE /moments/:id', {}, ({ id }) => {
      if (!world.moments.has(id)) throw unknownEntry('moment', id, world.moments.keys());
      world.nameMoment(id, null);
      return { body: { name: id, deleted: true } };
    }),
    route('POST /rewind', { body: { to: required(asked) } }, ({ body: { to }, why }) => {
      const n = momentNamed(engine, to);
      checkPast(engine, n);
      clock.rewind(n, { ...why, entry: n });
      return { body: { to: n, ...momentView(engine, world) } };
    }),
  ];

  /** @throws Refusal when the ledger has dropped the entry */
  function firstOf(n: number): number {
    if (n > 0 && !world.ledger.entry(n)) throw beyond(engine, `entry ${n} is no longer in the ledger`);
    return n;
  }

  function summaryOf(entry: StoredEntry): JsonObject {
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

  /** A change without what the pack hides. */
  function shown(change: StoredChange): StoredChange | { readonly value: Json } {
    if (change.op !== 'put') return change;
    const def = model.byCollection.get(change.collection);
    return def ? { ...change, value: publicValue(def, change.value) } : change;
  }
}

function isOf(change: StoredChange, object: string): boolean {
  return 'id' in change && change.id === object;
}
