import { accepts, DURATION } from '../expression/index.js';
import { inside, type OperationFile, type SourceLocation } from '../model/index.js';
import type { LongPoll, OfResponse } from '../program/index.js';
import { type Json, lazy } from '../values/index.js';
import type { Compiler } from './context.js';
import { responseScope, type Owner } from './head.js';

/** Compiles `wait` of an operation (long polling); null if it responds at once. */
export function compileLongPoll(
  owner: Owner,
  file: OperationFile,
  place: SourceLocation,
  compiler: Compiler,
): LongPoll | null {
  const { wait } = file;
  if (wait === undefined) return null;
  const { diagnostics, env } = compiler;
  const at = inside(place, 'wait');
  if (file.stream !== undefined)
    diagnostics.problem(at, 'invalid-value', '`wait` and `stream` exclude each other: `until` of the stream waits');
  const over = (key: 'until' | 'at_most'): (() => OfResponse<Json>) =>
    lazy(() => {
      const here = inside(at, key);
      const { scope, parameters, lines } = responseScope(`wait of ${owner.key}`, owner, here, compiler);
      const compiled = diagnostics[key === 'until' ? 'condition' : 'bare'](here, wait[key], scope, env);
      if (key === 'at_most' && !accepts(DURATION, compiled.type))
        diagnostics.problem(here, 'wrong-type', 'this must be a duration, such as seconds(20)');
      return scope.unit.function<OfResponse<Json>>(parameters, [...lines, `return ${compiled.js};`]);
    });
  return { until: over('until'), atMostMs: over('at_most') };
}
