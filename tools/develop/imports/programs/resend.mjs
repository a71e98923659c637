/** Makes usual calls with the vendor's client `resend`, for its document. */

/** Returns the data of a response, or throws its error. */
async function dataOf(sent) {
  const { data, error } = await sent;
  if (data === null) throw new Error(JSON.stringify(error));
  return data;
}

export default function* (load, url, key) {
  const { Resend } = load('resend');
  const client = new Resend(key, { baseUrl: url });
  const ids = {};
  const kept = (name, sent) => async () => {
    const data = await dataOf(sent);
    ids[name] = data.id;
    return data;
  };
  const mail = { from: 'kites@example.org', to: 'ida@example.org', subject: 'Wind', html: '<p>Fly</p>' };
  yield ['emails.send', kept('mail', client.emails.send(mail)), { id: String }];
  yield [
    'emails.get',
    () => dataOf(client.emails.get(ids['mail'])),
    { id: ids['mail'], to: ['ida@example.org'], subject: 'Wind' },
  ];
  yield ['emails.list', () => dataOf(client.emails.list()), { object: 'list' }];
  yield ['emails.cancel', () => dataOf(client.emails.cancel(ids['mail'])), { id: ids['mail'] }];
  yield ['batch.send', () => dataOf(client.batch.send([mail, mail])), {}];
  yield [
    'domains.create',
    kept('domain', client.domains.create({ name: 'kites.example.org' })),
    { name: 'kites.example.org' },
  ];
  yield [
    'domains.get',
    () => dataOf(client.domains.get(ids['domain'])),
    { id: ids['domain'], name: 'kites.example.org' },
  ];
  yield [
    'domains.update',
    () => dataOf(client.domains.update({ id: ids['domain'], openTracking: true })),
    { id: ids['domain'] },
  ];
  yield ['domains.verify', () => dataOf(client.domains.verify(ids['domain'])), { id: ids['domain'] }];
  yield ['domains.remove', () => dataOf(client.domains.remove(ids['domain'])), { id: ids['domain'], deleted: true }];
  yield ['apiKeys.create', kept('key', client.apiKeys.create({ name: 'Kites' })), { id: String, token: String }];
  yield ['apiKeys.list', () => dataOf(client.apiKeys.list()), { object: 'list' }];
  yield ['segments.create', kept('segment', client.segments.create({ name: 'Flyers' })), { name: 'Flyers' }];
  yield ['segments.get', () => dataOf(client.segments.get(ids['segment'])), { name: 'Flyers' }];
  const ida = { email: 'ida@example.org', firstName: 'Ida', unsubscribed: false };
  yield ['contacts.create', kept('contact', client.contacts.create(ida)), { id: String }];
  yield [
    'contacts.get',
    () => dataOf(client.contacts.get({ id: ids['contact'] })),
    { email: 'ida@example.org', first_name: 'Ida' },
  ];
  yield [
    'contacts.update',
    () => dataOf(client.contacts.update({ id: ids['contact'], lastName: 'Fly' })),
    { id: ids['contact'] },
  ];
  const cast = { segmentId: ids['segment'], from: 'kites@example.org', subject: 'Wind', html: '<p>Fly</p>' };
  yield ['broadcasts.create', kept('cast', client.broadcasts.create(cast)), { id: String }];
  yield ['broadcasts.get', () => dataOf(client.broadcasts.get(ids['cast'])), { id: ids['cast'], subject: 'Wind' }];
  yield ['broadcasts.send', () => dataOf(client.broadcasts.send(ids['cast'])), { id: ids['cast'] }];
  yield [
    'topics.create',
    kept('topic', client.topics.create({ name: 'News', defaultSubscription: 'opt_in' })),
    { id: String },
  ];
  yield ['topics.get', () => dataOf(client.topics.get(ids['topic'])), { name: 'News' }];
  const hook = { endpoint: 'https://example.org/hook', events: ['email.sent'] };
  yield ['webhooks.create', kept('hook', client.webhooks.create(hook)), { id: String, signing_secret: String }];
  yield [
    'webhooks.get',
    () => dataOf(client.webhooks.get(ids['hook'])),
    { id: ids['hook'], endpoint: 'https://example.org/hook' },
  ];
  yield ['webhooks.remove', () => dataOf(client.webhooks.remove(ids['hook'])), { id: ids['hook'], deleted: true }];
}
