import { eventText } from '../codecs/index.js';
import { accepts, ANY, DURATION, NUMBER } from '../expression/index.js';
import { LIMITS } from '../limits.js';
import { ExpressionFailure, type Json, lazy } from '../values/index.js';
import { inside, type OperationFile, type SourceLocation } from '../model/index.js';
import { parseDuration } from '../world/index.js';
import type { Stream } from '../program/index.js';
import { type Compiler, functionScope, liveParameter, stepContext } from './context.js';
import { responseScope, type Owner } from './head.js';
import { compileSteps } from './steps/index.js';

/** Compiles `stream` of an operation; null if it has none. */
export function compileStream(
  owner: Owner,
  file: OperationFile,
  place: SourceLocation,
  compiler: Compiler,
): Stream | null {
  const { stream } = file;
  if (stream === undefined) return null;
  const { diagnostics, env } = compiler;
  const at = inside(place, 'stream');
  const fixedMs = parseDuration(stream.every ?? '0ms');
  checkStream(file, stream, at, fixedMs, compiler);
  const write = lazy(() => {
    const { scope, parameters, lines } = responseScope(`stream of ${owner.key}`, owner, at, compiler);
    const asked =
      stream.when === undefined ? 'true' : diagnostics.condition(inside(at, 'when'), stream.when, scope, env).js;
    const events = diagnostics.bare(inside(at, 'events'), stream.events, scope, env);
    if (events.type.kind !== 'list' && events.type.kind !== 'any')
      diagnostics.problem(inside(at, 'events'), 'wrong-type', 'the events of a stream are a list');
    const frames = scope.unit.refer(framesOf, 'framesOf');
    return scope.unit.function<ReturnType<Stream['write']>>(parameters, [
      ...lines,
      `if (${asked} !== true) return null;`,
      `return ${frames}(${events.js}, ${JSON.stringify(stream.until === undefined ? (stream.done ?? null) : null)});`,
    ]);
  });
  const { until: written } = stream;
  const until =
    written === undefined
      ? null
      : lazy(() => {
          const { scope, parameters, lines } = responseScope(`open stream of ${owner.key}`, owner, at, compiler);
          const { js } = diagnostics.condition(inside(at, 'until'), written, scope, env);
          return scope.unit.function<ReturnType<NonNullable<Stream['until']>>>(parameters, [...lines, `return ${js};`]);
        });
  const broken = lazy(() => {
    const name = `broken stream of ${owner.key}`;
    const { scope, unit, parameters } = functionScope(name, inside(at, 'broken'), env, { error: ANY });
    const { js } = diagnostics.template(inside(at, 'broken'), stream.broken ?? '${error}', scope, env);
    return unit.function<ReturnType<Stream['broken']>>(parameters, [`return ${js};`]);
  });
  const everyMs = lazy(() => {
    if (fixedMs !== undefined) return () => fixedMs;
    const here = inside(at, 'every');
    const { scope, parameters, lines } = responseScope(`pauses of ${owner.key}`, owner, here, compiler);
    const pause = diagnostics.bare(here, stream.every ?? '', scope, env);
    if (!accepts(DURATION, pause.type))
      diagnostics.problem(here, 'wrong-type', 'this must be a duration, such as 40ms or duration(token_time)');
    const shortened = scope.unit.refer(pauseOf, 'pauseOf');
    return scope.unit.function<ReturnType<Stream['everyMs']>>(parameters, [
      ...lines,
      `return ${shortened}(${pause.js});`,
    ]);
  });
  return {
    everyMs,
    write,
    until,
    last: stream.done === undefined ? '' : eventText(stream.done),
    pingMs: stream.ping === undefined ? null : (parseDuration(stream.ping) ?? null),
    broken,
    closed: compileClosed(owner, stream.closed, at, compiler),
  };
}

function compileClosed(
  owner: Owner,
  steps: Extract<OperationFile['stream'], object>['closed'],
  at: SourceLocation,
  compiler: Compiler,
): Stream['closed'] {
  if (steps === undefined) return null;
  const place = inside(at, 'closed');
  return lazy(() => {
    const seen = { self: liveParameter(owner.resource.type), sent: NUMBER };
    const { scope, unit, parameters } = functionScope(`closed stream of ${owner.key}`, place, compiler.env, seen);
    const lines = compileSteps(steps, place, { ...stepContext(compiler, scope), scope: scope.child() });
    return unit.function(parameters, ['x.internal++;', ...lines]);
  });
}

/** Reports invalid keys of a stream: those that exclude each other, and pauses or pings beyond the limits. */
function checkStream(
  file: OperationFile,
  stream: Extract<OperationFile['stream'], object>,
  at: SourceLocation,
  fixedMs: number | undefined,
  { diagnostics }: Compiler,
): void {
  const { every = '', closed, until, ping } = stream;
  if (file.content !== undefined) diagnostics.problem(at, 'invalid-value', '`stream` and `content` exclude each other');
  if (fixedMs !== undefined && fixedMs > MAX_PAUSE_MS)
    diagnostics.problem(inside(at, 'every'), 'invalid-value', `a pause is at most 1m of real time, not ${every}`);
  if (ping !== undefined && until === undefined)
    diagnostics.problem(inside(at, 'ping'), 'invalid-value', 'only a stream with `until` stays open');
  if (ping !== undefined && !((parseDuration(ping) ?? 0) >= SHORTEST_PING))
    diagnostics.problem(inside(at, 'ping'), 'invalid-value', `a ping comes at most once a second, not every ${ping}`);
  if (closed !== undefined && fixedMs === 0 && until === undefined)
    diagnostics.problem(
      inside(at, 'closed'),
      'invalid-value',
      'without `every` or `until` all events are sent immediately: no caller disconnects before the end',
      {
        suggestion: 'every: 50ms',
      },
    );
}

function pauseOf(ms: Json): Json {
  return typeof ms === 'number' ? Math.min(MAX_PAUSE_MS, ms) : null;
}

/** Longest pause between two events of a stream, in milliseconds. */
const MAX_PAUSE_MS = 60_000;
const SHORTEST_PING = 1_000;

/**
 * Writes events in the wire format of server-sent events.
 * @throws ExpressionFailure if `events` isn't a list, or exceeds the limits of a stream
 */
function framesOf(events: Json, done: string | null): string {
  if (!Array.isArray(events)) throw new ExpressionFailure('the events of a stream are a list');
  const all: readonly Json[] = events;
  if (all.length > LIMITS.streamEvents.value)
    throw new ExpressionFailure(`a stream has at most ${LIMITS.streamEvents.value} events, not ${all.length}`);
  const text = all.map(eventText).join('') + (done === null ? '' : eventText(done));
  if (Buffer.byteLength(text) > LIMITS.streamSize.value)
    throw new ExpressionFailure(`the events of a stream have at most ${LIMITS.streamSize.value} bytes`);
  return text;
}
