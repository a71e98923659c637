import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Bug,
  type Company,
  createCompany,
  FileStore,
  type LifeReport,
  replayCompany,
} from '../../../engine/index.js';
import { checkActors, checkCompany } from '../../../engine/company/index.js';
import { loadPack } from '../../../engine/compile/index.js';
import type { ActorsFile } from '../../../engine/model/index.js';
import { checkpointOf } from '../../../engine/world/index.js';
import { timersBroken } from '../../../tools/develop/simulate/laws.js';
import { type Body, call } from '../../support/http.js';
import { ROOT } from '../../support/root.js';
import { documented } from '../../tools/blocks.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { useSandboxes } from '../../support/start-sandbox.js';

/** Companies whose actors act: a history by seeded chance, through what the vendors offer. */

const STUDIO = join(ROOT, 'test/companies/studio.yaml');
const { keep } = useSandboxes();
const folder = scratchFolder();

const ledgerOf = ({ vendors }: Company): unknown =>
  JSON.parse(JSON.stringify(Object.values(vendors)[0].engine.world.timeline.ledger.entries()));

const objectsOf = (company: Company, vendor: string, name: string): Body[] => {
  const { model, world } = company.vendors[vendor].engine;
  return world.objects(model.byCollection.get(name)?.index ?? -1);
};

/** The company of the tests, with other lines. */
function changed(from: RegExp | string, to: string): string {
  const file = join(folder, 'studio.yaml');
  writeFileSync(file, readFileSync(STUDIO, 'utf8').replace(from, to));
  return file;
}

async function lived(file: string, ...until: string[]): Promise<{ company: Company; report: LifeReport }> {
  const company = keep(await createCompany({ file, onDefect: () => undefined }));
  let report: LifeReport | undefined;
  for (const to of until) report = await company.live(to);
  if (!report) throw new Error('it has not lived');
  return { company, report };
}

test('two lives of one seed are the same, obey the laws, and are files that can be repeated', async () => {
  const { company, report } = await lived(STUDIO, '2024-12-20T00:00:00Z');
  const { company: twin } = await lived(STUDIO, '2024-12-20T00:00:00Z');
  expect(ledgerOf(twin)).toEqual(ledgerOf(company));
  const { visitors, reporters } = report.actors;
  expect(visitors.times).toBeGreaterThan(5);
  expect(objectsOf(company, 'payments', 'customers')).toHaveLength(visitors.times);
  expect(objectsOf(company, 'code', 'issues')).toHaveLength(reporters.times);
  expect(new Set(objectsOf(company, 'code', 'issues').map(({ state }) => state))).toEqual(new Set(['open', 'closed']));
  for (const member of Object.values(company.vendors)) expect([...timersBroken(member)]).toEqual([]);
  const bug = (await call<Body>(company, 'GET /__admin__/export')).body as unknown as Bug;
  const replayed = await replayCompany(bug);
  keep(replayed.company);
  expect(replayed.unlike).toBeNull();
});

test('a life in parts is that of one piece, and another actor changes nobody’s chances', async () => {
  const one = await lived(STUDIO, '2024-12-10T00:00:00Z');
  const parts = await lived(STUDIO, '2024-11-20T00:00:00Z', '2024-12-10T00:00:00Z');
  const namesOf = (company: Company): unknown[] =>
    objectsOf(company, 'payments', 'customers').map(({ id, name, email, created }) => [id, name, email, created]);
  expect(namesOf(parts.company)).toEqual(namesOf(one.company));
  const fewer = await lived(changed(/ {2}team:\n.*\n.*\n/, ''), '2024-12-10T00:00:00Z');
  expect(fewer.report.actors['team']).toBeUndefined();
  expect(namesOf(fewer.company)).toEqual(namesOf(one.company));
});

test('a fork, and a company that a store is opened with again, live on as it does itself', async () => {
  const [first, then] = ['2024-11-11T00:00:00Z', '2024-11-18T00:00:00Z'];
  const all = ({ vendors }: Company): unknown =>
    Object.values(vendors).map(({ engine: { model, world } }) =>
      model.resources.map(({ index, collection }) => [collection, world.objects(index)]),
    );
  const { company } = await lived(STUDIO, first);
  const fork = keep(await company.fork(undefined, true));
  const report = await company.live(then);
  expect(report.acts).toBeGreaterThan(10);
  expect(await fork.live(then)).toEqual(report);
  expect(all(fork)).toEqual(all(company));
  const file = join(folder, 'life.db');
  const stored = async (): Promise<{ company: Company; store: FileStore }> => {
    const store = await FileStore.open(file);
    return { company: keep(await createCompany({ file: STUDIO, store })), store };
  };
  const before = await stored();
  await before.company.live(first);
  await before.company.close();
  await before.store.close();
  const after = await stored();
  expect(await after.company.live(then)).toEqual(report);
  expect(all(after.company)).toEqual(all(company));
  await after.company.close();
  await after.store.close();
});

test('what a resource keeps bounds a company that lives, however long', async () => {
  const { company } = await lived(STUDIO, '2025-01-20T00:00:00Z');
  const { engine } = company.vendors['payments'];
  const kept = objectsOf(company, 'payments', 'events').map(({ created }) => Number(created));
  const oldest = engine.world.nowMs / 1000 - 30 * 86_400;
  expect(kept.length).toBeGreaterThan(20);
  expect(Math.min(...kept)).toBeGreaterThanOrEqual(oldest);
  // Those before are gone without a trace, and what they told of is there.
  const events = engine.model.byCollection.get('events')?.index ?? -1;
  expect(engine.world.collections[events].ever).toBe(kept.length);
  const charges = objectsOf(company, 'payments', 'charges').map(({ created }) => Number(created));
  expect(Math.min(...charges)).toBeLessThan(oldest);
  const { world } = engine;
  const now = JSON.stringify(checkpointOf(world).changes);
  expect(JSON.stringify(checkpointOf(engine.past.at(world.ledger.count)).changes)).toBe(now);
});

