import { type Checked, runCheck } from '../command/check-command.js';
import { DELIVERIES, deliveredIds, deliveredNames, RELEASE_MS } from '../chaos/delivered.js';
import {
  commandOf,
  type EventOccurrence,
  occurrencesOf,
  faultBody,
  plannedFaultsOf,
  type PlannedFault,
  describePlannedFault,
  type FaultChoice,
} from '../chaos/schedule.js';
import { findPack, isCompanyFile } from '../command/installation.js';
import { Exit, Failure, type Output } from '../command/output.js';
import type { AddressedWorld } from '../command/world-env.js';
import { searchSchedule } from '../chaos/search.js';

/** The parsed options of `sandbox chaos`. */
export interface ChaosCommand {
  readonly check: string;
  /** Address of a running server; by default the command starts its own sandbox. */
  readonly url?: string;
  readonly key?: string;
  /** Number of schedules with several faults to try if no single fault fails the check. */
  readonly runs: number;
  readonly seed: string;
  readonly drop?: boolean;
  /** Time limit of a run, in seconds. */
  readonly timeout: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

type ControlCall = (
  method: string,
  path: string,
  body?: Readonly<Record<string, unknown>>,
) => Promise<Readonly<Record<string, unknown>>>;

interface Server {
  /** Calls the control API of the first world. */
  readonly call: ControlCall;
  readonly close: () => Promise<void>;
}

type ForkedServer = AddressedWorld & { readonly id: string };

/**
 * Runs a check repeatedly, each time in a fork in which other deliveries are duplicated, reordered or delayed, and prints the shortest schedule with
 * which it fails.
 * @param pack of a sandbox of its own
 * @throws Failure if the check fails without faults, or the server doesn't respond
 */
export async function chaos(pack: string | undefined, options: ChaosCommand, output: Output): Promise<number> {
  const server = await serverOf(pack, options);
  try {
    const runs = new Runs(server, options, output);
    const occurrences = await runs.first();
    const found = await runs.search(occurrences);
    report(found, runs.tried, occurrences.length, options, output);
    return found === null ? Exit.done : Exit.wrongInput;
  } finally {
    await server.close();
  }
}

class Runs {
  tried = 0;

  constructor(
    private readonly server: Server,
    private readonly options: ChaosCommand,
    private readonly output: Output,
  ) {}

  /** Runs the check without faults. @returns the emitted events, in order */
  async first(): Promise<EventOccurrence[]> {
    let said = '';
    const { ended, names } = await this.#run([], (text) => (said = `${said}${text}`.slice(-2_000)));
    if (ended !== 'passed')
      throw new Failure(
        Exit.cannotRun,
        'check_fails',
        ended === 'late' ? 'the check did not end in time, without any trouble' : 'the check fails without any trouble',
        `It gets the address of a world in SANDBOX_URL and its key in SANDBOX_KEY. It said:\n${said.trimEnd()}`,
      );
    if (names.length === 0)
      throw new Failure(
        Exit.cannotRun,
        'no_deliveries',
        'nothing was delivered while the check ran',
        'It must register an endpoint and make calls, in the world of SANDBOX_URL and SANDBOX_KEY.',
      );
    this.#report(`${names.length} events were delivered, and the check passes`);
    return occurrencesOf(names);
  }

  /** Searches for the shortest failing schedule; null if none was found. */
  async search(occurrences: readonly EventOccurrence[]): Promise<readonly PlannedFault[] | null> {
    const { drop, runs, seed } = this.options;
    const choices: FaultChoice[] = ['duplicate', 'overtaken', 'late', ...(drop ? ['lost' as const] : [])];
    const groups = plannedFaultsOf(occurrences, choices);
    const singles = choices.flatMap((_, at) => groups.map((group) => group[at]));
    return searchSchedule({ singles, groups, runs, seed }, (schedule) => this.#breaks(schedule));
  }

  /** Runs the check with a schedule of faults. Returns true if it fails, or exceeds the time limit because it waits for a lost delivery. */
  async #breaks(schedule: readonly PlannedFault[]): Promise<boolean> {
    const { ended } = await this.#run(schedule);
    this.#report(`${ended === 'passed' ? 'passes' : 'BREAKS'}: ${schedule.map(describePlannedFault).join('; ')}`);
    return ended !== 'passed';
  }

