import { useTestAccount } from '../test-account.js';

const DOCUMENT = 'individual.verification.document';

describe('what is due of an account by a deadline', () => {
  const account = useTestAccount('2026-01-01T00:00:00Z');
  let id: string;

  beforeEach(async () => {
    ({ id } = await account.stripe.accounts.create({
      type: 'custom',
      capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
    }));
    await account.fire('account.onboarded', { account_id: id });
    await account.advance('10s');
  });

  const stands = async (): Promise<unknown[]> => {
    const { charges_enabled, requirements } = await account.stripe.accounts.retrieve(id);
    const { current_deadline, currently_due, past_due, disabled_reason } = requirements ?? {};
    return [charges_enabled, currently_due, past_due, current_deadline, disabled_reason];
  };

  test('it does no harm before, and stops the account afterwards', async () => {
    await account.fire('account.requirement_announced', { account_id: id, days: 14 });
    const deadline = account.now() + 14 * 86_400;
    const [told] = (await account.stripe.events.list({ type: 'account.updated' }, { stripeAccount: id })).data;
    expect(told.data.object).toMatchObject({ requirements: { current_deadline: deadline, currently_due: [DOCUMENT] } });
    await account.advance('13d');
    expect(await stands()).toEqual([true, [DOCUMENT], [], deadline, null]);
    await account.advance('2d');
    expect(await stands()).toEqual([false, [DOCUMENT], [DOCUMENT], null, 'requirements.past_due']);
    await account.fire('account.document_accepted', { account_id: id });
    await account.advance('10s');
    expect(await stands()).toEqual([true, [], [], null, null]);
  });

  test('what is given in time is due no more', async () => {
    await account.fire('account.requirement_announced', { account_id: id });
    await account.advance('20d');
    await account.fire('account.document_accepted', { account_id: id });
    expect(await stands()).toEqual([true, [], [], null, null]);
    await account.advance('30d');
    expect(await stands()).toEqual([true, [], [], null, null]);
  });
});
