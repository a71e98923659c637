import { commandOf, occurrencesOf, plannedFaultsOf } from '../../../tools/chaos/schedule.js';
import { searchSchedule } from '../../../tools/chaos/search.js';
import { type CommandResult, runCommand } from '../../support/command.js';

function chaos(mistake: string, ...more: string[]): Promise<CommandResult> {
  return chaosOf('payments', mistake, ...more);
}

function chaosOf(pack: string, mistake: string, ...more: string[]): Promise<CommandResult> {
  const check = `"${process.execPath}" test/processes/command/chaos/app.mjs ${mistake}`;
  return runCommand(['chaos', pack, '--check', check, '--runs', '2', ...more]);
}

test('an application that counts an event twice breaks when one comes twice', async () => {
  const { code, stdout, stderr } = await chaos('counts-twice');
  expect(stderr).toContain('4 events were delivered, and the check passes');
  expect(stdout).toContain('the check breaks when payment_intent.succeeded comes twice');
  expect(stdout).toContain('sandbox delivery-fault duplicate --event payment_intent.succeeded --count 1');
  expect(code).toBe(1);
});

test('in a company the trouble is with the events of one of its packs', async () => {
  const { code, stdout } = await chaosOf('test/companies/acme.yaml', 'counts-twice', '--quiet');
  expect(stdout).toContain('the check breaks when payments/payment_intent.succeeded comes twice');
  expect(code).toBe(1);
});

test('one that trusts the order of events breaks when an event is overtaken', async () => {
  const { code, stdout } = await chaos('trusts-the-order', '--json', '--quiet');
  expect(JSON.parse(stdout)).toMatchObject({
    events: 4,
    schedule: [{ fault: 'overtaken', event: 'payment_intent.created', nth: 0, order: { kind: 'reorder' } }],
  });
  expect(code).toBe(1);
});

test('one without such mistakes is broken by nothing, but by an event that never comes', async () => {
  const { code, stdout } = await chaos('none', '--quiet');
  expect(stdout).toBe('nothing broke the check: 9 runs over 2 events\n');
  expect(code).toBe(0);
  const dropped = await chaos('none', '--drop', '--quiet', '--runs', '0');
  expect(dropped.stdout).toContain('payment_intent.succeeded never comes');
});

test('a check that fails by itself, or receives nothing, cannot be broken', async () => {
  const broken = await runCommand(['chaos', 'payments', '--check', 'echo no shop here; exit 3']);
  expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('no shop here') as string });
  const idle = await runCommand(['chaos', 'payments', '--check', 'true']);
  expect(idle).toMatchObject({ code: 2, stderr: expect.stringContaining('register an endpoint') as string });
});

test('schedules name the events of a run, and are the same for the same seed', async () => {
  const occurrences = occurrencesOf(['a', 'b', 'a']);
  expect(occurrences).toEqual([
    { event: 'a', nth: 0 },
    { event: 'b', nth: 0 },
    { event: 'a', nth: 1 },
  ]);
  const groups = plannedFaultsOf(occurrences, ['duplicate', 'late']);
  expect(groups.flat()).toHaveLength(6);
  expect(commandOf({ fault: 'late', event: 'a', nth: 1 })).toBe(
    'sandbox delivery-fault reorder --times 100 --event a --count 1 --after 1',
  );
  const tried = async (seed: string): Promise<unknown> => {
    const seen: unknown[] = [];
    const breaks = (schedule: unknown) => Promise.resolve(seen.push(schedule) < 0);
    expect(await searchSchedule({ singles: [], groups, runs: 5, seed }, breaks)).toBeNull();
    return seen;
  };
  expect(await tried('1')).toEqual(await tried('1'));
  expect(await tried('1')).not.toEqual(await tried('2'));
});
