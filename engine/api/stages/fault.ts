import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, Engine } from '../../runtime/index.js';
import type { Fault } from '../../world/index.js';
import { PendingFaults } from '../faults.js';
import { andThen, givenIn, type OperationVisit, type Stage } from '../visit.js';

/**
 * Fires the active fault that matches a call: instead of the operation, or on its response. A connection that is reset, and a
 * response that is lost, are sent like any other, to a closed socket.
 */
export function fault(engine: Engine): Stage {
  const faults = new PendingFaults(engine.world);
  return (visit, next) => {
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
        return fault.delayMs > 0 ? failLater(engine, fault, visit) : failed(engine, fault, visit);
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

function failed(engine: Engine, fault: Fault, { request }: OperationVisit): Answer {
  if (fault.kind === 'reset') return { ...engine.error('internal_error', {}, request), status: 0 };
  const { status, error } = fault;
  const { code = null, type = null, message = null } = error;
  return engine.error('fault', { status, code, type, message, error }, request);
}

async function failLater(engine: Engine, fault: Fault, visit: OperationVisit): Promise<Answer> {
  await wait(fault.delayMs);
  return failed(engine, fault, visit);
}
