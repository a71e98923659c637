import { loadPack } from '../../engine/index.js';
import { type Body } from '../support/http.js';
import { startSandbox } from '../support/start-sandbox.js';
import { packIn } from '../support/sample-pack.js';

/** A theatre (`test/packs/troupe`): ids by kind, shapes, waits, events that keep what they showed, lists over a set, first objects. */

const pack = packIn('test/packs/troupe');
const T0 = '2025-01-01T00:00:00Z';
const MASTER = { id: 'L0000', kind: 'lead', name: 'Globe Master', joined_at: '2024-01-01T00:00:00.000Z' };

const sandbox = startSandbox(pack.folder, { each: 'test', t0: T0 });
const call = (line: string, body?: Body): Promise<Body> => sandbox.body(line, body);
const idsOf = ({ data }: Body): unknown[] => (data as readonly Body[]).map(({ id }) => id);
const news = async (): Promise<unknown[]> =>
  ((await call('GET /news')).data as readonly Body[]).map(({ type, shown }) => [type, shown]).reverse();

describe('objects that are there from the beginning', () => {
  test('are there at the start, with expressions worked out, and again after a reset', async () => {
    expect(await call('GET /players')).toEqual({ data: [MASTER], more: false });
    await call('POST /players', { kind: 'lead', name: 'Ann' });
    await sandbox.control.reset();
    expect(await call('GET /players')).toEqual({ data: [MASTER], more: false });
  });

  test('come back with a state that is seeded back', async () => {
    const { resources } = await sandbox.control.state();
    await sandbox.control.seed({ resources });
    expect(idsOf(await call('GET /players'))).toEqual(['L0000']);
  });
});

test('the value of a field decides the prefix of an id', async () => {
  const lead = await call('POST /players', { kind: 'lead', name: 'Ann' });
  const extra = await call('POST /players', { kind: 'extra', name: 'Bob' });
  expect([lead.id, extra.id]).toEqual(['L0002', 'X0003']);
});

test('an id may be the time at which it is made, and a number with zeros before it', async () => {
  expect((await call('POST /plays', { title: 'Hamlet' })).id).toBe('1735689600.001');
});

describe('a shape', () => {
  test('has fields beside the usual ones, in the order of the fields', async () => {
    const usual = await call('POST /players', { kind: 'extra', name: 'Bob', age: 40 });
    expect(Object.keys(usual)).toEqual(['id', 'kind', 'name', 'joined_at']);
    const full = await call(`GET /players/${usual.id}`);
    expect(full).toEqual({ ...usual, age: 40, plays: 0 });
    expect(Object.keys(full)).toEqual(['id', 'kind', 'name', 'age', 'joined_at', 'plays']);
  });

  test('is that of each item of a list', async () => {
    expect(await call('GET /cards')).toEqual({ data: [{ ...MASTER, house: 'Globe' }], more: false });
  });

  test('is what rest() gives', async () => {
    expect(await call('GET /players/L0000/profile')).toEqual({ ...MASTER, house: 'Globe', size: 6 });
  });
});

