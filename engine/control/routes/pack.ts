import { type ControlContext, type ControlRoute, route } from '../context.js';
import { machineSvg } from '../diagram/svg.js';
import { machineGraph, packView } from '../pack-view.js';
import { unknown } from '../rejection.js';
import type { ResourceDef } from '../../model/index.js';

const drawings = new WeakMap<ResourceDef, Promise<string>>();

/** What the pack declares, and its machines as pictures. */
export function packRoutes({ engine }: ControlContext): ControlRoute[] {
  const { model } = engine;
  return [
    route('GET /pack', {}, () => ({ body: packView(engine.pack) })),
    route('GET /pack/machines/:id', {}, async ({ id }) => {
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
    }),
  ];
}
