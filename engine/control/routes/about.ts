import { type ControlContext, type ControlRoute, route } from '../context.js';
import { CONTRACT_VERSION, CONTROL_PATH, contractText } from '../contract.js';

/** What the control API is, for people and for tools. */
export function aboutRoutes(context: ControlContext, others: readonly ControlRoute[]): ControlRoute[] {
  const { engine, clock, pack } = context;
  const links = [
    'GET /',
    'GET /openapi.json',
    ...others.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
  ];
  const about = route('GET /', {}, () => {
    const { world } = engine;
    const { name, title, version, faithfulTo: faithful_to, hosts = [] } = pack;
    const sizes = (index: number): number => world.tenants.everywhere(index).reduce((sum, each) => sum + each.size, 0);
    const objects = world.collections.map(({ config, resource }) => [config.name, sizes(resource)] as const);
    return {
      body: {
        contract: CONTRACT_VERSION,
        pack: { name, title, version, faithful_to, ...(hosts.length === 0 ? {} : { hosts }) },
        world: { now: world.now, clock: clock.mode, seed: world.config.seed, objects: Object.fromEntries(objects) },
        links: links.map((line) => line.replace(' ', ` ${CONTROL_PATH}`)),
      },
    };
  });
  const contract = route('GET /openapi.json', {}, () => ({ chunks: [contractText()] }));
  return [about, contract];
}
