/** Makes usual calls with the vendor's client `@hubspot/api-client`, for its document of contacts. */
export default async function* (load, url, key) {
  const { Client } = load('@hubspot/api-client');
  const { basicApi, batchApi, searchApi } = new Client({ accessToken: key, basePath: url }).crm.contacts;
  const properties = { email: 'ida@example.org', firstname: 'Ida' };
  const made = await basicApi.create({ properties, associations: [] }).catch(() => ({ id: 'none' }));
  yield ['create', () => basicApi.create({ properties, associations: [] }), { id: String }];
  yield ['getById', () => basicApi.getById(made.id, ['email']), { id: made.id }];
  yield ['getById: properties', async () => (await basicApi.getById(made.id)).properties, { firstname: 'Ida' }];
  yield ['getPage', async () => ({ some: (await basicApi.getPage(10)).results.length > 0 }), { some: true }];
  yield [
    'update',
    async () => (await basicApi.update(made.id, { properties: { firstname: 'Ada' } })).properties,
    { firstname: 'Ada' },
  ];
  yield ['createdAt', async () => ({ is: (await basicApi.getById(made.id)).createdAt instanceof Date }), { is: true }];
  yield ['batch.create', () => batchApi.create({ inputs: [{ properties, associations: [] }] }), { status: 'COMPLETE' }];
  yield [
    'batch.read',
    () => batchApi.read({ inputs: [{ id: made.id }], properties: ['email'], propertiesWithHistory: [] }),
    { status: 'COMPLETE' },
  ];
  yield [
    'batch.update',
    () => batchApi.update({ inputs: [{ id: made.id, properties: { firstname: 'Eda' } }] }),
    { status: 'COMPLETE' },
  ];
  const wanted = { filterGroups: [], sorts: [], properties: ['email'], limit: 10, after: '0' };
  yield ['doSearch', async () => ({ is: (await searchApi.doSearch(wanted)).results instanceof Array }), { is: true }];
  yield ['batch.archive', () => batchApi.archive({ inputs: [{ id: made.id }] }), {}];
  yield ['archive', () => basicApi.archive(made.id), {}];
}
