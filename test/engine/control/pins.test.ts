import { startParcels } from './parcels.js';

const client = startParcels({ reset: {} });

async function shown(path: string): Promise<unknown> {
  return (await client.api(`GET ${path}`)).body;
}

test('a pin for one object wins over one for its collection, which holds for those to come', async () => {
  const one = await client.parcel();
  const collection = await client.done('POST /exogenous/pins', {
    resource: 'parcels',
    path: 'proof.signed_by',
    value: 'anyone',
  });
  expect(collection).toEqual({
    id: expect.stringMatching(/^pin_\w{16}$/),
    resource: 'parcels',
    object: null,
    path: 'proof.signed_by',
    value: 'anyone',
    once: false,
  });
  expect(
    await client.done('POST /exogenous/pins', { resource: 'parcel', id: one, path: 'proof.signed_by', value: 'Eve' }),
  ).toMatchObject({ object: one });
  const two = await client.parcel();
  await client.done('POST /clock/advance', { duration: '3d' });
  expect(await shown(`/parcels/${one}`)).toMatchObject({ status: 'delivered', proof: { signed_by: 'Eve', photos: 1 } });
  expect(await shown(`/parcels/${two}`)).toMatchObject({ proof: { signed_by: 'anyone' } });
});

test('`resource` may be an object’s id; the trace tells where the value came from', async () => {
  const id = await client.parcel();
  await client.done('POST /exogenous/pins', { resource: id, path: 'parcel.proof.photos', value: 7 });
  await client.done('POST /clock/advance', { duration: '3d' });
  const { headers } = await client.api(`GET /parcels/${id}`);
  const { exogenous } = await client.done(`GET /trace/${headers.get('x-mock-resolution-trace')}`);
  expect(exogenous).toContainEqual(expect.objectContaining({ field_path: 'proof.photos', source: 'pin', value: 7 }));
});

test('a path may name the resource itself, with or without `resource`', async () => {
  for (const resource of [undefined, 'couriers', 'parcels']) {
    const pin = await client.done('POST /exogenous/pins', { resource, path: 'parcel.mood', value: 'cross' });
    expect(pin).toMatchObject({ resource: 'parcels', object: null, path: 'mood' });
  }
});

test('a pin that leads from one object to another resource holds for what names that object', async () => {
  const { body: ann } = await client.api('POST /couriers', { name: 'Ann' });
  const { body: bob } = await client.api('POST /couriers', { name: 'Bob' });
  const pin = await client.done('POST /exogenous/pins', {
    resource: 'couriers',
    id: ann['id'],
    path: 'parcel.mood',
    value: 'cross',
  });
  expect(pin).toMatchObject({ resource: 'parcels', object: null, of: ann['id'] });
  const [hers, his] = [await client.parcel({ courier: ann['id'] }), await client.parcel({ courier: bob['id'] })];
  expect(await shown(`/parcels/${hers}`)).toMatchObject({ mood: 'cross' });
  expect(await shown(`/parcels/${his}`)).toMatchObject({ mood: null });
});

test.each([
  [{ branch: 'refused' }, 'returning'],
  [{ path: 'branch', value: 'refused' }, 'returning'],
  [{ branch: 'delivered' }, 'delivered'],
])('%j decides the way', async (pin, status) => {
  const id = await client.parcel();
  expect(await client.done('POST /exogenous/pins', { resource: 'parcels', id, ...pin })).toMatchObject({
    path: 'branch',
  });
  await client.done('POST /clock/advance', { duration: '2d' });
  expect(await shown(`/parcels/${id}`)).toMatchObject({ status });
});

test('null is a value', async () => {
  const id = await client.parcel();
  await client.done('POST /exogenous/pins', { resource: 'parcels', path: 'proof.signed_by', value: null });
  await client.done('POST /clock/advance', { duration: '2d' });
  expect(await shown(`/parcels/${id}`)).toMatchObject({ status: 'delivered', proof: { signed_by: null } });
});

test('what is there from the start changes at once', async () => {
  await client.done('POST /exogenous/pins', { resource: 'depot', path: 'depot.free', value: 3 });
  expect(await shown('/depot')).toMatchObject({ free: 3 });
  await client.done('POST /world/events', { cause: 'depot.flooded' });
  await client.done('POST /exogenous/pins', { resource: 'depots', id: 'depot', path: 'night.guard', value: 'Max' });
  // What moved since stays.
  expect(await shown('/depot')).toMatchObject({ free: 0, night: { guard: 'Max', locked: true } });
  const { body } = await client.api('POST /couriers', { name: 'Ann' });
  await client.done('POST /exogenous/pins', { resource: 'couriers', path: 'rating', value: 2 });
  expect(await shown(`/couriers/${body['id']}`)).toMatchObject({ rating: 2 });
  expect((await client.api('POST /couriers', { name: 'Bob' })).body).toMatchObject({ rating: 2 });
});

