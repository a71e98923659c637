import { createReplica, type Replica } from '../../../engine/index.js';
import { describePostgres, postgres } from '../../support/postgres.js';
import { packFolder } from '../../support/sample-pack.js';
import { call as callWorld, type Body } from '../../support/http.js';

/** Keys that worlds make while they run, asked for of several servers of the same worlds. */

const KEY = 'sk_test_of_the_host_123456789';
const pack = packFolder({
  'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
auth: { schemes: [bearer], tokens: { resource: pass, field: token, when: "self.ends_at > now" } }
`,
  'resources/pass.yaml': `resource: pass
collection: passes
path: /passes
id: { prefix: "", format: short }
indexes: [token]
fields:
  token: { type: string, default: "pass_\${world_tag()}\${random_string(12)}" }
  ends_at: { type: timestamp, default: "\${shift(now, hours(1))}" }
operations: [create, delete]
`,
  'resources/cake.yaml': `resource: cake
collection: cakes
path: /cakes
id: { prefix: "", format: short }
fields: { size: integer }
operations: { create: { params: { size: { type: integer, required: true } } }, list: {} }
`,
});
async function call({ url }: Replica, key: string, line: string, body?: object): Promise<[number, Body]> {
  const response = await callWorld({ url, key }, line, body);
  return [response.status, response.body];
}

function tests(): void {
  const open: Replica[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close(100)));
  });

  test('a token of a world opens it at every replica, until it is deleted, over or of a world that is gone', async () => {
    const database = await postgres.newDatabase();
    const [one, two, three] = await Promise.all(
      [1, 2, 3].map(async (number) => {
        // The first makes the first world.
        if (number > 1) await new Promise((resolve) => setTimeout(resolve, 300));
        const replica = await createReplica({ pack, key: KEY, database, t0: 1_736_942_400, onDefect: () => undefined });
        open.push(replica);
        return replica;
      }),
    );
    const tokens: string[] = [];
    const worlds: { id: string; key: string }[] = [];
    for (const size of [1, 2]) {
      const [, world] = await call(one, KEY, 'POST /__admin__/worlds', {});
      const { id, key } = world as { id: string; key: string };
      worlds.push({ id, key });
      const [, pass] = await call(two, key, 'POST /passes', {});
      tokens.push(String(pass['token']));
      await call(three, key, 'POST /cakes', { size });
      if (size === 1) expect(pass['id']).toBeDefined();
    }
    for (const replica of [one, two, three])
      for (const [index, token] of tokens.entries())
        expect(await call(replica, token, 'GET /cakes')).toMatchObject([200, { data: [{ size: index + 1 }] }]);
    // What has the tag of another world's is the key of none.
    const [first, second] = tokens.map((token) => token.split('~'));
    expect((await call(three, [first[0], second[1], first[2]].join('~'), 'GET /cakes'))[0]).toBe(401);
    // A token that is over, and one that is deleted, are so everywhere.
    await call(one, worlds[0].key, 'POST /__admin__/clock/advance', { duration: '1h' });
    for (const replica of [one, two, three]) expect((await call(replica, tokens[0], 'GET /cakes'))[0]).toBe(401);
    const [, pass] = await call(three, worlds[1].key, 'POST /passes', {});
    expect((await call(one, String(pass['token']), 'GET /cakes'))[0]).toBe(200);
    await call(two, worlds[1].key, `DELETE /passes/${String(pass['id'])}`);
    expect((await call(one, String(pass['token']), 'GET /cakes'))[0]).toBe(401);
    await call(two, KEY, `DELETE /__admin__/worlds/${worlds[1].id}`);
    for (const replica of [one, two, three]) expect((await call(replica, tokens[1], 'GET /cakes'))[0]).toBe(401);
  });
}

describePostgres('tokens at replicas', tests);