test('an actor acts at most so often, and what a vendor rejects is counted by its code', async () => {
  const { report } = await lived(changed('every: 1d', 'every: 1h\n    most: 3'), '2024-11-05T00:00:00Z');
  expect(report.actors['team']).toEqual({ times: 3, rejected: {} });
  const wrong = await lived(
    changed("channel: '${shipping.channel.id}', text", 'channel: nowhere, text'),
    '2024-11-08T00:00:00Z',
  );
  const { times, rejected } = wrong.report.actors['team'];
  expect(rejected).toEqual({ channel_not_found: times });
});

test.each([
  ['every: 1d', 'every: soon', 'invalid-value'],
  ['of: code/issues', 'of: code/issue', 'unknown-collection'],
  ['of: code/issues', 'of: cod/issues', 'unknown-name'],
  ["where: self.state == 'open'", "where: '1 + 1'", 'wrong-type'],
  ['chat/messages.post', 'chat/messages.pos', 'unknown-operation'],
  ['payments/dispute.opened', 'payments/dispute.open', 'unknown-cause'],
  ["'${chosen.card}'\n          invoice", "'${picked.card}'\n          invoice", 'expression'],
  ["where: self.state == 'open'", "where: self.stat == 'open'", 'expression'],
  ["where: self.state == 'open'", "where: self.state == 'opened'", 'expression'],
  ["'${chosen.card}'\n          invoice", "'${chosen.cart}'\n          invoice", 'expression'],
  ['${drawn.sentence}, too.', '${drawn.sentense}, too.', 'expression'],
  ['${drawn.sentence}.', '${self.sentence}.', 'expression'],
  ['most: 8', 'most: 0', 'invalid-value'],
  ['chance: 80', 'chance: 101', 'invalid-value'],
])('%s as %s is a problem with its place', async (from, to, code) => {
  const { problems } = await checkCompany(changed(from, to));
  expect(problems.map((each) => each.code)).toEqual([expect.stringContaining(code)]);
  expect(problems[0].line).toBeGreaterThan(20);
});

test('each pack that comes with the sandbox brings actors, and a company only names them', async () => {
  const file = join(folder, 'town.yaml');
  writeFileSync(file, documented('docs/concepts/company.md', 'town.yaml'));
  const { company, report } = await lived(file, '2024-11-13T00:00:00Z');
  const brought = Object.entries(company.vendors).flatMap(([name, { engine }]) => {
    const file = engine.model.source.one('actors')?.data as ActorsFile | undefined;
    return Object.keys(file?.actors ?? {}).map((actor) => `${name}/${actor}`);
  });
  expect(Object.keys(report.actors)).toEqual(brought);
  expect(new Set(brought.map((name) => name.split('/')[0])).size).toBe(8);
  expect(report.acts).toBeGreaterThan(60);
  const rejected = Object.entries(report.actors).flatMap(([name, actor]) =>
    Object.keys(actor.rejected).map((code) => `${name}: ${code}`),
  );
  // A card that is declined, and a reaction that is there already, are life.
  const life = ['payments/buyers: payment_failed', 'chat/readers: precondition_failed'];
  expect(rejected.filter((each) => !life.includes(each))).toEqual([]);
});

test('what the actors of a pack keep is theirs: not the company’s, nor that of another member', async () => {
  const parcels = join(ROOT, 'test/packs/parcels');
  const member = (weight: number): string => `{ pack: ${parcels}, actors: [senders], vars: { company: C${weight} } }`;
  const file = join(folder, 'couriers.yaml');
  const text = [
    'company: couriers',
    't0: 2026-01-05T10:00:00Z',
    `vendors: { north: ${member(1)}, south: ${member(2)} }`,
    'begin: [{ call: north/parcels.create, with: { to: { street: Own, town: Own }, weight: 77 }, as: first }]',
  ];
  writeFileSync(file, text.join('\n'));
  const { company, report } = await lived(file, '2026-01-15T00:00:00Z');
  expect(Object.keys(report.actors)).toEqual(['north/senders', 'south/senders']);
  const sent = objectsOf(company, 'south', 'parcels');
  expect(sent.length).toBeGreaterThan(3);
  expect(new Set(sent.map(({ weight }) => weight))).toEqual(new Set([5, 6]));
  expect(new Set(objectsOf(company, 'north', 'parcels').map(({ weight }) => weight))).toEqual(new Set([77, 5, 6]));
});

test('an actor that a pack does not bring, and one that its pack gets wrong, are problems with their places', async () => {
  const { problems } = await checkCompany(changed('key: sk_test_studio', 'actors: [subscriber]'));
  expect(problems).toMatchObject([{ code: 'unknown-name', suggestion: 'subscribers', file: 'studio.yaml', line: 6 }]);
  const pack = join(folder, 'parcels');
  cpSync(join(ROOT, 'test/packs/parcels'), pack, { recursive: true });
  const actors = join(pack, 'actors.yaml');
  writeFileSync(actors, readFileSync(actors, 'utf8').replace('cause: parcel.lost', 'cause: parcel.lots'));
  const { pack: program } = loadPack(pack);
  expect(program && (await checkActors(program))).toMatchObject([
    { code: 'unknown-cause', suggestion: 'parcel.lost', file: 'actors.yaml', line: 18 },
  ]);
});
