import { type Checked, runCheck } from '../command/check-command.js';
import {
  combined,
  commandOf,
  type EventOccurrence,
  occurrencesOf,
  faultBody,
  single,
  type PlannedFault,
  describePlannedFault,
  type FaultChoice,
} from '../chaos/schedule.js';
import { findPack } from '../command/installation.js';
import { Exit, Failure, type Output } from '../command/output.js';
import { smallest } from '../chaos/smallest.js';

/** The options of `sandbox chaos`, read. */
export interface ChaosCommand {
  readonly check: string;
  /** A server that runs; a sandbox of its own unless given. */
  readonly url?: string;
  readonly key?: string;
  /** Schedules of several faults that are tried when no single one breaks the check. */
  readonly runs: number;
  readonly seed: string;
  readonly drop?: boolean;
  /** Seconds. */
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
  /** Calls the control API of its first world. */
  readonly call: ControlCall;
  readonly close: () => Promise<void>;
}

interface ForkedServer {
  readonly id: string;
  readonly url: string;
  readonly key: string;
}

/** How often what is delayed is released while a check runs, in milliseconds of real time. */
const LATE_MS = 400;

/** Most deliveries that one response lists. */
const LISTED = 1_000;

/**
 * Runs a check again and again, each time in a fork in which other deliveries come twice, in another order or late, and
 * prints the shortest schedule with which it fails.
 * @param pack of the sandbox of its own
 * @throws Failure when the check fails without any trouble, or the server does not respond
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

  /** Runs the check without trouble; the events that went out, in order. */
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

  /** The shortest schedule that breaks the check; null: none was found. */
  async search(occurrences: readonly EventOccurrence[]): Promise<readonly PlannedFault[] | null> {
    const choices: FaultChoice[] = ['duplicate', 'overtaken', 'late', ...(this.options.drop ? ['lost' as const] : [])];
    for (const schedule of single(occurrences, choices)) if (await this.#breaks(schedule)) return schedule;
    let left = this.options.runs;
    for (const schedule of combined(occurrences, choices, this.options.seed)) {
      if (left-- === 0) return null;
      if (await this.#breaks(schedule)) return smallest(schedule, (part) => this.#breaks(part));
    }
    return null;
  }

  /** A check that never ends waits for something that will not come: it is broken too. */
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
    const fork: ForkedServer = { id: String(made['id']), url: String(made['url']), key: String(made['key']) };
    const { ControlClient } = await import('../../engine/index.js');
    const world = new ControlClient(fork.url, fork.key);
    try {
      const before = idsOf(await world.call('GET', `/webhooks/deliveries?limit=${LISTED}`));
      for (const each of schedule) await world.call('POST', '/webhooks/faults', faultBody(each));
      // What waits for deliveries that will not come is late, and not lost.
      const timer = setInterval(() => void world.flush().catch(() => undefined), LATE_MS);
      const ended = await runCheck(this.options.check, fork, this.options.timeout, onOutput).finally(() =>
        clearInterval(timer),
      );
      return { ended, names: namesOf(await world.call('GET', `/webhooks/deliveries?limit=${LISTED}`), before) };
    } finally {
      await call('DELETE', `/worlds/${fork.id}`);
    }
  }

  #report(line: string): void {
    if (!this.options.quiet) this.output.error(line);
  }
}

interface Listed {
  readonly id: string;
  readonly event: { readonly id: string; readonly type: string };
}

function listed(response: Readonly<Record<string, unknown>>): readonly Listed[] {
  return Array.isArray(response['data']) ? (response['data'] as readonly Listed[]) : [];
}

function idsOf(response: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  return new Set(listed(response).map(({ id }) => id));
}

/** Names of the events that were delivered since, in order; each counts once, however many receive it. */
function namesOf(response: Readonly<Record<string, unknown>>, before: ReadonlySet<string>): string[] {
  const events = new Map<string, string>();
  for (const { id, event } of [...listed(response)].reverse()) if (!before.has(id)) events.set(event.id, event.type);
  return [...events.values()];
}

async function serverOf(pack: string | undefined, { url, key }: ChaosCommand): Promise<Server> {
  const { ControlClient, ControlError, createSandbox, PackCache } = await import('../../engine/index.js');
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
    throw new Failure(Exit.cannotRun, 'server_failed', `${url} ${reason}`, 'Leave --url out for a sandbox of its own.');
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
