import { publicValue } from '../../model/index.js';
import { find, FoundSchema } from '../find.js';
import { asked, viewAt } from '../ledger-position.js';
import { lifeOf, LifeSchema } from '../life.js';
import { objectWith } from '../lookup.js';
import { unknown } from '../rejection.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { count, optional, required, text } from '../shape.js';

/** Maximum number of objects in one response. */
const MOST = 500;

const AT = optional(asked, 'as it was at this moment');

/** Routes for the inspector: searches, and fields of many objects. */
export const LOOK_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /search',
    {
      id: 'search',
      tag: 'world',
      about: 'Objects, events and calls that have a text in an id, a value, or a path',
      query: { text: required(text), limit: optional(count(1, 50), 'how many of each (default: 6)'), at: AT },
      response: FoundSchema,
      errors: [404, 422, 507],
    },
    ({ engine }, { query: { text: wanted, limit = 6, at } }) => ({
      body: find(engine, viewAt(engine, at), wanted, limit),
    }),
  ),
  route(
    'GET /glance',
    {
      id: 'glance',
      tag: 'world',
      about: 'Some fields of objects of any collection, by their ids; unknown ids are omitted',
      query: {
        ids: required(text, `up to ${MOST} ids, separated by commas`),
        fields: required(text, 'names of fields, separated by commas; objects without a field skip it'),
        at: AT,
      },
      response: s.object({
        data: s.list(s.object({ id: s.string, collection: s.string, status: s.any, fields: s.map })),
      }),
      errors: [404, 422, 507],
    },
    ({ engine }, { query: { ids, fields, at } }) => {
      const view = viewAt(engine, at);
      const names = fields.split(',');
      const data = ids
        .split(',')
        .slice(0, MOST)
        .flatMap((id) => {
          const row = objectWith(view, id);
          if (!row) return [];
          const { def } = view.pack.resources[row.resource];
          const shown = publicValue(def, row.value);
          return {
            id,
            collection: def.collection,
            status: def.status === null ? null : (row.value[def.status] ?? null),
            fields: Object.fromEntries(
              names.flatMap((name) => (Object.hasOwn(shown, name) ? [[name, shown[name]]] : [])),
            ),
          };
        });
      return { body: { data } };
    },
  ),
  route(
    'GET /objects/:id/life',
    {
      id: 'life',
      tag: 'world',
      about: 'An object and those around it over time: the states of each, and what set them off',
      names: 'id of an object',
      query: { at: AT },
      response: LifeSchema,
      errors: [404, 422, 507],
    },
    ({ engine }, { id, query: { at } }) => {
      const view = viewAt(engine, at);
      const root = objectWith(view, id);
      if (!root) throw unknown('object', id);
      return { body: lifeOf(engine, view, root) };
    },
  ),
];