describe('a wait', () => {
  test('runs beside the machine and beside other waits', async () => {
    const { id } = await call('POST /plays', { title: 'Hamlet' });
    await call(`POST /plays/${id}/rehearse`);
    await sandbox.control.advance('1h');
    expect(await call(`GET /plays/${id}`)).toMatchObject({ verdict: 'good', rehearsed: 0, status: 'open' });
    await sandbox.control.advance('1h');
    expect(await call(`GET /plays/${id}`)).toMatchObject({ rehearsed: 1 });
  });

  test('may begin itself again, and ends where its condition fails', async () => {
    const { id } = await call('POST /plays', { title: 'Hamlet' });
    await call(`POST /plays/${id}/rehearse`);
    await sandbox.control.advance('6h');
    expect(await call(`GET /plays/${id}`)).toMatchObject({ rehearsed: 3 });
    await call(`POST /plays/${id}/close`);
    await sandbox.control.advance('12h');
    expect(await call(`GET /plays/${id}`)).toMatchObject({ rehearsed: 4 });
  });

  test('begins anew where a step says so while it runs, and ends without its steps with `stop`', async () => {
    const { id } = await call('POST /plays', { title: 'Hamlet' });
    await call(`POST /plays/${id}/rehearse`);
    await sandbox.control.advance('90m');
    await call(`POST /plays/${id}/rehearse`);
    await sandbox.control.advance('90m');
    expect(await call(`GET /plays/${id}`)).toMatchObject({ rehearsed: 0 });
    await call(`POST /plays/${id}/rest`);
    await sandbox.control.advance('1d');
    expect(await call(`GET /plays/${id}`)).toMatchObject({ rehearsed: 0 });
  });

  test('is seen among the timers, moves with its world, and goes with its object', async () => {
    const { id } = await call('POST /plays', { title: 'Hamlet' });
    await call(`POST /plays/${id}/rehearse`);
    const timersNow = async (): Promise<readonly Body[]> => (await call('GET /__admin__/clock/timers')).data as Body[];
    const timers = await timersNow();
    expect(timers.map(({ timer, in_ms: ms }) => [timer, ms])).toEqual([
      ['wait:verdict', 3_600_000],
      ['wait:rehearsal', 7_200_000],
    ]);
    const state = await sandbox.admin<{ resources: Body; timers: readonly Body[] }>('GET /state');
    const { resources, timers: armed } = state.body;
    await sandbox.call('POST /__admin__/seed', { resources, timers: armed });
    expect(await timersNow()).toEqual(timers);
    await call(`DELETE /plays/${id}`);
    expect(await timersNow()).toEqual([]);
  });

  test('of a seeded object counts from when the object was made', async () => {
    await sandbox.control.seed({ resources: { plays: [{ id: '1735689600.500', title: 'Old', status: 'open' }] } });
    await sandbox.control.advance('1h');
    expect(await call('GET /plays/1735689600.500')).toMatchObject({ verdict: 'good' });
  });
});

describe('an event', () => {
  test('keeps what its snapshot showed when it was made', async () => {
    const { id: play } = await call('POST /plays', { title: 'Hamlet' });
    const part = await call('POST /parts', { play: String(play), player: 'L0000', role: 'Ghost' });
    const { id } = await call('POST /plays', { title: 'Lear' });
    await call(`POST /plays/${id}/rehearse`);
    await call(`POST /plays/${id}/close`);
    await sandbox.control.advance('2h');
    expect(await news()).toEqual([
      ['part.given', { part, player: MASTER }],
      ['player.lead', MASTER],
      ['play.forgotten', { title: 'Lear', rehearsed: 0 }],
    ]);
  });

  test('may have a name that depends on a value', async () => {
    const { id: play } = await call('POST /plays', { title: 'Hamlet' });
    const { id: player } = await call('POST /players', { kind: 'extra', name: 'Bob' });
    await call('POST /parts', { play: String(play), player: String(player), role: 'Page' });
    expect((await news()).map((each) => (each as unknown[])[0])).toEqual(['part.given', 'player.extra']);
  });
});

test('an error may be named by a value, and shows its own name', async () => {
  const { id: play } = await call('POST /plays', { title: 'Hamlet' });
  const cast = async (body: Body): Promise<unknown> => {
    const { id: player } = await call('POST /players', { kind: 'extra', name: 'Bob', ...body });
    const { status, body: told } = await sandbox.call('POST /parts', { play, player, role: 'Page' });
    return status === 200 ? 200 : [status, told];
  };
  const part = { play: String(play), player: 'L0000', role: 'Ghost' };
  await call('POST /parts', part);
  expect(await sandbox.call('POST /parts', part)).toMatchObject({ status: 409, body: { error: 'already_cast' } });
  expect(await cast({ age: 7 })).toEqual([409, { error: 'too_young' }]);
  expect(await cast({})).toBe(200);
  expect(await cast({})).toEqual([409, { error: 'house_full' }]);
});

