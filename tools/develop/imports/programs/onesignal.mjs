/** Makes usual calls with the vendor's client `@onesignal/node-onesignal`, for its document. */
export default async function* (load, url, key) {
  const { createConfiguration, DefaultApi, ServerConfiguration } = load('@onesignal/node-onesignal');
  const configuration = createConfiguration({
    restApiKey: key,
    organizationApiKey: key,
    baseServer: new ServerConfiguration(`${url}/api/v1`, {}),
  });
  const api = new DefaultApi(configuration);
  const app = await api.createApp({ name: 'Kites' }).catch(() => ({ id: 'none' }));
  yield ['createApp', () => api.createApp({ name: 'Wind' }), { name: 'Wind', id: String }];
  yield ['getApp', () => api.getApp(app.id), { id: app.id, name: 'Kites' }];
  yield ['getApps', async () => ({ some: (await api.getApps()).length > 0 }), { some: true }];
  yield ['updateApp', () => api.updateApp(app.id, { name: 'Boxes' }), { name: 'Boxes' }];
  const note = { app_id: app.id, contents: { en: 'Fly' }, included_segments: ['All'] };
  const sent = await api.createNotification(note).catch(() => ({ id: 'none' }));
  yield ['createNotification', () => api.createNotification(note), { id: String }];
  yield ['getNotification', () => api.getNotification(app.id, sent.id), { id: sent.id, contents: { en: 'Fly' } }];
  yield ['getNotifications', () => api.getNotifications(app.id, 10, 0), {}];
  yield ['cancelNotification', () => api.cancelNotification(app.id, sent.id), { success: true }];
  yield ['createSegment', () => api.createSegment(app.id, { name: 'Flyers', filters: [] }), { success: true }];
  const user = { identity: { external_id: 'ida' }, properties: { language: 'en' } };
  yield ['createUser', () => api.createUser(app.id, user), { identity: { external_id: 'ida' } }];
  yield ['getUser', () => api.getUser(app.id, 'external_id', 'ida'), { identity: { external_id: 'ida' } }];
  yield ['getAliases', () => api.getAliases(app.id, 'external_id', 'ida'), { identity: { external_id: 'ida' } }];
  yield ['deleteUser', () => api.deleteUser(app.id, 'external_id', 'ida'), {}];
}
