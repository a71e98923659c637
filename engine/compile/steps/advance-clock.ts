import { accepts, describeType } from '../../expression/index.js';
import { type AdvanceClockStep, inside } from '../../model/index.js';
import type { Execution } from '../../program/index.js';
import { stepKind } from './kind.js';

/**
 * `advance_clock`: advances the clock once the command is committed; the response waits until all timers up to then have fired.
 * With `begins` the world starts at that time instead, at once.
 */
export const compileAdvanceClock = stepKind({
  check(step: AdvanceClockStep, place, context) {
    const { diagnostics, env } = context.compiler;
    if (!context.params)
      diagnostics.problem(place, 'misplaced-step', 'only the steps of an operation can advance the clock');
    const at = inside(place, 'advance_clock');
    const time = diagnostics.template(at, step.advance_clock, context.scope, env);
    if (!accepts(env.timestamp, time.type))
      diagnostics.problem(at, 'wrong-type', `this must be a timestamp, it is ${describeType(time.type)}`);
    const of = step.of === undefined ? null : diagnostics.template(inside(place, 'of'), step.of, context.scope, env);
    const move = of === null ? (step.begins ? beginAt : advanceClock) : step.begins ? beginLine : advanceLine;
    return { time, toMs: env.toMs, move, of };
  },

  emit({ time, toMs, move, of }, { scope }) {
    return [
      `${scope.unit.refer(move, 'move')}(x, ${scope.unit.refer(toMs, 'toMs')}(${time.js})${of === null ? '' : `, ${of.js}`});`,
    ];
  },
});

function advanceClock(x: Execution, ms: number): void {
  if (Number.isFinite(ms)) x.advanceClock(ms);
}

function beginAt(x: Execution, ms: number): void {
  if (Number.isFinite(ms)) x.beginAt(ms);
}

function beginLine(x: Execution, ms: number, of?: unknown): void {
  if (Number.isFinite(ms)) x.beginLine(String(of), ms);
}

function advanceLine(x: Execution, ms: number, of?: unknown): void {
  if (Number.isFinite(ms)) x.advanceClock(ms, String(of));
}