test('a list over a set has filters, order and pages, and shows what `each` says', async () => {
  const { id: play } = await call('POST /plays', { title: 'Hamlet' });
  const { id: bob } = await call('POST /players', { kind: 'extra', name: 'Bob' });
  await call('POST /players', { kind: 'extra', name: 'Cat' });
  for (const player of ['L0000', String(bob)]) await call('POST /parts', { play: String(play), player, role: 'x' });
  const path = `GET /plays/${String(play)}/cast`;
  const shown = (name: string): Body => ({ name, of: play });
  expect(await call(path)).toEqual({ data: [shown('Bob'), shown('Globe Master')], more: false });
  expect(await call(`${path}?limit=1`)).toEqual({ data: [shown('Bob')], more: true });
  expect(await call(`${path}?limit=1&after=${String(bob)}`)).toEqual({ data: [shown('Globe Master')], more: false });
  expect(await call(`${path}?kind=lead`)).toEqual({ data: [shown('Globe Master')], more: false });
});

describe('a mistake is reported at its line', () => {
  test.each([
    ['part', 'player.${who.kind}', 'player.${who.role}', 'wrong-type', 'this can be any text'],
    ['part', 'player.${who.kind}', 'playr.${who.kind}', 'unknown-event', "'playr.lead'"],
    ['part', 'fail: =problem', 'fail: =who.name', 'wrong-type', 'this can be any text'],
    ['player', '{ lead: L, extra: X }', '{ lead: L }', 'missing-id', 'no prefix for extra'],
    ['player', 'lead: L, extra: X', 'lead: L, exta: X', 'unknown-id-kind', "'exta' (extra)"],
    ['player', 'by: kind', 'by: kindd', 'unknown-field', "'kindd' (kind)"],
    ['player', 'by: kind', 'by: name', 'wrong-type', "'name' cannot decide"],
    ['player', 'full: [age, plays]', 'full: [agge, plays]', 'unknown-field', "'agge' (age)"],
    ['player', 'shape: full', 'shape: ful', 'unknown-shape', "'ful' (full)"],
    ['player', "rest(self, 'card')", "rest(self, 'crd')", 'expression', "no shape 'crd' (card)"],
    ['player', 'id: L0000,', 'id: M0000,', 'invalid-value', "'M0000' is not an id of players"],
    ['player', 'kind: lead, name', 'kind: led, name', 'invalid-value', 'must be one of lead, extra'],
    ['player', 'joined_at: \'2024', 'joined: \'2024', 'unknown-field', "'joined' (joined_at)"],
    ['player', '=item.name', '=item.nam', 'expression', "'nam'"],
    ['player', '.map(p, p.player)"\n', '.size()"\n', 'wrong-type', 'a list of objects (player) or of their ids'],
    ['play', 'after: review_time, on', 'after: reviw_time, on', 'unknown-delay', "'reviw_time' (review_time)"],
    ['play', 'enter: closed', 'enter: close', 'unknown-state', "'close' (closed)"],
    ['play', 'stop: true }] }', 'stop: true, to: self.title }] }', 'wrong-type', 'title'],
    ['play', 'rehearse: { do: [{ wait: rehearsal', 'rehearse: { do: [{ wait: rehersal', 'unknown-wait', "(rehearsal)"],
    ['play', 'title: =self.title,', 'title: =self.titel,', 'expression', "'titel'"],
  ])('%s: %s -> %s', (file, from, to, code, words) => {
    const name = `resources/${file}.yaml`;
    const text = pack.files[name];
    const line = text.slice(0, text.indexOf(from)).split('\n').length;
    const told = loadPack(pack.write(pack.patched(name, [from, to]))).problems.filter((each) => each.code === code);
    expect(
      told.map((each) => [each.file, each.line, `${each.message} (${each.suggestion ?? ''})`]),
    ).toContainEqual([name, line, expect.stringContaining(words)]);
  });
});
