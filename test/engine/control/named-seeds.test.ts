import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPack } from '../../../engine/index.js';
import { runExamples } from '../../../tools/examples/index.js';
import { runCommand } from '../../support/command.js';
import { startSandbox, useSandboxes } from '../../support/start-sandbox.js';
import { scratchFolder } from '../../support/scratch-folder.js';

/** Seed data that a pack brings in `seeds/`, with a pack of plants. */

const PACK = 'test/packs/greenhouse';
const sandbox = startSandbox(PACK, { t0: '2026-01-01T00:00:00Z', seed: 'plants', reset: { empty: true } });
const { call } = sandbox;
const { serve } = useSandboxes({ pack: PACK, seed: 'plants' });
const folder = scratchFolder();

test('a world begins with the objects and the time of seed data that is named', async () => {
  expect(await sandbox.control.seed({ name: 'spring' })).toEqual({ seeded: { plants: 1, flowers: 1 } });
  expect((await call('GET /flowers/flower_1')).body).toMatchObject({ plant: 'plant_1', state: 'blooming' });
  await sandbox.control.advance('3d');
  expect((await call('GET /plants/plant_1')).body).toMatchObject({
    state: 'sprout',
    seen: '2026-03-04T00:00:00.000Z',
  });
});

test('a time beside the name is where the clock starts', async () => {
  await sandbox.control.seed({ name: 'spring', t0: '2026-02-28T00:00:00Z' });
  expect((await call('GET /__admin__/clock')).body['now']).toBe('2026-02-28T00:00:00.000Z');
});

test('a world that began with seed data goes back to it', async () => {
  const world = await serve({ t0: undefined });
  await world.applySeedData({ name: 'spring' });
  await world.call('POST /plants', {});
  await world.control.advance('3d');
  await world.control.reset({});
  const { data } = await world.body('GET /plants');
  expect(data).toMatchObject([{ id: 'plant_1', state: 'seed', seen: '2026-03-01T00:00:00.000Z' }]);
});

test.each([
  [{ name: 'sprin' }, 404, { code: 'unknown_seed', suggestion: 'spring', seeds: ['spring'] }],
  [{ name: 'spring', resources: {} }, 400, { code: 'invalid_value', path: 'resources' }],
  [{ name: 7 }, 400, { code: 'invalid_value', path: 'name' }],
])('%j is rejected and changes nothing', async (body, status, error) => {
  const response = await call('POST /__admin__/seed', JSON.stringify(body));
  expect(response).toMatchObject({ status, body: { error } });
  expect((await call('GET /__admin__/state?resource=plants')).body['resources']).toEqual({ plants: [] });
});

test('what a pack declares names its seed data', async () => {
  const { seeds } = (await call('GET /__admin__/pack')).body;
  expect(seeds).toEqual([
    { name: 'spring', description: 'A seed that sprouts in three days, and a flower that blooms.' },
  ]);
});

/** The pack with another file of seed data. */
function packWith(name: string, text: string): string {
  const dir = join(folder, name);
  cpSync(PACK, dir, { recursive: true });
  writeFileSync(join(dir, 'seeds', 'winter.yaml'), text);
  return dir;
}

const WINTER = `seed: winter
description: x
resources:
  plants:
    - { id: plant_1, state: seed }
`;

test.each([
  ['another id', 'plant_1', 'tree_1', { code: 'invalid-value', line: 5, column: 13 }],
  ['no id', 'id: plant_1, ', '', { code: 'missing-id', line: 5 }],
  ['a field that there is not', 'state:', 'stat:', { code: 'unknown-field', line: 5, suggestion: 'state' }],
  ['a wrong value', 'state: seed', 'state: tree', { code: 'invalid-value', line: 5 }],
  [
    'a collection that there is not',
    'plants:',
    'plant:',
    { code: 'unknown-collection', line: 4, suggestion: 'plants' },
  ],
  ['a name that is taken', 'winter', 'spring', { code: 'duplicate-seed', line: 1 }],
  ['a key that there is not', 'description', 'about', { code: 'unknown-key' }],
])('seed data with %s is reported when the pack loads', (what, before, after, problem) => {
  const { pack, problems } = loadPack(packWith(what, WINTER.replace(before, after)));
  expect(problems).toContainEqual(
    expect.objectContaining({ severity: 'error', file: 'seeds/winter.yaml', ...problem }),
  );
  expect(pack).toBeNull();
});

test('seed data that only a world can reject is reported when the examples run', async () => {
  const { source } = loadPack(packWith('circle', WINTER.replace('state:', 'chamber: chamber_9, state:')));
  expect((await runExamples(source)).problems).toMatchObject([
    { code: 'seed-rejected', file: 'seeds/winter.yaml', line: 5, message: expect.stringContaining('chamber_9') },
  ]);
});

test('the command seeds by name', async () => {
  const options = ['--url', sandbox.url, '--key', sandbox.key];
  const { code, stdout } = await runCommand(['seed', '--name', 'spring', ...options]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'seeded plants (1), flowers (1)\n' });
});
