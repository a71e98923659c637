import { createCompany } from '../../../engine/index.js';
import { BEACON, leaks, walk, watchSockets } from '../../support/beacon.js';
import { call } from '../../support/http.js';
import { made, useSandboxes } from '../../support/start-sandbox.js';

watchSockets();
const { serve, keep } = useSandboxes({
  pack: BEACON,
  seed: 's',
  t0: '2026-01-01T00:00:00Z',
  onDefect: () => undefined,
});

/** A text without what is another one at another port. */
const placeless = (text: string): string =>
  text
    .replaceAll(/(?:http|ws):\/\/127\.0\.0\.1:\d+/g, 'HOME')
    .replaceAll(/http%3A%2F%2F127\.0\.0\.1%3A\d+/g, 'HOME')
    .replaceAll(/aHR0cD[\w+/=-]*/g, 'CODE');

describe('the placeholder of an address', () => {
  test.each([
    ['a port of its own', { publicUrl: undefined }],
    ['another address', { publicUrl: 'https://beacon.sandbox.test/base' }],
  ])('never leaves a world at %s', async (_name, options) => {
    const { url, key } = await serve(options);
    await walk({ url, key }, options.publicUrl);
    expect(leaks()).toEqual([]);
  });

  test('never leaves worlds behind one address, nor a fork', async () => {
    const shared = await serve({ worlds: 'key', publicUrl: 'https://beacon.sandbox.test' });
    await call(shared, 'POST /pages', { link: 'https://beacon.sandbox.test/w/main/mine' });
    const fork = await made(shared.control, { from: { world: 'main', send_webhooks: true } });
    await walk({ url: `${shared.url}/w/${fork.id}`, key: fork.key }, `https://beacon.sandbox.test/w/${fork.id}`);
    expect(leaks()).toEqual([]);
  });

  test('never leaves a company, whose packs have an address each', async () => {
    const company = keep(
      await createCompany({
        packs: [
          { pack: BEACON, name: 'east', key: 'key_east' },
          { pack: BEACON, name: 'west', key: 'key_west' },
        ],
        seed: 's',
        t0: '2026-01-01T00:00:00Z',
        onDefect: () => undefined,
      }),
    );
    for (const { url, key } of Object.values(company.vendors)) await walk({ url, key });
    for (const path of ['', '/diff?from=1&to=5', '/coverage', '/unsupported', '/company', '/judge', '/traces'])
      await call(company, `GET /__admin__${path}`);
    expect(leaks()).toEqual([]);
  });

  test('makes no byte different: the same calls of the same seed get the same, apart from the address', async () => {
    const runs: string[][] = [];
    let port = 0;
    for (let at = 0; at < 3; at++) {
      const world = await serve({ key: 'key_beacon', port: at === 2 ? port : 0 });
      if (at === 0) port = Number(new URL(world.url).port);
      runs.push(await walk({ url: world.url, key: world.key }));
      await world.close();
    }
    const [first, other, again] = runs;
    expect(again).toEqual(first);
    expect(other.map(placeless)).toEqual(first.map(placeless));
  });
});