test('pins are listed and cleared', async () => {
  const pin = await client.done('POST /exogenous/pins', { resource: 'parcels', path: 'mood', value: 'happy' });
  expect(await client.done('GET /exogenous/pins')).toEqual({ data: [pin] });
  expect(await shown(`/parcels/${await client.parcel()}`)).toMatchObject({ mood: 'happy' });
  expect(await client.done(`DELETE /exogenous/pins/${pin['id']}`)).toEqual({ id: pin['id'], deleted: true });
  expect(await shown(`/parcels/${await client.parcel()}`)).toMatchObject({ mood: null });
  const answer = await client.admin(`DELETE /exogenous/pins/${pin['id']}`);
  expect([answer.status, answer.body]).toMatchObject([404, { error: { code: 'unknown_pin' } }]);
});

test.each<[object, number, object]>([
  [{}, 400, { path: 'path' }],
  [{ resource: 'parcels', path: 'mood' }, 400, { path: 'value' }],
  [{ resource: 'parcels', path: 7, value: 1 }, 400, { path: 'path' }],
  [{ resource: 'parcels', branch: 'refused', value: 1 }, 400, { path: 'value' }],
  [{ resource: 'parcels', branch: 'refused', path: 'mood' }, 400, { path: 'path' }],
  [{ path: 'mood', value: 'happy' }, 400, { path: 'resource' }],
  [{ resource: 'parcelz', path: 'mood', value: 'happy' }, 404, { code: 'unknown_resource', suggestion: 'parcels' }],
  [{ resource: 'parcels', id: 'par_none', path: 'mood', value: 'happy' }, 404, { code: 'unknown_object' }],
  [
    { resource: 'parcels', path: 'moood', value: 'happy' },
    422,
    { code: 'not_pinnable', suggestion: 'mood', pinnable: ['proof.*', 'customs', 'customs.*', 'mood', 'branch'] },
  ],
  [{ resource: 'parcels', path: 'status', value: 'delivered' }, 422, { code: 'engine_derived', path: 'status' }],
  [{ resource: 'parcels', path: 'id', value: 'par_1' }, 422, { code: 'engine_derived' }],
  [{ resource: 'parcels', path: 'parcel.weight', value: 1 }, 422, { code: 'engine_derived' }],
  [{ resource: 'parcels', path: 'proof', value: {} }, 422, { code: 'engine_derived' }],
  [{ resource: 'parcels', path: 'mood', value: 'sad' }, 422, { code: 'invalid_value', path: 'mood' }],
  [{ resource: 'parcels', path: 'proof.photos', value: 'many' }, 422, { path: 'proof.photos' }],
  [{ resource: 'parcels', path: 'proof.photos', value: null }, 422, { path: 'proof.photos' }],
  [{ resource: 'parcels', path: 'proof.colour', value: 1 }, 422, { path: 'proof.colour' }],
  [{ resource: 'parcels', path: 'customs', value: 'text' }, 422, { path: 'customs' }],
  [{ resource: 'parcels', branch: 'stolen' }, 422, { path: 'branch' }],
  [{ resource: 'couriers', branch: 'refused' }, 422, { code: 'not_pinnable', pinnable: ['rating'] }],
  [{ resource: 'depot', path: 'depot.free', value: 1.5 }, 422, { path: 'free' }],
])('%j -> %i', async (body, status, error) => {
  const answer = await client.admin('POST /exogenous/pins', body);
  expect([answer.status, answer.body]).toMatchObject([status, { error }]);
  expect(await client.done('GET /exogenous/pins')).toEqual({ data: [] });
});

test('an object’s id and another `id` contradict each other', async () => {
  const [one, two] = [await client.parcel(), await client.parcel()];
  const answer = await client.admin('POST /exogenous/pins', { resource: one, id: two, path: 'mood', value: 'happy' });
  expect([answer.status, answer.body]).toMatchObject([400, { error: { path: 'id' } }]);
});

test('a free map takes anything', async () => {
  const id = await client.parcel();
  await client.done('POST /exogenous/pins', { resource: id, path: 'customs', value: { note: ['opened', 1] } });
  await client.done('POST /exogenous/pins', { resource: id, path: 'customs.stamp', value: { by: 'Jo' } });
  await client.done('POST /clock/advance', { duration: '2h' });
  expect(await shown(`/parcels/${id}`)).toMatchObject({ customs: { note: ['opened', 1], stamp: { by: 'Jo' } } });
});
