import { DAY, servePayments, T0 } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;

describe('test clocks are handles on the one clock', () => {
  it('read the world’s time, whoever moved it', async () => {
    const first = await stripe().testHelpers.testClocks.create({ frozen_time: T0 });
    await payments.control.advance('5d');
    expect(await stripe().testHelpers.testClocks.retrieve(first.id)).toMatchObject({ frozen_time: T0 + 5 * DAY });
    const second = await stripe().testHelpers.testClocks.create({ frozen_time: T0 + 6 * DAY });
    await stripe().testHelpers.testClocks.advance(second.id, { frozen_time: T0 + 9 * DAY });
    expect(await stripe().testHelpers.testClocks.retrieve(first.id)).toMatchObject({
      frozen_time: T0 + 9 * DAY,
      status: 'ready',
    });
  });
});

it.each([-5, '1969-12-31T23:59:59Z'])('a world does not begin before 1970: %j', async (t0) => {
  await expect(payments.control.reset({ t0 })).rejects.toMatchObject({ status: 400 });
});
