import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { machineSvg } from '../diagram/svg.js';
import { machineGraph, packView } from '../pack-view.js';
import { unknown } from '../rejection.js';
import type { ResourceDef } from '../../model/index.js';

const drawings = new WeakMap<ResourceDef, Promise<string>>();

const PackViewSchema: s.ContractSchema<object> = s.named(
  'PackView',
  s.open({
    versions: s
      .object({
        current: s.string.about('version that a request without a version gets'),
        all: s.list(
          s.object({ name: s.string, changes: s.list(s.string).about('titles of the changes in this version') }),
        ),
      })
      .orNull()
      .about("versions of the vendor's API, oldest first; null if the pack accepts any version")
      .optional(),
    name: s.string,
    title: s.string,
    version: s.string,
    resources: s.list(s.map),
    causes: s.list(s.map),
    scenarios: s.list(s.map),
    seeds: s.list(s.object({ name: s.string, description: s.string })).about('named seed data of the pack'),
    magic_values: s.list(s.map),
    durations: s.list(s.map),
    events: s.list(s.string),
    errors: s.list(s.string),
  }),
);

/** Routes that return the pack's declarations, and drawings of its machines. */
export const PACK_ROUTES: readonly ControlRoute[] = [
  route(
    'GET /pack',
    {
      id: 'pack',
      tag: 'about',
      about: "The pack's declarations: resources, external events, scenarios, durations, events and errors",
      response: PackViewSchema,
    },
    ({ engine }) => ({ body: packView(engine.pack) }),
  ),
  route(
    'GET /pack/machines/:id',
    {
      id: 'machine',
      tag: 'about',
      about: 'Drawing of a state machine (SVG)',
      names: 'name of the collection, with or without `.svg`',
      response: s.string,
      type: 'image/svg+xml',
      errors: [404],
    },
    async ({ engine: { model } }, { id }) => {
      const name = id.replace(/\.svg$/, '');
      const def = model.byCollection.get(name) ?? model.byName.get(name);
      const graph = def && machineGraph(def);
      if (!def || !graph) {
        const having = model.resources.filter(({ machine }) => machine).map(({ collection }) => collection);
        throw unknown('machine', name, model.env.suggest(name, having), { machines: having });
      }
      let drawing = drawings.get(def);
      if (!drawing) drawings.set(def, (drawing = machineSvg(graph, `States of ${def.title}`)));
      return { text: await drawing, type: 'image/svg+xml' };
    },
  ),
];
