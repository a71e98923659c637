import { argsOf, type Engine } from '../runtime/index.js';
import { NO_INPUT, type Visit } from './visit.js';

/** Writes what a call leaves that left no entry of its own: that a fault has fired, that a limit has counted it. */
export function commitPending({ world, model }: Engine, visit: Visit): void {
  const { writes, fault, input, request, traceId, scenario, chosen, operation } = visit;
  if (writes.length === 0) return;
  const transaction = world.begin();
  for (const write of writes.splice(0)) write(transaction);
  const { given, text, expand } = input.ok ? input : NO_INPUT;
  const called = { request, given, text, expand, scenario: scenario?.name ?? null, tenant: chosen.named };
  const args = {
    fault: fault?.id ?? null,
    operation: operation?.key ?? null,
    ...argsOf(called, model.settings.versions?.current ?? null),
  };
  const command = fault === null ? 'rate_limit' : 'fault';
  world.commit({ command, origin: 'call', request: request.id, trace: traceId, args });
}
