/** Makes usual calls with the vendor's client `xero-node`, for its accounting document. */
export default async function* (load, url, key) {
  const { AccountingApi } = load('xero-node');
  const api = new AccountingApi(`${url}/api.xro/2.0`);
  api.accessToken = key;
  const first = async (sent, list) => (await sent).body[list][0];
  const contact = { name: 'Ida', emailAddress: 'ida@example.org' };
  const person = await first(api.createContacts('t', { contacts: [contact] }), 'contacts').catch(() => ({}));
  const { contactID = 'none' } = person;
  yield [
    'createContacts',
    () => first(api.createContacts('t', { contacts: [{ name: 'Ada' }] }), 'contacts'),
    { name: 'Ada' },
  ];
  yield ['getContact', () => first(api.getContact('t', contactID), 'contacts'), { contactID, ...contact }];
  yield ['getContacts', async () => ({ some: (await api.getContacts('t')).body.contacts.length > 0 }), { some: true }];
  yield [
    'updateContact',
    () => first(api.updateContact('t', contactID, { contacts: [{ name: 'Eda' }] }), 'contacts'),
    { contactID, name: 'Eda' },
  ];
  const account = { code: '260', name: 'Kites', type: 'SALES' };
  const made = await first(api.createAccount('t', account), 'accounts').catch(() => ({ accountID: 'none' }));
  yield [
    'createAccount',
    () => first(api.createAccount('t', { ...account, code: '261' }), 'accounts'),
    { name: 'Kites' },
  ];
  yield ['getAccount', () => first(api.getAccount('t', made.accountID), 'accounts'), { name: 'Kites', code: '260' }];
  yield ['getAccounts', async () => ({ some: (await api.getAccounts('t')).body.accounts.length > 0 }), { some: true }];
  const invoice = {
    type: 'ACCREC',
    contact: { contactID },
    lineItems: [{ description: 'A kite', quantity: 1, unitAmount: 20, accountCode: '260' }],
    date: '2025-01-02',
    reference: 'kite 1',
  };
  const invoices = (sent) => first(sent, 'invoices');
  const bill = await invoices(api.createInvoices('t', { invoices: [invoice] })).catch(() => ({ invoiceID: 'none' }));
  yield ['createInvoices', () => invoices(api.createInvoices('t', { invoices: [invoice] })), { reference: 'kite 1' }];
  yield ['getInvoice', () => invoices(api.getInvoice('t', bill.invoiceID)), { reference: 'kite 1', type: 'ACCREC' }];
  yield ['getInvoices', async () => ({ some: (await api.getInvoices('t')).body.invoices.length > 0 }), { some: true }];
  yield [
    'updateInvoice',
    () => invoices(api.updateInvoice('t', bill.invoiceID, { invoices: [{ reference: 'kite 2' }] })),
    { reference: 'kite 2' },
  ];
  const item = { code: 'KITE', name: 'A kite' };
  const kept = await first(api.createItems('t', { items: [item] }), 'items').catch(() => ({ itemID: 'none' }));
  yield ['createItems', () => first(api.createItems('t', { items: [item] }), 'items'), item];
  yield ['getItem', () => first(api.getItem('t', kept.itemID), 'items'), item];
  yield ['deleteItem', () => api.deleteItem('t', kept.itemID), {}];
  const payment = { invoice: { invoiceID: bill.invoiceID }, account: { code: '260' }, date: '2025-01-03', amount: 20 };
  yield ['createPayment', () => first(api.createPayment('t', payment), 'payments'), { amount: 20 }];
  yield ['getOrganisations', async () => (await api.getOrganisations('t')).body.organisations[0], { name: String }];
  yield ['getUsers', async () => ({ is: (await api.getUsers('t')).body.users instanceof Array }), { is: true }];
}
