import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bug, type Company, createCompany, type LifeReport, replayCompany } from '../../../engine/index.js';
import { checkCompany } from '../../../engine/company/index.js';
import { timersBroken } from '../../../tools/develop/simulate/laws.js';
import { type Body, call } from '../../support/http.js';
import { ROOT } from '../../support/root.js';
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
  ['most: 8', 'most: 0', 'invalid-value'],
  ['chance: 80', 'chance: 101', 'invalid-value'],
])('%s as %s is a problem with its place', async (from, to, code) => {
  const { problems } = await checkCompany(changed(from, to));
  expect(problems.map((each) => each.code)).toEqual([expect.stringContaining(code)]);
  expect(problems[0].line).toBeGreaterThan(20);
});
