import { LIMITS } from '../../../engine/limits.js';
import { shrunk } from '../kit/shrunk.js';
import type { FuzzResponse, FuzzCall } from './call.js';
import type { CallSource } from './company.js';
import { FOREIGN_HOSTS } from './generate.js';
import { FuzzTarget, type FuzzWorld } from './target.js';

/** A defect, with the calls that reproduce it in a new world. */
export interface FuzzFinding extends FuzzWorld {
  readonly what: string;
  readonly calls: readonly FuzzCall[];
}

/** The results of a run. */
interface FuzzReport {
  readonly calls: number;
  /** Number of responses by the first digit of the status; 0: the connection ended without one. */
  readonly statuses: Readonly<Record<string, number>>;
  /** How long probe calls waited while other calls were in flight. */
  readonly waits: FuzzTarget['waits'];
  readonly finding: FuzzFinding | null;
}

const STALL = 'a stall of more than a second';
const SILENCE = 'no response';
const ENDED = 'the process ended';
/** Kinds of findings that a busy machine can also cause. */
const OF_MACHINE = [STALL, SILENCE];
/** Number of calls between resets. */
const ROUND = 400;
/** Number of concurrent calls in a batch. */
const BESIDE = 8;
/** Every nth batch is followed by a check of the whole state, which takes longer than a hundred calls. */
const CLOSELY_EVERY = 4;
/** Maximum growth of the process in bytes after its second world. */
const MAX_GROWTH_BYTES = 400 * 1024 * 1024;
/** Maximum number of replays to shorten a finding. */
const SHRINKS = 60;
const RESET: FuzzCall = {
  kind: 'http',
  method: 'POST',
  path: '/__admin__/reset',
  headers: { 'content-type': 'application/json' },
  body: '{}',
};

/**
 * Sends valid and invalid calls to a pack, or to a company and its packs, until the time is over or a defect is found: a stall of more than a second,
 * a 500, the end of the process, a rejected call that changes state, or growing memory.
 * @param generator of the calls
 * @param forMs duration from the start of serving
 * @param print called with progress lines
 */
export async function fuzz(
  world: FuzzWorld,
  generator: CallSource,
  forMs: number,
  print: (line: string) => void,
): Promise<FuzzReport> {
  const { pack } = world;
  const target = await FuzzTarget.start(world);
  const untilMs = performance.now() + forMs;
  const statuses: Record<string, number> = {};
  let calls = 0;
  let base = 0;
  let last: readonly FuzzCall[] = [];
  const report = () => ({ calls, statuses, waits: target.waits });
  try {
    for (let round = 0; performance.now() < untilMs; round++) {
      await target.send(RESET);
      if (!target.isAlive) {
        print(target.log);
        return { ...report(), finding: { ...world, what: ENDED, calls: [...last, RESET] } };
      }
      await target.leaveOne();
      generator.forget();
      const done = generator.beginning();
      for (const call of done) await target.send(call);
      if (done.length > 0) generator.addIds(await target.state());
      const memory = target.memory();
      if (round === 3) base = memory;
      if (round > 3 && memory > base + MAX_GROWTH_BYTES)
        return {
          ...report(),
          finding: { ...world, what: `memory grew from ${base} to ${memory} bytes`, calls: last },
        };
      for (let batch = 0; done.length < ROUND && performance.now() < untilMs;) {
        // Sends a concurrent batch on several connections; then a single call whose effect on the state is checked.
        const beside = Array.from({ length: BESIDE }, () => generator.next());
        const responses = await Promise.all(beside.map((call) => target.send(call)));
        const seen: Judged[] = [];
        for (const [index, call] of beside.entries())
          seen.push({ call, response: responses[index], what: await wrongWith(target, call, responses[index], null) });
        const isClose = batch++ % CLOSELY_EVERY === 0 && !target.isListenedTo;
        if (isClose && seen.every(({ what }) => what === null)) seen.push(await judged(target, generator.next(), true));
        for (const { call, response } of seen) {
          done.push(call);
          calls++;
          const kind = String(Math.floor(response.status / 100));
          statuses[kind] = (statuses[kind] ?? 0) + 1;
          generator.addIds(response.text, call.kind === 'raw' ? undefined : call.vendor);
        }
        const wrong = seen.find(({ what }) => what !== null);
        if (!wrong || wrong.what === null) continue;
        const { what } = wrong;
        const led = [...done.filter((call) => call !== wrong.call), wrong.call];
        // A stall or silence that a replay doesn't reproduce came from a busy machine, and doesn't count.
        if (OF_MACHINE.includes(what) && (await replayCalls(world, led)) !== what) {
          print(`${pack}: ${what}, which did not happen again`);
          target.takeStall();
          continue;
        }
        print(`${pack}: ${what}; making it smaller`);
        if (what === ENDED) print(target.log);
        return { ...report(), finding: { ...world, what, calls: await smaller(world, led, what) } };
      }
      last = done;
    }
    return { ...report(), finding: null };
  } finally {
    await target.stop();
  }
}

