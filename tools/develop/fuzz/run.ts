import { LIMITS } from '../../../engine/limits.js';
import { shrunk } from '../kit/shrunk.js';
import type { FuzzResponse, FuzzCall } from './call.js';
import type { CallSource } from './company.js';
import { FOREIGN_HOSTS } from './generate.js';
import { FuzzTarget, type FuzzWorld } from './target.js';

/** Something that may not happen, with the calls that lead to it in a fresh world. */
export interface FuzzFinding extends FuzzWorld {
  readonly what: string;
  readonly calls: readonly FuzzCall[];
}

/** The results of a run. */
interface FuzzReport {
  readonly calls: number;
  /** How many responses of each hundred: 2, 4, 5; 0 for connections that ended without one. */
  readonly statuses: Readonly<Record<string, number>>;
  /** How long a call beside them waited that does nothing. */
  readonly waits: FuzzTarget['waits'];
  readonly finding: FuzzFinding | null;
}

const STALL = 'a stall of more than a second';
const SILENCE = 'no response';
const ENDED = 'the process ended';
/** Findings that a busy machine causes too. */
const OF_MACHINE = [STALL, SILENCE];
/** Calls after which a world is reset. */
const ROUND = 400;
/** Calls that are sent at once. After some of them one is looked at closely: whether it changes anything although it was rejected. */
const BESIDE = 8;
/** Every nth batch is checked closely, since reading the whole state takes longer than a hundred calls. */
const CLOSELY_EVERY = 4;
/** Bytes that the process may grow by between its second world and any later one. */
const MAX_GROWTH_BYTES = 400 * 1024 * 1024;
/** Runs of the shortened calls while a finding is made smaller. */
const SHRINKS = 60;
const RESET: FuzzCall = {
  kind: 'http',
  method: 'POST',
  path: '/__admin__/reset',
  headers: { 'content-type': 'application/json' },
  body: '{}',
};

/**
 * Calls a pack, or a company and its packs, with what it takes and what it does not, until the time is over or something may not happen: a stall of more
 * than a second, a 500, the end of the process, a rejected call that changes state, memory that grows beyond what is kept.
 * @param generator makes the calls
 * @param forMs how long, from when the pack is served
 * @param print is called with a line now and then
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
        // Some beside each other, on connections of their own; then one alone, looked at closely.
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
        // A finding has to be repeatable.
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

/** A call, and the problem of its result. */
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

/** Of the vendor's API; a tool's result has its operation's response twice. */
function isTooLong(call: FuzzCall, { text }: FuzzResponse): boolean {
  return call.kind === 'http' && !call.path.startsWith('/__admin__') && text.length > 3 * LIMITS.response.value;
}

/** Pages of the vendor are served under the names of the sandbox only, so that no other site reads them by rebinding its name. */
function isPageElsewhere(call: FuzzCall, { status, text }: FuzzResponse): boolean {
  return (
    call.kind === 'http' &&
    FOREIGN_HOSTS.includes(call.headers['host']) &&
    status < 400 &&
    /^<!doctype html/i.test(text)
  );
}

/** A scenario may ask for a 500. */
function isWanted(call: FuzzCall): boolean {
  return call.kind === 'http' && 'x-mock-scenario' in call.headers;
}

/** 402 stores the attempt, a fault counts as used, and an advance that stops early has advanced the clock. */
function isRejection({ status, text }: FuzzResponse): boolean {
  return ![402, 429, 503].includes(status) && !/too_much_due|event_did_not_come/.test(text);
}

function reasonIn(log: string): string {
  return /defect in [^\n]*/g.exec(log.slice(log.lastIndexOf('defect in')))?.[0].replace(/[\w-]{14,}/g, '…') ?? '';
}

/** Replays calls in a fresh process; returns the problem at the end. */
export async function replayCalls(world: FuzzWorld, calls: readonly FuzzCall[]): Promise<string | null> {
  const target = await FuzzTarget.start(world);
  try {
    await target.send(RESET);
    // The start compiles much, which takes long on a busy machine.
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

/** Fewer calls with which the same is wrong in the end. */
async function smaller(world: FuzzWorld, calls: readonly FuzzCall[], what: string): Promise<readonly FuzzCall[]> {
  const last = calls.slice(-1);
  const isSame = async (rest: readonly FuzzCall[]): Promise<boolean> =>
    (await replayCalls(world, [...rest, ...last])) === what;
  if (await isSame([])) return last;
  return [...(await shrunk(calls.slice(0, -1), SHRINKS, isSame)), ...last];
}
