import { KEY, refused, servePayments, T0, DAY } from '../served-payments.js';
import { form, type Body } from '../../../support/http.js';
import { useSandboxes } from '../../../support/start-sandbox.js';

const payments = servePayments();
const stripe = () => payments.stripe;
const { serve } = useSandboxes({ key: KEY, t0: undefined });

it.each([false, true])('the first test clock may lie in the past; a catalogue is there: %s', async (catalogue) => {
  if (catalogue) await stripe().products.create({ name: 'Gold' });
  const frozen_time = 1_577_836_800;
  const [clock, [created]] = [
    await stripe().testHelpers.testClocks.create({ frozen_time }),
    (await stripe().events.list({ type: 'test_helpers.test_clock.created' })).data,
  ];
  expect(clock).toMatchObject({ frozen_time, created: frozen_time, deletes_after: frozen_time + 30 * DAY });
  expect(created).toMatchObject({ created: frozen_time, data: { object: { frozen_time } } });
  const customer = await stripe().customers.create({ test_clock: clock.id });
  expect(customer.created).toBe(frozen_time);
  await stripe().testHelpers.testClocks.advance(clock.id, { frozen_time: frozen_time + DAY });
  expect(await stripe().testHelpers.testClocks.retrieve(clock.id)).toMatchObject({ frozen_time: frozen_time + DAY });
  // A later one may lie in the past too: it has a time of its own, and the world's stands.
  const later = await stripe().testHelpers.testClocks.create({ frozen_time });
  expect(later).toMatchObject({ frozen_time, created: frozen_time + DAY, deletes_after: frozen_time + 31 * DAY });
  expect(await stripe().testHelpers.testClocks.retrieve(clock.id)).toMatchObject({ frozen_time: frozen_time + DAY });
});

it('the world that follows wall time goes on from where the first test clock lets it begin', async () => {
  const live = await serve({ clock: 'realtime' });
  const frozen_time = 1_577_836_800;
  const call = (path: string, body?: string): Promise<Body> =>
    live.body(`${body === undefined ? 'GET' : 'POST'} ${path}`, body && form(body));
  expect(await call('/v1/test_helpers/test_clocks', `frozen_time=${frozen_time}`)).toMatchObject({ frozen_time });
  await new Promise((resolve) => setTimeout(resolve, 1200));
  const { created } = await call('/v1/customers', 'name=Ann');
  expect(created).toBeGreaterThan(frozen_time);
  expect(created).toBeLessThan(frozen_time + 60);
  expect(await call('/__admin__/clock')).toMatchObject({ mode: 'realtime' });
});

it('a test clock in the past of an object has a time of its own and never turns back; the world stands', async () => {
  await stripe().customers.create();
  const frozen_time = T0 - DAY;
  const clock = await stripe().testHelpers.testClocks.create({ frozen_time });
  expect(clock).toMatchObject({ frozen_time, created: T0, deletes_after: T0 + 30 * DAY });
  const { message } = await refused(stripe().testHelpers.testClocks.advance(clock.id, { frozen_time }));
  expect(message).toBe(`The frozen time (${frozen_time}) must be in the future: the clock is at ${frozen_time}.`);
  expect((await stripe().testHelpers.testClocks.advance(clock.id, { frozen_time: T0 + DAY })).frozen_time).toBe(T0 + DAY);
  expect((await stripe().customers.create()).created).toBe(T0);
});

it('with test_clocks=own every clock has a time of its own, and its customers renew alone; objects of two are rejected', async () => {
  const own = await serve({ t0: T0, vars: { test_clocks: 'own' } });
  const call = (line: string, body: string): Promise<Body> => own.body(line, form(body));
  const [a, b] = [
    await call('POST /v1/test_helpers/test_clocks', `frozen_time=${T0 + DAY}`),
    await call('POST /v1/test_helpers/test_clocks', `frozen_time=${T0}`),
  ];
  const customer = await call('POST /v1/customers', `test_clock=${a['id']}`);
  expect(customer['created']).toBe(T0 + DAY);
  const mixed = await call('POST /v1/quotes', `customer=${customer['id']}&test_clock=${b['id']}`);
  expect(mixed).toMatchObject({ error: { message: 'All objects of a request have to belong to the same test clock.' } });
  await call(`POST /v1/test_helpers/test_clocks/${a['id']}/advance`, `frozen_time=${T0 + 9 * DAY}`);
  const { body: clock } = await own.call(`GET /v1/test_helpers/test_clocks/${b['id']}`);
  expect(clock['frozen_time']).toBe(T0);
  expect((await own.body('GET /__admin__/clock'))['now']).toBe(T0);
});