/** A call and the problem in its response. */
interface Judged {
  readonly call: FuzzCall;
  readonly response: FuzzResponse;
  readonly what: string | null;
}

async function judged(target: FuzzTarget, call: FuzzCall, closely: boolean): Promise<Judged> {
  const before = closely && call.kind === 'http' ? await target.state() : null;
  const response = await target.send(call);
  return { call, response, what: await wrongWith(target, call, response, before) };
}

async function wrongWith(
  target: FuzzTarget,
  call: FuzzCall,
  response: FuzzResponse,
  before: string | null,
): Promise<string | null> {
  if (!target.isAlive) return ENDED;
  const stall = target.takeStall();
  if (stall !== null) return STALL;
  if (response.status === 500 && !isWanted(call)) return `500 ${reasonIn(target.log)}`;
  const defect = target.takeDefect();
  if (defect !== null) return reasonIn(defect);
  if (response.status === 0 && call.kind === 'http' && response.ms > 5000) return SILENCE;
  if (isTooLong(call, response)) return `a response of ${response.text.length} characters`;
  if (isPageElsewhere(call, response)) return 'a page is served under a foreign host';
  if (before === null || call.kind !== 'http' || response.status < 400 || !isRejection(response)) return null;
  return before === (await target.state()) ? null : `${response.status} to a call that changed the state`;
}

/** Whether a response exceeds the limit; a tool result contains its operation's response twice. */
function isTooLong(call: FuzzCall, { text }: FuzzResponse): boolean {
  return call.kind === 'http' && !call.path.startsWith('/__admin__') && text.length > 3 * LIMITS.response.value;
}

/** Whether a vendor's page was served for a foreign host name, which would let other sites read it by DNS rebinding. */
function isPageElsewhere(call: FuzzCall, { status, text }: FuzzResponse): boolean {
  return (
    call.kind === 'http' &&
    FOREIGN_HOSTS.includes(call.headers['host']) &&
    status < 400 &&
    /^<!doctype html/i.test(text)
  );
}

/** Whether a 500 was requested, such as by a scenario. */
function isWanted(call: FuzzCall): boolean {
  return call.kind === 'http' && 'x-mock-scenario' in call.headers;
}

/**
 * Whether a call was rejected without any effect. 402 stores the attempt, a fault counts as used, and an advance that stops early has advanced the
 * clock.
 */
function isRejection({ status, text }: FuzzResponse): boolean {
  return ![402, 429, 503].includes(status) && !/too_much_due|event_did_not_come/.test(text);
}

function reasonIn(log: string): string {
  return /defect in [^\n]*/g.exec(log.slice(log.lastIndexOf('defect in')))?.[0].replace(/[\w-]{14,}/g, '…') ?? '';
}

/** Replays calls in a new process; returns the problem of the last call, or null. */
export async function replayCalls(world: FuzzWorld, calls: readonly FuzzCall[]): Promise<string | null> {
  const target = await FuzzTarget.start(world);
  try {
    await target.send(RESET);
    // Discards the stall at the start of the process, while it compiles code.
    target.takeStall();
    for (const [index, call] of calls.entries()) {
      const isLast = index === calls.length - 1;
      while (isLast && target.isListenedTo) await new Promise((resolve) => setTimeout(resolve, 100));
      const { what } = await judged(target, call, isLast);
      if (what !== null) return what;
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    const defect = target.takeDefect();
    if (defect !== null) return reasonIn(defect);
    return target.takeStall() === null ? null : STALL;
  } finally {
    await target.stop();
  }
}

/** Removes calls from a finding as long as the last call has the same problem. */
async function smaller(world: FuzzWorld, calls: readonly FuzzCall[], what: string): Promise<readonly FuzzCall[]> {
  const last = calls.slice(-1);
  const isSame = async (rest: readonly FuzzCall[]): Promise<boolean> =>
    (await replayCalls(world, [...rest, ...last])) === what;
  if (await isSame([])) return last;
  return [...(await shrunk(calls.slice(0, -1), SHRINKS, isSame)), ...last];
}
