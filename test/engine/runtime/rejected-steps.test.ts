import { createSandbox, type SandboxOptions } from '../../../engine/index.js';
import { overlaidPack } from '../../support/overlaid-pack.js';
import { useSandboxes } from '../../support/start-sandbox.js';

const { serve } = useSandboxes({ onDefect: () => undefined });

test('a timer whose steps are rejected is reported by the advance that fired it', async () => {
  const steps = '# resources/parcel.yaml\nactions: { stamp: [{ fail: too_heavy, with: { grams: 1 } }] }';
  const sandbox = await serve({ pack: overlaidPack([steps], '') });
  const { body: call } = sandbox;
  const { id } = await call('POST /v1/parcels', { grams: 1, to: 'Oslo' });
  await call(`POST /v1/parcels/${String(id)}/ship`);
  expect(await sandbox.control.advance('3d')).toMatchObject({
    failed: [
      { object: id, timer: expect.stringContaining('travel_time') as string, error: expect.anything() as unknown },
    ],
  });
  expect(await call(`GET /v1/parcels/${String(id)}`)).toMatchObject({ status: 'traveling' });
});

test('what an external event rejects is reported in the words of the error', async () => {
  const cause = `# causes.yaml
causes:
  parcel.lost: { subject: { param: parcel_id, resource: parcel }, do: [{ fail: too_heavy, with: { grams: 3 } }] }`;
  const sandbox = await serve({ pack: overlaidPack([cause], '') });
  const { body: call } = sandbox;
  const { id } = await call('POST /v1/parcels', { grams: 1, to: 'Oslo' });
  await expect(sandbox.control.event('parcel.lost', { parcel_id: id })).rejects.toThrow('3 g is more than we carry.');
});

test('an error whose own text fails is a defect of that call only', async () => {
  const text =
    '# errors.yaml\nerrors: { too_heavy: { status: 422, args: { grams: integer }, message: "${add_interval(now, string(grams), 1)}" } }';
  const { call } = await serve({ pack: overlaidPack([text], '') });
  expect((await call('POST /v1/parcels', { grams: 100_000, to: 'Oslo' })).status).toBe(500);
  expect((await call('POST /v1/parcels', { grams: 1, to: 'Oslo' })).status).toBe(200);
});

test('an unknown option of createSandbox is reported by its name', async () => {
  // Callers of JavaScript are not held by the types.
  const mistyped: Record<string, unknown> = { pak: 'packs/payments' };
  await expect(createSandbox(mistyped as unknown as SandboxOptions)).rejects.toThrow(
    "'pack' must be a folder or the name of a pack (given: pak)",
  );
});
