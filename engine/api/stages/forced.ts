import { setTimeout as wait } from 'node:timers/promises';
import type { ControlCode } from '../../codes.js';
import { didYouMean } from '../../pack/index.js';
import type { OperationResponse, Engine } from '../../runtime/index.js';
import type { Operation } from '../../program/index.js';
import { type Fault, isHit, type Transaction, type World } from '../../world/index.js';
import type { JsonObject } from '../../values/index.js';
import { andThen, EMPTY, givenIn, type OperationVisit, type Stage } from '../visit.js';

// Outcomes that a test forces: a scenario that a header selects, or a fault.

/** Finds the scenario in the header. The test chose its name, so an unknown one gets the control API's error format. */
export function scenario(engine: Engine): Stage {
  return (visit, next) => {
    const name = visit.req.headers['x-mock-scenario'];
    if (typeof name !== 'string' || name === '') return next(visit);
    const scenarios = engine.pack.scenarios();
    const found = scenarios.get(name);
    if (!found) {
      const near = engine.model.env.suggest(name, scenarios.keys());
      return rejected('unknown_scenario', `There is no scenario '${name}'${didYouMean(near)}`);
    }
    // Rejects a scenario that has no effect on the operation, since the test wouldn't notice.
    if (found.operations?.has(visit.operation.key) === false) {
      const fitting = [...found.operations].join(', ');
      return rejected('scenario_not_here', `The scenario '${name}' is for other calls: ${fitting}.`);
    }
    visit.scenario = found;
    if (visit.fault === null) visit.outcome = 'scenario';
    return next(visit);
  };
}

function rejected(code: ControlCode, message: string): OperationResponse {
  return { ...EMPTY, status: 400, error: code, body: JSON.stringify({ error: { code, message } }) };
}

/**
 * Applies the active fault that matches a call: it replaces the operation or changes the response. If it resets the connection,
 * no response is sent.
 */
export function fault(engine: Engine): Stage {
  const faults = new PendingFaults(engine.world);
  return (visit, next) => {
    if (engine.world.faults.size === 0) return next(visit);
    const matched = faults.find(visit.operation, () => givenIn(visit));
    if (matched === undefined) return next(visit);
    const write = faults.countCall(matched);
    if (write !== null) visit.writes.push(write);
    const { fault } = matched;
    if (fault === null) return next(visit);
    visit.fault = fault;
    visit.outcome = 'fault';
    switch (fault.kind) {
      case 'error':
      case 'reset':
        return delayOf(engine, fault, visit) > 0 ? failLater(engine, fault, visit) : failed(engine, fault, visit);
      case 'response': {
        const { status } = fault;
        return status === null ? next(visit) : andThen(next(visit), (response) => ({ ...response, status }));
      }
      case 'delay':
      case 'lost_response':
        return next(visit);
    }
  };
}

function failed(engine: Engine, fault: Fault, { request }: OperationVisit): OperationResponse {
  if (fault.kind === 'reset') return { ...engine.error('internal_error', {}, request), status: 0 };
  const { status, error } = fault;
  const { code = null, type = null, message = null } = error;
  return engine.error('fault', { status, code, type, message, error }, request);
}

async function failLater(engine: Engine, fault: Fault, visit: OperationVisit): Promise<OperationResponse> {
  await wait(delayOf(engine, fault, visit));
  return failed(engine, fault, visit);
}

/** The delay of a call in milliseconds; a random one is drawn from the world's seed and the request. */
export function delayOf({ world }: Engine, { id, delayMs, delayMaxMs }: Fault, { request }: OperationVisit): number {
  if (delayMaxMs === undefined) return delayMs;
  return delayMs + Math.floor(world.stableShare(`${id} ${String(request.id)}`) * (delayMaxMs - delayMs + 1));
}

/** The active faults that match a call, split by whether they apply to it. */
interface MatchedFaults {
  /** The fault that applies to the call. */
  readonly fault: Fault | null;
  /** Faults that match the call and count it, but skip it by their `turns`. */
  readonly passed: readonly Fault[];
}

/** Uses of a fault by unfinished calls: how many it applied to (`fired`), and how many matched (`seen`). */
interface FaultCount {
  fired: number;
  seen: number;
}

/**
 * Faults that apply to unfinished calls. The use of a fault is committed with its call, which may be later: until then it
 * counts here, so that a fault for one call doesn't apply to two.
 */
class PendingFaults {
  readonly #counts = new Map<string, FaultCount>();
  #epoch = 0;

  constructor(private readonly world: World) {}

  /** The oldest fault that applies to a call now, and earlier ones that count the call; undefined: none matches. */
  find({ resource, name }: Operation, params: () => JsonObject): MatchedFaults | undefined {
    const matching = this.world.faults.matching(resource.collection, name, params);
    if (matching.length === 0) return undefined;
    const passed: Fault[] = [];
    for (const fault of matching) {
      const { fired, seen } = this.#inFlight(fault.id);
      if (fault.remaining !== null && fault.remaining <= fired) continue;
      const { turns } = fault;
      const share = (text: string): number => this.world.stableShare(text);
      if (turns === undefined || isHit(fault.id, { ...turns, seen: turns.seen + seen }, share))
        return { fault, passed };
      passed.push(fault);
    }
    return passed.length > 0 ? { fault: null, passed } : undefined;
  }

  /**
   * Counts a call against the faults that match it.
   * @returns a function that writes the count into a transaction; null if nothing is to be written
   */
  countCall({ fault, passed }: MatchedFaults): ((transaction: Transaction) => void) | null {
    const fires = fault !== null && (fault.remaining !== null || fault.turns !== undefined);
    if (!fires && passed.length === 0) return null;
    if (this.#epoch !== this.world.epoch) this.#counts.clear();
    const epoch = (this.#epoch = this.world.epoch);
    const counts = [...passed.map(({ id }) => ({ id, fired: 0 })), ...(fires ? [{ id: fault.id, fired: 1 }] : [])];
    for (const { id, fired } of counts) {
      const count = this.#counts.get(id) ?? { fired: 0, seen: 0 };
      this.#counts.set(id, { fired: count.fired + fired, seen: count.seen + 1 });
    }
    return (transaction) => {
      // After a reset the fault no longer exists.
      if (epoch !== this.world.epoch) return;
      for (const { id, fired } of counts) this.#write(transaction, id, fired);
    };
  }

  #write(transaction: Transaction, id: string, fired: number): void {
    const count = this.#inFlight(id);
    if (count.seen > 1) this.#counts.set(id, { fired: count.fired - fired, seen: count.seen - 1 });
    else this.#counts.delete(id);
    const fault = this.world.faults.get(id);
    if (fault === undefined) return;
    const { turns } = fault;
    const counted = turns === undefined ? fault : { ...fault, turns: { ...turns, seen: turns.seen + 1 } };
    const left = fault.remaining === null ? null : fault.remaining - fired;
    transaction.write(this.world.faults, id, left === 0 ? undefined : { ...counted, remaining: left });
  }

  #inFlight(id: string): FaultCount {
    return (this.#epoch === this.world.epoch ? this.#counts.get(id) : undefined) ?? NONE;
  }
}

const NONE: FaultCount = { fired: 0, seen: 0 };
