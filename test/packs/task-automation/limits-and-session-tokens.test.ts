/** What stands around runs: limits of the organization, session tokens, the availability of sources. */
import { type Called, type Body, serveAutomation } from './served-automation.js';

const automation = serveAutomation();

const state = async (resource: string): Promise<readonly Body[]> => {
  const { resources } = await automation.control.call('GET', `/state?resource=${resource}`);
  return (resources as Readonly<Record<string, readonly Body[]>>)[resource];
};

/** Status, type and code of an answer. */
function verdict({ status, body }: Called): readonly unknown[] {
  const [error] = (body['errors'] ?? []) as readonly Body[];
  return error === undefined ? [status] : [status, error['type'], error['code']];
}

describe('a limit of the organization', () => {
  const LIMITS: readonly [limit: string, refused: readonly unknown[], inSession: readonly unknown[]][] = [
    ['plan', [403, 'organization', 'plan_limit_reached'], [403, 'organization', 'plan_limit_reached']],
    ['sessions', [429, 'rate_limit', 'session_limit_exceeded'], [201]],
  ];
  test.each(LIMITS)('of %s refuses new runs with %j until it is cleared', async (limit, refused, inSession) => {
    const { task_id, session_id } = await automation.run();
    const create = async (more: Body = {}) =>
      verdict(await automation.call('POST /task-runs', { task_id, input: { invoice: '1' }, ...more }));
    await automation.cause('organization.limit_reached', { limit });
    expect(await create()).toEqual(refused);
    expect(await create({ session_id })).toEqual(inSession);
    await automation.cause('organization.limit_cleared');
    expect(await create()).toEqual([201]);
  });

  test('ends by itself after `limit_time`', async () => {
    await automation.control.call('POST', '/clock/durations', { durations: { limit_time: '1h' } });
    await automation.cause('organization.limit_reached', { limit: 'plan' });
    const status = async () => (await state('organizations'))[0]['status'];
    await automation.advance('59m');
    expect(await status()).toBe('plan_exhausted');
    await automation.advance('1m');
    expect(await status()).toBe('within_limits');
  });
});

test('a session token is valid for 30 minutes and told once', async () => {
  const made = await automation.done<Readonly<Record<string, string>>>('POST /token');
  expect(made).toMatchObject({ object: 'token', id: expect.stringMatching(/^tok_[0-9A-Za-z]{16}$/) as unknown });
  expect(made['token']).toMatch(/^tk_[0-9A-Za-z]{32}$/);
  expect(Date.parse(made['expires_at']) - Date.parse(made['created_at'])).toBe(30 * 60_000);
  const [stored] = await state('tokens');
  expect(stored['id']).toBe(made['id']);
  expect(JSON.stringify(stored)).not.toContain(made['token']);
});

test('tests see in the state what clients do not: whether a source is available', async () => {
  const { id } = await automation.source();
  await automation.cause('source.blocked', { source_id: id });
  expect((await state('sources'))[0]).toMatchObject({ id, availability: 'blocked' });
  expect(await automation.done(`GET /sources/${id}`)).not.toHaveProperty('availability');
  for (const { data } of await automation.events()) expect(data).not.toHaveProperty('availability');
});
