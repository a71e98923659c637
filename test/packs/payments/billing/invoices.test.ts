import type Stripe from 'stripe';
import { at, customerWith, priceOf, useTestAccount } from '../test-account.js';

describe('invoices by hand', () => {
  const account = useTestAccount('2025-01-01T00:00:00Z');
  const PAID = [
    'charge.succeeded',
    'payment_intent.succeeded',
    'invoice.updated',
    'invoice.paid',
    'invoice.payment_succeeded',
    'invoice_payment.paid',
  ];
  const draft = async (customer: string, amount: number, more: Partial<Stripe.InvoiceCreateParams> = {}) => {
    await account.stripe.invoiceItems.create({ customer, amount, currency: 'usd', description: 'Work' });
    return account.stripe.invoices.create({ customer, pending_invoice_items_behavior: 'include', ...more });
  };

  test('a draft that cannot be made final stays one, until it can', async () => {
    const customer = await customerWith(account);
    const { id } = await draft(customer.id, 1500);
    await account.news();
    await account.sandbox.control.event('invoice.finalization_failed', { invoice_id: id });
    const [event] = await account.events();
    expect(event).toMatchObject({
      type: 'invoice.finalization_failed',
      data: { object: { status: 'draft', last_finalization_error: { code: 'customer_tax_location_invalid' } } },
    });
    expect(await account.stripe.invoices.finalizeInvoice(id)).toMatchObject({
      status: 'open',
      last_finalization_error: null,
    });
  });

  test('draft, finalize, pay', async () => {
    const { stripe } = account;
    const customer = await customerWith(account);
    await account.news();
    const invoice = await draft(customer.id, 2500);
    expect(invoice).toMatchObject({
      status: 'draft',
      number: null,
      total: 2500,
      amount_due: 2500,
      billing_reason: 'manual',
      auto_advance: false,
      payment_intent: null,
      hosted_invoice_url: null,
    });
    expect(await account.news()).toEqual(['invoiceitem.created', 'invoice.created']);
    const open = await stripe.invoices.finalizeInvoice(invoice.id);
    expect(open).toMatchObject({
      status: 'open',
      number: `${customer.invoice_prefix}-0001`,
      amount_remaining: 2500,
      status_transitions: { finalized_at: account.now() },
    });
    expect(await account.news()).toEqual(['invoice.finalized', 'payment_intent.created']);
    await expect(stripe.invoices.finalizeInvoice(invoice.id)).rejects.toThrow('already finalized');
    const paid = await stripe.invoices.pay(invoice.id, { expand: ['charge', 'payment_intent'] });
    expect(paid).toMatchObject({
      status: 'paid',
      paid: true,
      amount_paid: 2500,
      amount_remaining: 0,
      attempt_count: 1,
      charge: { amount: 2500 },
    });
    expect(await account.news()).toEqual(PAID);
    await expect(stripe.invoices.pay(invoice.id)).rejects.toThrow('Invoice is already paid');
    await expect(stripe.invoices.voidInvoice(invoice.id)).rejects.toThrow(
      'Invoices with `paid` payments cannot be voided.',
    );
  });

  test('a declined pay is 402 and leaves the invoice open', async () => {
    const customer = await customerWith(account, 'pm_card_chargeCustomerFail');
    const invoice = await account.stripe.invoices.finalizeInvoice((await draft(customer.id, 2500)).id);
    await account.news();
    await expect(account.stripe.invoices.pay(invoice.id)).rejects.toMatchObject({
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'generic_decline',
    });
    expect(await account.news()).toEqual([
      'charge.failed',
      'payment_intent.payment_failed',
      'invoice.updated',
      'invoice.payment_failed',
    ]);
    expect(await account.stripe.invoices.retrieve(invoice.id)).toMatchObject({ status: 'open', attempt_count: 1 });
    await expect(
      account.stripe.paymentIntents.update(invoice.payment_intent as string, { amount: 1 }),
    ).rejects.toBeDefined();
  });

  test('the next number of a customer is above those that were used, unless the prefix is another', async () => {
    const { stripe } = account;
    const { id } = await stripe.customers.create();
    const numbered = async (): Promise<string | null> =>
      (await stripe.invoices.finalizeInvoice((await draft(id, 2500)).id)).number;
    expect(await numbered()).toMatch(/-0001$/);
    await stripe.customers.update(id, { next_invoice_sequence: 40 });
    expect(await numbered()).toMatch(/-0040$/);
    for (const used of [1, 40])
      await expect(stripe.customers.update(id, { next_invoice_sequence: used })).rejects.toMatchObject({
        statusCode: 400,
        param: 'next_invoice_sequence',
      });
    // One that was only planned may go down again.
    await stripe.customers.update(id, { next_invoice_sequence: 90 });
    await stripe.customers.update(id, { next_invoice_sequence: 41 });
    expect(await numbered()).toMatch(/-0041$/);
    await stripe.customers.update(id, { invoice_prefix: 'NEW', next_invoice_sequence: 1 });
    expect(await numbered()).toBe('NEW-0001');
  });

  test('void, uncollectible, out of band, delete', async () => {
    const { stripe } = account;
    const customer = await account.stripe.customers.create({ balance: -500 });
    const first = await stripe.invoices.finalizeInvoice((await draft(customer.id, 2500)).id);
    expect(first).toMatchObject({ amount_due: 2000, ending_balance: 0 });
    await account.news();
    expect((await stripe.invoices.voidInvoice(first.id)).status).toBe('void');
    const told = ['payment_intent.canceled', 'invoice.voided', 'invoice.updated', 'customer.updated'];
    expect(await account.news()).toEqual(told);
    expect((await stripe.customers.retrieve(customer.id)) as Stripe.Customer).toMatchObject({
      balance: -500,
      next_invoice_sequence: 2,
    });
    const second = await stripe.invoices.finalizeInvoice((await draft(customer.id, 2500)).id);
    expect((await stripe.invoices.markUncollectible(second.id)).status).toBe('uncollectible');
    await expect(stripe.invoices.pay(second.id)).rejects.toThrow('default_payment_method');
    expect(await stripe.invoices.pay(second.id, { paid_out_of_band: true })).toMatchObject({
      status: 'paid',
      paid_out_of_band: true,
    });
    const third = await draft(customer.id, 100);
    expect(await stripe.invoices.del(third.id)).toEqual({ id: third.id, object: 'invoice', deleted: true });
    expect((await stripe.invoiceItems.list({ customer: customer.id, pending: true })).data).toHaveLength(1);
    await expect(stripe.invoices.del(second.id)).rejects.toThrow('only delete draft');
  });

  test('auto_advance finalizes after an hour and pays', async () => {
    const customer = await customerWith(account);
    const invoice = await draft(customer.id, 2500, { auto_advance: true });
    expect(invoice.automatically_finalizes_at).toBe(account.now() + 3600);
    expect(await account.advance('1h')).toEqual(['invoice.finalized', 'payment_intent.created', ...PAID]);
    const sent = await draft(customer.id, 2500, { collection_method: 'send_invoice', days_until_due: 5 });
    expect(sent.due_date).toBe(account.now() + 5 * 86400);
    expect((await account.stripe.invoices.sendInvoice(sent.id)).status).toBe('open');
    expect(await account.news()).toEqual([
      'invoiceitem.created',
      'invoice.created',
      'invoice.finalized',
      'payment_intent.created',
      'invoice.sent',
    ]);
  });

  test('drafts change: lines, discounts, taxes, shipping', async () => {
    const { stripe } = account;
    const customer = await customerWith(account);
    const vat = await stripe.taxRates.create({ display_name: 'VAT', percentage: 19, inclusive: false });
    const invoice = await draft(customer.id, 1000);
    await stripe.invoices.addLines(invoice.id, {
      lines: [
        { amount: 500, description: 'More' },
        {
          description: 'By price',
          price_data: { currency: 'usd', product_data: { name: 'Thing' }, unit_amount: 250 },
          quantity: 2,
        },
      ],
    });
    const lines = await stripe.invoices.listLineItems(invoice.id);
    expect(lines.data.map((line) => line.amount)).toEqual([1000, 500, 500]);
    await stripe.invoices.updateLineItem(invoice.id, lines.data[1].id, { amount: 600 });
    const coupon = await stripe.coupons.create({ percent_off: 10, duration: 'once' });
    const changed = await stripe.invoices.update(invoice.id, {
      discounts: [{ coupon: coupon.id }],
      default_tax_rates: [vat.id],
      metadata: { k: 'v' },
      footer: 'Thanks',
    });
    expect(changed).toMatchObject({
      subtotal: 2100,
      total_discount_amounts: [{ amount: 210 }],
      tax: 360,
      total: 2250,
      metadata: { k: 'v' },
    });
    expect(changed.total).toBe(changed.subtotal - 210 + (changed.tax ?? 0));
    const rate = await stripe.shippingRates.create({
      display_name: 'Post',
      type: 'fixed_amount',
      fixed_amount: { amount: 300, currency: 'usd' },
    });
    const shipped = await stripe.invoices.update(invoice.id, { shipping_cost: { shipping_rate: rate.id } });
    expect(shipped).toMatchObject({ amount_shipping: 300, total: 2550 });
    const removed = await stripe.invoices.removeLines(invoice.id, {
      lines: [{ id: lines.data[2].id, behavior: 'delete' }],
    });
    expect(removed.lines.data).toHaveLength(2);
    await stripe.invoices.finalizeInvoice(invoice.id);
    await expect(stripe.invoices.update(invoice.id, { default_tax_rates: [vat.id] })).rejects.toThrow(
      'Finalized invoices',
    );
  });

  test('more than ten lines are paged', async () => {
    const { stripe } = account;
    const customer = await customerWith(account);
    for (let i = 1; i <= 12; i++)
      await stripe.invoiceItems.create({ customer: customer.id, amount: i, currency: 'usd' });
    const invoice = await stripe.invoices.create({ customer: customer.id, pending_invoice_items_behavior: 'include' });
    expect(invoice.lines).toMatchObject({ has_more: true });
    expect(invoice.lines.data).toHaveLength(10);
    const rest = await stripe.invoices.listLineItems(invoice.id, {
      limit: 5,
      starting_after: invoice.lines.data[9].id,
    });
    expect(rest.data.map((line) => line.amount)).toEqual([2, 1]);
  });

  test('credit notes before and after payment', async () => {
    const { stripe } = account;
    const customer = await customerWith(account);
    const open = await stripe.invoices.finalizeInvoice((await draft(customer.id, 3000)).id);
    await account.news();
    const note = await stripe.creditNotes.create({ invoice: open.id, amount: 1000, reason: 'duplicate' });
    expect(note).toMatchObject({ total: 1000, type: 'pre_payment', status: 'issued', number: `${open.number}-CN-01` });
    expect(await account.news()).toEqual(['credit_note.created', 'invoice.updated']);
    expect(await stripe.invoices.retrieve(open.id)).toMatchObject({
      amount_remaining: 2000,
      pre_payment_credit_notes_amount: 1000,
    });
    await stripe.creditNotes.voidCreditNote(note.id);
    expect(await stripe.invoices.retrieve(open.id)).toMatchObject({
      amount_remaining: 3000,
      pre_payment_credit_notes_amount: 0,
    });
    const paid = await stripe.invoices.pay(open.id);
    await expect(stripe.creditNotes.create({ invoice: paid.id, amount: 500 })).rejects.toThrow('must equal');
    const line = paid.lines.data[0].id;
    const preview = await stripe.creditNotes.preview({
      invoice: paid.id,
      lines: [{ type: 'invoice_line_item', invoice_line_item: line, quantity: 1 }],
      refund_amount: 3000,
    });
    expect(preview.total).toBe(3000);
    await account.news();
    const back = await stripe.creditNotes.create({
      invoice: paid.id,
      lines: [{ type: 'invoice_line_item', invoice_line_item: line, amount: 700 }],
      refund_amount: 400,
      credit_amount: 300,
    });
    expect(back).toMatchObject({ total: 700, type: 'post_payment' });
    expect(back.refund).toMatch(/^re_/);
    expect((await stripe.customers.retrieve(customer.id)) as Stripe.Customer).toMatchObject({ balance: -300 });
    expect(await stripe.invoices.retrieve(paid.id)).toMatchObject({ post_payment_credit_notes_amount: 700 });
    expect((await stripe.creditNotes.listLineItems(back.id)).data).toHaveLength(1);
  });

  test('previews change nothing', async () => {
    const { stripe } = account;
    const customer = await customerWith(account);
    await expect(stripe.invoices.retrieveUpcoming({ customer: customer.id })).rejects.toMatchObject({
      code: 'invoice_upcoming_none',
      statusCode: 404,
    });
    const price = await priceOf(account, 1000);
    const big = await priceOf(account, 3000, 'month', 'Platinum');
    const before = JSON.stringify(await account.sandbox.control.state());
    const fresh = await stripe.invoices.createPreview({
      customer: customer.id,
      subscription_details: { items: [{ price: price.id, quantity: 2 }] },
    });
    expect(fresh.total).toBe(2000);
    expect(JSON.stringify(await account.sandbox.control.state())).toBe(before);
    const subscription = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] });
    await account.advance(at('2025-01-16T12:00:00Z'));
    const details = { items: [{ id: subscription.items.data[0].id, price: big.id }], proration_date: account.now() };
    const next = await stripe.invoices.createPreview({ subscription: subscription.id, subscription_details: details });
    expect(next.total).toBe(3000 + 1000);
    const now = await stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: { ...details, proration_behavior: 'always_invoice' },
    });
    expect(now.total).toBe(1000);
    const lines = await stripe.invoices.listUpcomingLines({ subscription: subscription.id });
    expect(lines.data.map((line) => line.amount)).toEqual([1000]);
    expect((await stripe.subscriptions.retrieve(subscription.id)).items.data[0].price.id).toBe(price.id);
  });
});
