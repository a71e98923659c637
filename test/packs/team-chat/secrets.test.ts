import { type Bug, replayBug, SecretsSealed } from '../../../engine/index.js';
import { call, send } from '../../support/http.js';
import { useSandboxes } from '../../support/start-sandbox.js';

/** Secrets that calls bring: people who share a file share none, and who has the key can repeat it. */

const KEY = 'xoxb-the-key-of-the-world';
const APP = { client_id: '1000000000.2000000000', client_secret: 'sandbox-client-secret' };
const WRONG = 'a-guess-that-nobody-should-read';
const sandboxes = useSandboxes({ seed: 's', key: KEY });
const form = (fields: Readonly<Record<string, string>>): URLSearchParams => new URLSearchParams(fields);

test('an exchange of codes is masked in the ledger, sealed in exports, and can be repeated', async () => {
  const world = await sandboxes.serve({ pack: 'packs/team-chat' });
  const asked = await send(world, `GET /oauth/v2/authorize?client_id=${APP.client_id}&scope=chat:write`, undefined, {}, { redirect: 'manual' });
  const id = String(asked.headers.get('location')).split('/').at(-1) ?? '';
  await call(world, 'POST /__admin__/world/events', { cause: 'app.authorized', params: { installation: id } });
  const state = await call<{ resources: { installations: { code: string }[] } }>(
    world,
    'GET /__admin__/state?resource=installations',
  );
  const [{ code }] = state.body.resources.installations;
  await call(world, 'POST /api/oauth.v2.access', form({ ...APP, code }));
  await call(world, 'POST /__admin__/faults', { resource: 'tokens', operation: 'access', status: 500, count: 1 });
  await call(world, 'POST /api/oauth.v2.access', form({ ...APP, client_secret: WRONG, code }));

  const { last } = (await call<{ last: number }>(world, 'GET /__admin__/ledger')).body;
  const entries = await Promise.all(
    Array.from({ length: last }, (_, n) => call(world, `GET /__admin__/ledger/${n + 1}`)),
  );
  const args = JSON.stringify(entries.map(({ body }) => body['args']));
  const { text } = await call(world, 'GET /__admin__/export');
  const bug = JSON.parse(text) as Bug;
  const steps = JSON.stringify(bug.steps);
  for (const secret of [APP.client_secret, code, WRONG])
    expect([secret, args.includes(secret), steps.includes(secret)]).toEqual([secret, false, false]);
  expect(args).toContain('***');

  const again = await replayBug(bug, { pack: 'packs/team-chat', key: KEY });
  sandboxes.keep(again.sandbox);
  expect(again.unlike).toBeNull();
  expect(JSON.stringify(again.orders)).not.toContain(code);
  await expect(replayBug(bug, { pack: 'packs/team-chat', key: 'xoxb-another' })).rejects.toThrow(SecretsSealed);
});
