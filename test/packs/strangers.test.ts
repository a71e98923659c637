import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadPack, PackCache } from '../../engine/index.js';
import { ROOT } from '../support/root.js';
import { startSandbox } from '../support/start-sandbox.js';

/** What callers without a key and without a secret can change. */

/** Calls that change something and that anybody may make, as at the vendors: sign-in pages begin with them. */
const FOR_ANYBODY: readonly string[] = [
  'code-hosting authorizations.authorize',
  'identity challenges.start',
  'identity device_codes.start',
  'identity interactions.authorize',
  'identity users.forgot_password',
  'team-chat installations.authorize',
];

const hosting = startSandbox('packs/code-hosting', { key: 'ghp_key' });

test('nothing, but what a sign-in begins with', () => {
  const cache = PackCache.ofInstallation({ readOnly: true });
  const changing = readdirSync(join(ROOT, 'packs')).flatMap((name) => {
    const { pack } = loadPack(join(ROOT, 'packs', name), { cache });
    return (pack?.operations ?? [])
      .filter((operation) => operation.unguarded && !operation.changesNothing())
      .map(({ key }) => `${name} ${key}`);
  });
  expect(changing).toEqual(FOR_ANYBODY);
});

test.each(['POST cancel', 'POST force-cancel', 'POST rerun', 'POST rerun-failed-jobs'])(
  '%s of a workflow run needs a key',
  async (call) => {
    const [method, action] = call.split(' ');
    const path = `${hosting.url}/repos/octocat/hello-world/actions/runs/1/${action}`;
    const { status } = await fetch(path, { method });
    expect(status).toBe(401);
  },
);
