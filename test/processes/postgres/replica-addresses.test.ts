import { createReplica, PackCache, type Replica } from '../../../engine/index.js';
import { BEACON, leaks, walk, watchSockets } from '../../support/beacon.js';
import { call } from '../../support/http.js';
import { describePostgres, postgres } from '../../support/postgres.js';

const KEY = 'key_of_the_host_123456789';
const HOME = 'https://beacon.sandbox.test';

watchSockets();

describePostgres('the address of worlds at replicas', () => {
  const open: Replica[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close(100)));
  });

  test('is that of all replicas, and its placeholder never leaves one', async () => {
    const database = await postgres.newDatabase();
    const start = async (): Promise<Replica> => {
      const replica = await createReplica({
        pack: BEACON,
        cache: PackCache.ofInstallation(),
        key: KEY,
        t0: '2026-01-01T00:00:00Z',
        database,
        publicUrl: HOME,
        onDefect: () => undefined,
      });
      open.push(replica);
      return replica;
    };
    const [one, other] = [await start(), await start()];
    const { body: world } = await call<{ id: string; key: string }>(
      { url: one.url, key: KEY },
      'POST /__admin__/worlds',
      {},
    );
    // A replica forwards the calls of worlds that another one has.
    for (const replica of [one, other]) {
      const named = { url: `${replica.url}/w/${world.id}`, key: world.key };
      await call(named, 'POST /__admin__/reset', {});
      await walk(named, `${HOME}/w/${world.id}`);
    }
    expect(leaks(Number(new URL(database).port))).toEqual([]);
  });
});
