import { useSandboxes } from '../../support/start-sandbox.js';

const sandboxes = useSandboxes({ key: 'sk_test_of_the_tests' });

/** Nodes of trees of routes, each of which is a function of text, that are made meanwhile. */
async function nodesMade(run: () => Promise<void>): Promise<number> {
  const { Function: whole } = globalThis;
  let made = 0;
  globalThis.Function = new Proxy(whole, {
    construct: (target, given: string[]) => {
      if (given[0] === 'path') made++;
      return Reflect.construct(target, given);
    },
  });
  try {
    await run();
  } finally {
    globalThis.Function = whole;
  }
  return made;
}

// A pack with variables of its own: another suite of this process has perhaps grown the tree of the usual one.
test('a start and a call make a small part of the tree of routes; a path that nothing has makes all of it', async () => {
  const statuses: number[] = [];
  let call = (_line: string): Promise<{ readonly status: number }> => Promise.reject(new Error('not served yet'));
  const small = await nodesMade(async () => {
    ({ call } = await sandboxes.serve({ pack: 'packs/payments', vars: { vendor: 'routes' } }));
    statuses.push((await call('GET /v1/customers')).status);
  });
  const whole = await nodesMade(async () => {
    statuses.push((await call('GET /v1/nothing')).status);
  });
  expect(statuses).toEqual([200, 404]);
  expect(small).toBeGreaterThan(0);
  expect(small).toBeLessThan(100);
  expect(whole).toBeGreaterThan(small * 2);
});