  async #run(
    schedule: readonly PlannedFault[],
    onOutput?: (text: string) => void,
  ): Promise<{ readonly ended: Checked; readonly names: readonly string[] }> {
    this.tried++;
    const { call } = this.server;
    const made = await call('POST', '/worlds', { from: { same_ids: true, send_webhooks: true } });
    const fork = made as unknown as ForkedServer;
    const { ControlClient } = await import('../../engine/index.js');
    const world = new ControlClient(fork.url, fork.key);
    // In a company, each pack lists its own deliveries, and the pack's name is a prefix of event names.
    const parts = Object.entries(fork.vendors ?? { '': fork }).map(
      ([name, { url, key }]) => [name === '' ? '' : `${name}/`, new ControlClient(url, key)] as const,
    );
    try {
      const before = new Map<string, ReadonlySet<string>>();
      for (const [name, part] of parts) before.set(name, deliveredIds(await part.call('GET', DELIVERIES)));
      for (const each of schedule) await world.call('POST', '/webhooks/faults', faultBody(each));
      // Releases delayed deliveries while the check runs, so that a check that waits for them ends.
      const flush = async (): Promise<void> => {
        for (const [, part] of parts) await part.flush();
      };
      const timer = setInterval(() => void flush().catch(() => undefined), RELEASE_MS);
      const ended = await runCheck(this.options.check, fork, this.options.timeout, onOutput).finally(() =>
        clearInterval(timer),
      );
      const names: string[] = [];
      for (const [name, part] of parts) {
        const delivered = deliveredNames(await part.call('GET', DELIVERIES), before.get(name) ?? new Set());
        names.push(...delivered.map((each) => name + each));
      }
      return { ended, names };
    } finally {
      await call('DELETE', `/worlds/${fork.id}`);
    }
  }

  #report(line: string): void {
    if (!this.options.quiet) this.output.error(line);
  }
}

async function serverOf(pack: string | undefined, { url, key }: ChaosCommand): Promise<Server> {
  const { ControlClient, ControlError, createCompany, createSandbox, PackCache } =
    await import('../../engine/index.js');
  if (pack !== undefined && isCompanyFile(pack)) {
    const company = await createCompany({ file: pack, cache: PackCache.ofInstallation() });
    return { call: (...args) => company.control.call(...args), close: () => company.close(0) };
  }
  if (pack !== undefined || url === undefined) {
    const folder = await findPack(pack ?? 'packs/payments');
    const sandbox = await createSandbox({ pack: folder, cache: PackCache.ofInstallation() });
    return { call: (...args) => sandbox.control.call(...args), close: () => sandbox.close(0) };
  }
  if (key === undefined)
    throw new Failure(Exit.cannotRun, 'key_missing', 'no API key', 'Pass --key, or set SANDBOX_API_KEY.');
  const control = new ControlClient(url.replace(/\/+$/, ''), key);
  try {
    await control.flush();
  } catch (error) {
    const reason = error instanceof ControlError ? `returned ${error.status}` : 'does not respond';
    throw new Failure(Exit.cannotRun, 'server_failed', `${url} ${reason}`, 'Omit --url for a new sandbox.');
  }
  return { call: (...args) => control.call(...args), close: () => Promise.resolve() };
}

function report(
  found: readonly PlannedFault[] | null,
  tried: number,
  events: number,
  { json }: ChaosCommand,
  output: Output,
): void {
  if (json) {
    output.print(
      JSON.stringify({ events, tried, schedule: found?.map((each) => ({ ...each, order: faultBody(each) })) ?? null }),
    );
    return;
  }
  if (found === null) {
    output.print(`nothing broke the check: ${tried} runs over ${events} events`);
    return;
  }
  output.print(`the check breaks when ${found.map(describePlannedFault).join(' and ')} (${tried} runs)`);
  output.print('In a world of your own, before the check:');
  for (const fault of found) output.print(`  ${commandOf(fault)}`);
}
