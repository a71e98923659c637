import type { Addressed } from '../../../engine/runtime/index.js';
import { PackWorld, problemsOf } from '../../support/pack-world.js';

const PACK = `events: { resource: event, with: { type: "\${type}", about: "\${snapshot}" } }
delivery:
  endpoint: { resource: bell, events: "['*']", register: { url: "\${url}" } }
  transports: { http: { url: endpoint.url, body: "\${rest(event)}" } }
`;
const EVENT =
  'resource: event\ncollection: events\nfields: { type: string, about: any }\noperations: { retrieve: {} }\n';
const BELL = `resource: bell
collection: bells
fields: { url: string }
operations:
  create: { params: { url: { type: string, required: true } } }
  ring: { do: [{ emit: bell.rung, only_to: self }, { emit: bell.rung, only_to: self, snapshot: { loud: true } }] }
events: { bell.rung: { emit: true } }
`;
const FILES = { 'pack.yaml': PACK, 'resources/event.yaml': EVENT, 'resources/bell.yaml': BELL };

test('an event for one endpoint alone is handed over, not stored', () => {
  const made = new PackWorld(FILES);
  const told: Addressed[] = [];
  made.engine.onAddressed((addressed) => void told.push(...addressed));
  const { id } = made.do('bells.create', { url: 'http://localhost' }) as { id: string };
  expect(made.call('bells.ring', {}, { id }).events).toEqual([]);
  expect(made.rows('events')).toEqual([]);
  expect(told.map(({ event, endpoint }) => [endpoint.id, event])).toEqual([
    [id, { id: expect.any(String), type: 'bell.rung', about: { id, url: 'http://localhost' } }],
    [id, { id: expect.any(String), type: 'bell.rung', about: { loud: true } }],
  ]);
});

test('only endpoints can be addressed', () => {
  const ring = (to: string) => BELL.replace('only_to: self }, {', `only_to: "${to}" }, {`);
  expect(problemsOf({ ...FILES, 'resources/bell.yaml': ring("find(event, {'type': 'x'})") })).toEqual([
    'wrong-type resources/bell.yaml:6 events are delivered to a bell, this is a event',
  ]);
  expect(problemsOf({ ...FILES, 'resources/bell.yaml': ring('nobody') })).toEqual([
    expect.stringContaining("expression resources/bell.yaml:6 unknown name 'nobody'"),
  ]);
  expect(problemsOf({ ...FILES, 'pack.yaml': PACK.split('delivery')[0] })[0]).toContain('no-delivery');
});
