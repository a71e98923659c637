import { createSandbox, type Sandbox } from '../../../engine/index.js';
import { removeWritten, samplePack } from '../../support/sample-pack.js';
import { call, type Called } from '../../support/http.js';

/** An expression of a pack that fails in a call of the control API is told as such: the caller learns what, the log where. */

const ferry = samplePack('delivery');
const KEY = 'key_defects';
const defects: string[] = [];
let sandbox: Sandbox;

/** Starts the ferry line with one text of its pack replaced. */
async function started(from: string, to: string): Promise<void> {
  const onDefect = (error: unknown, what: string): void => void defects.push(`${what}: ${String(error)}`);
  sandbox = await createSandbox({ pack: ferry.write(ferry.patched('pack.yaml', [from, to])), key: KEY, onDefect });
}

const admin = (line: string, body?: object): Promise<Called> => call(sandbox, line.replace(' ', ' /__admin__'), body);

beforeEach(() => (defects.length = 0));
afterEach(() => sandbox.close());
afterAll(removeWritten);

test.each([
  ['secret', "secret: 'concat([endpoint.secret]", `secret: 'concat([string(int(endpoint.secret))]`],
  ['events', "events: 'endpoint.events'", "events: '[string(int(endpoint.secret))]'"],
])('%s of an endpoint', async (_what, from, to) => {
  await started(from, to);
  await admin('POST /seed', { resource: 'hooks', objects: [{ id: 'hook_1234567890', url: 'http://x', secret: 'a' }] });
  const { status, body } = await admin('GET /webhooks/endpoints');
  expect([status, body]).toEqual([
    422,
    { error: { code: 'pack_defect', message: expect.stringContaining('the pack fails at this') as string } },
  ]);
  expect(defects).toEqual([expect.stringContaining('GET /__admin__/webhooks/endpoints')]);
  expect((await admin('GET /clock')).status).toBe(200);
});
