/** Makes usual calls with the vendor's client `svix`, for its document. */
export default async function* (load, url, key) {
  const { Svix } = load('svix');
  const { application, endpoint, eventType, message } = new Svix(key, { serverUrl: url });
  const app = await application.create({ name: 'Kites' }).catch(() => ({ id: 'none' }));
  const hook = { url: 'https://example.org/hook', description: 'of kites' };
  yield ['application.create', () => application.create({ name: 'Wind' }), { name: 'Wind', id: String }];
  yield ['application.get', () => application.get(app.id), { id: app.id, name: 'Kites' }];
  yield ['application.list', () => application.list(), { done: true }];
  yield ['application.update', () => application.update(app.id, { name: 'Boxes' }), { id: app.id, name: 'Boxes' }];
  yield ['application.patch', () => application.patch(app.id, { name: 'Deltas' }), { id: app.id, name: 'Deltas' }];
  yield ['eventType.create', () => eventType.create({ name: 'kite.flown', description: 'up' }), { name: 'kite.flown' }];
  yield ['eventType.get', () => eventType.get('kite.flown'), { name: 'kite.flown', description: 'up' }];
  yield ['eventType.update', () => eventType.update('kite.flown', { description: 'high' }), { description: 'high' }];
  const made = await endpoint.create(app.id, hook).catch(() => ({ id: 'none' }));
  yield ['endpoint.create', () => endpoint.create(app.id, hook), { url: hook.url, description: hook.description }];
  yield ['endpoint.get', () => endpoint.get(app.id, made.id), { id: made.id, url: hook.url }];
  yield ['endpoint.list', () => endpoint.list(app.id), { done: true }];
  yield [
    'endpoint.update',
    () => endpoint.update(app.id, made.id, { url: 'https://example.org/2' }),
    { url: 'https://example.org/2' },
  ];
  yield ['endpoint.getSecret', () => endpoint.getSecret(app.id, made.id), { key: String }];
  yield ['endpoint.delete', () => endpoint.delete(app.id, made.id), {}];
  const sent = { eventType: 'kite.flown', payload: { height: 9 } };
  const flown = await message.create(app.id, sent).catch(() => ({ id: 'none' }));
  yield ['message.create', () => message.create(app.id, sent), sent];
  yield ['message.get', () => message.get(app.id, flown.id), { id: flown.id, eventType: 'kite.flown' }];
  yield ['message.list', () => message.list(app.id), { done: true }];
  yield ['application.delete', () => application.delete(app.id), {}];
}
