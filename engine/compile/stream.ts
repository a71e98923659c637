import { isObject, type Json, toText } from '../values/index.js';
import { inside, type OperationFile, type Place } from '../model/index.js';
import { parseDuration } from '../world/index.js';
import { lazy, type Stream } from '../program/index.js';
import { type Compiler, rootScope, stepContext } from './context.js';
import { answerScope, type Owner } from './head.js';
import { compileSteps } from './steps/index.js';

/** Compiles `stream` of an operation; null: it has none. */
export function compileStream(
  owner: Owner,
  { stream }: OperationFile,
  place: Place,
  compiler: Compiler,
): Stream | null {
  if (stream === undefined) return null;
  const { diagnostics, env } = compiler;
  const at = inside(place, 'stream');
  const write = lazy(() => {
    const { scope, parameters, lines } = answerScope(`stream of ${owner.key}`, owner, at, compiler);
    const asked =
      stream.when === undefined ? 'true' : diagnostics.condition(inside(at, 'when'), stream.when, scope, env).js;
    const events = diagnostics.bare(inside(at, 'events'), stream.events, scope, env);
    if (events.type.kind !== 'list' && events.type.kind !== 'any')
      diagnostics.problem(inside(at, 'events'), 'wrong-type', 'the events of a stream are a list');
    const frames = scope.unit.refer(framesOf, 'framesOf');
    return scope.unit.function<ReturnType<Stream['write']>>(parameters, [
      ...lines,
      `if (${asked} !== true) return null;`,
      `return ${frames}(${events.js}, ${JSON.stringify(stream.done ?? null)});`,
    ]);
  });
  const broken = lazy(() => {
    const scope = rootScope(`broken stream of ${owner.key}`, inside(at, 'broken'), env);
    const error = scope.declare('error', { kind: 'any' } as never).js;
    const { js } = diagnostics.template(inside(at, 'broken'), stream.broken ?? '${error}', scope, env);
    return scope.unit.function<ReturnType<Stream['broken']>>(['x', error], [`return ${js};`]);
  });
  return {
    everyMs: parseDuration(stream.every ?? '0ms') ?? 0,
    write,
    broken,
    closed: compileClosed(owner, stream.closed, at, compiler),
  };
}

function compileClosed(
  owner: Owner,
  steps: Extract<OperationFile['stream'], object>['closed'],
  at: Place,
  compiler: Compiler,
): Stream['closed'] {
  if (steps === undefined) return null;
  const place = inside(at, 'closed');
  const scope = rootScope(`closed stream of ${owner.key}`, place, compiler.env);
  const self = scope.declare('self', owner.resource.type, true).js;
  const sent = scope.declare('sent', { kind: 'number' } as never).js;
  const lines = compileSteps(steps, place, { ...stepContext(compiler, scope), scope: scope.child() });
  return scope.unit.function(['x', self, sent], ['x.internal++;', ...lines]);
}

/** Events as they go over the wire (HTML, 9.2): fields by line, an empty line behind each event. */
function framesOf(events: Json, done: string | null): string {
  const all = (Array.isArray(events) ? (events as readonly Json[]) : []).map(frameOf);
  return all.join('') + (done === null ? '' : `data: ${done}\n\n`);
}

export function frameOf(event: Json): string {
  const named = isObject(event) && Object.hasOwn(event, 'data') && Object.keys(event).every((key) => FIELDS.has(key));
  const { event: name, id, data } = named ? event : { event: null, id: null, data: event };
  const text = typeof data === 'string' ? data : JSON.stringify(data ?? null);
  return [
    ...(name == null ? [] : [`event: ${toText(name)}`]),
    ...(id == null ? [] : [`id: ${toText(id)}`]),
    ...text.split('\n').map((line) => `data: ${line}`),
    '\n',
  ].join('\n');
}

const FIELDS: ReadonlySet<string> = new Set(['event', 'id', 'data']);
