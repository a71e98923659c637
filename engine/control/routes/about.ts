import { CONTRACT_VERSION, CONTROL_PATH } from '../contract.js';
import { contractPath } from '../document.js';
import { asked, viewAt } from '../ledger-position.js';
import { type ControlRoute, route } from '../route.js';
import * as s from '../schema.js';
import { InstantSchema, optional } from '../shape.js';

const AboutSchema = s.named(
  'About',
  s.object({
    contract: s.string.about("version of the control API's contract"),
    pack: s.object({
      name: s.string,
      title: s.string,
      version: s.string,
      faithful_to: s.string,
      hosts: s.list(s.string).about("host names of the vendor's API; absent if the pack names none").optional(),
    }),
    world: s.object({
      now: InstantSchema,
      clock: s.oneOf('frozen', 'realtime'),
      seed: s.string,
      objects: s.mapOf(s.integer).about('number of objects by collection'),
    }),
    unsupported: s
      .mapOf(s.integer)
      .about('number of requests for something that the pack does not emulate, by kind; `GET /unsupported` lists them'),
    links: s.list(s.string),
  }),
);

/**
 * The description of the control API, for people and tools.
 * @param table returns all routes
 * @param contractText returns the OpenAPI document
 */
export function aboutRoutes(table: () => readonly ControlRoute[], contractText: () => string): readonly ControlRoute[] {
  return [
    route(
      'GET /',
      {
        id: 'about',
        tag: 'about',
        about: 'Version of the contract, the pack, a summary of the world, and links to all calls',
        query: { at: optional(asked, 'the world as of this moment (default: now)') },
        response: AboutSchema,
        errors: [404, 422, 507],
      },
      ({ engine, clock, pack }, { query: { at } }) => {
        const { world } = viewAt(engine, at);
        const { name, title, version, faithfulTo: faithful_to, hosts = [] } = pack;
        const sizes = (index: number): number =>
          world.tenants.everywhere(index).reduce((sum, each) => sum + each.size, 0);
        const objects = world.collections.map(({ config, resource }) => [config.name, sizes(resource)] as const);
        return {
          body: {
            contract: CONTRACT_VERSION,
            pack: { name, title, version, faithful_to, ...(hosts.length === 0 ? {} : { hosts }) },
            world: { now: world.now, clock: clock.mode, seed: world.config.seed, objects: Object.fromEntries(objects) },
            unsupported: engine.coverage.unsupported.counts(),
            links: table().map((each) => `${each.method} ${CONTROL_PATH}${contractPath(each)}`),
          },
        };
      },
    ),
    route(
      'GET /openapi.json',
      { id: 'contract', tag: 'about', about: 'The OpenAPI document of the control API', response: s.map },
      () => ({
        chunks: [contractText()],
      }),
    ),
  ];
}
