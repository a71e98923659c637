import { type RecordedError, serveRecorded } from '../recorded-calls.js';

/** What the vendor's test mode returned for invoices and their items in September 2026. */

const vendor = serveRecorded();
let customer: string;
beforeEach(async () => {
  customer = await vendor.customer();
});

const item = (fields: Record<string, string> = {}): Promise<{ id: string }> =>
  vendor.made('POST /v1/invoiceitems', { customer, amount: '700', currency: 'usd', ...fields });

/** An invoice with one item, and what is done with it. */
async function invoice(...actions: string[]): Promise<string> {
  const { id } = await vendor.made('POST /v1/invoices', { customer });
  await item({ invoice: id });
  for (const action of actions) await vendor.made(`POST /v1/invoices/${id}/${action}`);
  return id;
}

const NOT_OPEN: RecordedError = [400, null, null, "You can only pass in open invoices. This invoice isn't open."];
const NOT_EDITABLE: RecordedError = [400, 'invoice_not_editable', null, 'Invalid invoice: This invoice is no longer editable'];
const FINAL = "This invoice is already finalized, you can't re-finalize a non-draft invoice.";
const NOT_SENDABLE =
  'This invoice cannot be sent right now. Please contact us via https://support.stripe.com/contact with details, so we can help.';

describe('what an invoice refuses', () => {
  const DRAFT: string[] = [];
  const OPEN = ['finalize'];
  const PAID = ['pay'];
  const VOID = ['finalize', 'void'];
  const GIVEN_UP = ['finalize', 'mark_uncollectible'];
  test.each<[string, string[], string, RecordedError]>([
    ['a draft', DRAFT, 'POST void', NOT_OPEN],
    ['a draft', DRAFT, 'POST mark_uncollectible', NOT_OPEN],
    ['an open one', OPEN, 'DELETE', [400, null, null, 'You can only delete draft invoices.']],
    ['an open one', OPEN, 'POST finalize', [400, null, null, FINAL]],
    ['a paid one', PAID, 'POST pay', [400, null, null, 'Invoice is already paid']],
    ['a paid one', PAID, 'POST void', [400, null, null, 'Invoices with `paid` payments cannot be voided.']],
    ['a paid one', PAID, 'POST mark_uncollectible', NOT_OPEN],
    ['a paid one', PAID, 'POST send', [400, null, null, NOT_SENDABLE]],
    ['a paid one', PAID, 'POST finalize', [400, null, null, FINAL]],
    ['a paid one', PAID, 'DELETE', [400, null, null, 'You can only delete draft invoices.']],
    ['a void one', VOID, 'POST void', NOT_OPEN],
    [
      'one that was given up',
      GIVEN_UP,
      'POST mark_uncollectible',
      [400, null, null, 'This invoice has already been marked uncollectible.'],
    ],
  ])('%s (%j): %s', async (_name, actions, line, error) => {
    const id = await invoice(...actions);
    const [method, action] = line.split(' ');
    expect(await vendor.error(`${method} /v1/invoices/${id}${action === undefined ? '' : `/${action}`}`)).toEqual(error);
  });

  test.each([
    ['description', OPEN],
    ['footer', OPEN],
    ['description', PAID],
    ['auto_advance', PAID],
    ['collection_method', PAID],
  ])('%s of a final one (%j)', async (param, actions) => {
    const value = { auto_advance: 'true', collection_method: 'send_invoice' }[param] ?? 'x';
    expect(await vendor.error(`POST /v1/invoices/${await invoice(...actions)}`, { [param]: value })).toEqual([
      400,
      null,
      param,
      "Finalized invoices can't be updated in this way",
    ]);
  });

  test('metadata can always be changed', async () => {
    await vendor.made(`POST /v1/invoices/${await invoice('pay')}`, { 'metadata[a]': 'b' });
  });

  test.each(['add_lines', 'update_lines', 'remove_lines', 'line'])('%s once it is final', async (action) => {
    const id = await invoice('finalize');
    const { lines } = await vendor.made<{ lines: { data: { id: string }[] } }>(`GET /v1/invoices/${id}`);
    const line = lines.data[0].id;
    const calls: Record<string, [string, Record<string, string>]> = {
      add_lines: ['add_lines', { 'lines[0][amount]': '5', 'lines[0][description]': 'x' }],
      update_lines: ['update_lines', { 'lines[0][id]': line, 'lines[0][amount]': '5' }],
      remove_lines: ['remove_lines', { 'lines[0][id]': line, 'lines[0][behavior]': 'delete' }],
      line: [`lines/${line}`, { amount: '5' }],
    };
    const [path, fields] = calls[action];
    expect(await vendor.error(`POST /v1/invoices/${id}/${path}`, fields)).toEqual(NOT_EDITABLE);
  });
});

describe('items of invoices', () => {
  const FIXED: RecordedError = [
    400,
    null,
    null,
    "Can't delete an invoice item that is attached to an invoice that is no longer editable",
  ];
  const DELETED: RecordedError = [400, null, null, 'This invoice item has been deleted.'];

  test('of a final invoice cannot be deleted', async () => {
    const id = await invoice('finalize');
    const { data } = await vendor.made<{ data: { id: string }[] }>('GET /v1/invoiceitems', { invoice: id });
    expect(await vendor.error(`DELETE /v1/invoiceitems/${data[0].id}`)).toEqual(FIXED);
  });

  test('of a deleted draft are gone with it', async () => {
    const { id } = await vendor.made('POST /v1/invoices', { customer });
    const held = await item({ invoice: id });
    await vendor.made(`DELETE /v1/invoices/${id}`);
    expect(await vendor.error(`DELETE /v1/invoiceitems/${held.id}`)).toEqual(FIXED);
    expect(await vendor.error(`POST /v1/invoiceitems/${held.id}`, { amount: '5' })).toEqual(DELETED);
  });

  test('say which of their fields are fixed', async () => {
    expect(await item()).toMatchObject({ frozen_fields: [], invoicing_rules: [], parent: null, quantity_decimal: '1' });
  });
});

describe('attempts', () => {
  test('paid elsewhere: none', async () => {
    const id = await invoice('finalize');
    expect(await vendor.made(`POST /v1/invoices/${id}/pay`, { paid_out_of_band: 'true' })).toMatchObject({
      status: 'paid',
      attempted: false,
      attempt_count: 0,
    });
  });

  test('nothing to pay: tried, and not counted', async () => {
    const { id } = await vendor.made('POST /v1/invoices', { customer });
    expect(await vendor.made(`POST /v1/invoices/${id}/finalize`)).toMatchObject({
      status: 'paid',
      attempted: true,
      attempt_count: 0,
    });
  });

  test('paid as a draft: one, in the moment in which it becomes final', async () => {
    const paid = await vendor.made<{ status_transitions: Record<string, number>; effective_at: number }>(
      `POST /v1/invoices/${await invoice()}/pay`,
    );
    expect(paid).toMatchObject({ status: 'paid', attempted: true, attempt_count: 1, auto_advance: false });
    expect(paid.status_transitions['finalized_at']).toBe(paid.effective_at);
    expect(paid.status_transitions['paid_at']).toBe(paid.effective_at);
  });
});
