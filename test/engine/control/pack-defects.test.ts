import { samplePack } from '../../support/sample-pack.js';
import { useSandboxes } from '../../support/start-sandbox.js';

/** An expression of a pack that fails in a call of the control API is told as such: the caller learns what, the log where. */

const ferry = samplePack('delivery');
const defects: string[] = [];
const { serve } = useSandboxes({ onDefect: (error, what) => void defects.push(`${what}: ${String(error)}`) });

beforeEach(() => (defects.length = 0));

test.each([
  ['secret', "secret: 'concat([endpoint.secret]", `secret: 'concat([string(int(endpoint.secret))]`],
  ['events', "events: 'endpoint.events'", "events: '[string(int(endpoint.secret))]'"],
])('%s of an endpoint', async (_what, from, to) => {
  const { admin } = await serve({ pack: ferry.write(ferry.patched('pack.yaml', [from, to])) });
  await admin('POST /seed', { resource: 'hooks', objects: [{ id: 'hook_1234567890', url: 'http://x', secret: 'a' }] });
  const { status, body } = await admin('GET /webhooks/endpoints');
  expect([status, body]).toEqual([
    422,
    { error: { code: 'pack_defect', message: expect.stringContaining('the pack fails at this') as string } },
  ]);
  expect(defects).toEqual([expect.stringContaining('GET /__admin__/webhooks/endpoints')]);
  expect((await admin('GET /clock')).status).toBe(200);
});
