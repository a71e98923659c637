import { type Json, type JsonObject, lazy } from '../values/index.js';
import { accepts, ANY, describeType, type Host, mapType, NUMBER } from '../expression/index.js';
import { glob, inside, keyIn, type SourceLocation, type RateLimitSettings, type RequestInfo } from '../model/index.js';
import type { OfCall, Operation, RateFacts, RateLimit } from '../program/index.js';
import { checkErrorUse } from './error-use.js';
import { type Compiler, functionScope } from './context.js';

/** Names of a limit's values in expressions of headers and error arguments, in the order of the compiled parameters. */
const FACTS = [
  'limit',
  'used',
  'remaining',
  'cost',
  'reset',
  'reset_in',
  'retry_after',
  'window',
] as const satisfies readonly (keyof RateFacts)[];
const ARGUMENTS: readonly string[] = [...FACTS, 'name'];

/** Compiles `rate_limits` of pack.yaml. */
export function compileRateLimits(operations: readonly Operation[], compiler: Compiler): RateLimit[] {
  return compiler.model.settings.rateLimits.map((settings) => compileLimit(settings, operations, compiler));
}

function compileLimit(
  { name, place, file, window }: RateLimitSettings,
  operations: readonly Operation[],
  compiler: Compiler,
): RateLimit {
  const { diagnostics, env, model, used } = compiler;
  if (typeof window !== 'number') used.durations.add(window.name);
  const keys = operations.map(({ key }) => key);
  const listed = (key: 'operations' | 'except'): Set<string> | null => {
    const patterns = file[key];
    if (patterns === undefined) return null;
    return new Set(
      patterns.flatMap((pattern, index) => {
        const named = glob(pattern);
        const found = keys.filter((each) => named.test(each));
        if (found.length === 0) diagnostics.unknown(inside(place, key, index), 'operation', pattern, keys);
        return found;
      }),
    );
  };
  const except = listed('except');
  const counted = listed('operations') ?? new Set(keys);
  const error = file.error ?? 'rate_limited';
  checkErrorUse(error, {}, place, file.error === undefined ? 'limit' : 'error', compiler);
  for (const arg of model.errors.get(error)?.args.keys() ?? []) {
    if (!ARGUMENTS.includes(arg) && file.error === undefined)
      diagnostics.unknown(keyIn(place), 'argument', arg, ARGUMENTS);
  }
  return {
    name,
    kind: file.kind ?? 'fixed',
    window,
    burst: file.burst ?? null,
    error,
    operations: except === null ? counted : new Set([...counted].filter((key) => !except.has(key))),
    parts: lazy(() => ({
      limit: limitOf(file.limit),
      when: file.when === undefined ? null : overCall(file.when, 'when'),
      per: file.per === undefined ? keyOfCall : overCall(file.per, 'per'),
      cost: file.cost === undefined ? null : overCall(file.cost, 'cost'),
      spent: file.spent === undefined ? null : overCall(file.spent, 'spent', 'response'),
      headers: headersOf(file.headers ?? {}, inside(place, 'headers')),
    })),
  };

  /** Compiles an expression of a limit that sees `request` and `params` of a call. @param more a further variable */
  function overCall(source: string, key: 'when' | 'per' | 'cost' | 'spent', ...more: readonly string[]): OfCall {
    const at = inside(place, key);
    const seen = { request: env.request, params: mapType(ANY), ...Object.fromEntries(more.map((each) => [each, ANY])) };
    const { scope, unit, parameters } = functionScope(`${key} of rate limit ${name}`, at, env, seen);
    const expression = diagnostics[key === 'when' ? 'condition' : 'bare'](at, source, scope, env);
    if ((key === 'cost' || key === 'spent') && !accepts(NUMBER, expression.type))
      diagnostics.problem(at, 'wrong-type', `what a call costs is a number, this is ${describeType(expression.type)}`);
    return unit.expression(parameters, expression);
  }

  function limitOf(value: Json): (host: Host, request: RequestInfo) => Json {
    const at = inside(place, 'limit');
    const { scope, unit, parameters } = functionScope(`rate limit ${name}`, at, env, { request: env.request });
    const expression = diagnostics.template(at, value, scope, env);
    if (!accepts(NUMBER, expression.type))
      diagnostics.problem(at, 'wrong-type', `a limit is a number, this is ${describeType(expression.type)}`);
    return unit.expression(parameters, expression);
  }

  function headersOf(
    value: JsonObject,
    at: SourceLocation,
  ): (host: Host, request: RequestInfo, facts: RateFacts) => JsonObject {
    const facts = Object.fromEntries(FACTS.map((each) => [each, each === 'reset' ? ANY : NUMBER]));
    const seen = { request: env.request, ...facts };
    const { scope, unit, parameters } = functionScope(`headers of rate limit ${name}`, at, env, seen);
    const members = Object.entries(value).map(
      ([header, text]) => `${JSON.stringify(header)}: ${diagnostics.template(inside(at, header), text, scope, env).js}`,
    );
    const run = unit.function<(host: Host, request: RequestInfo, ...facts: Json[]) => JsonObject>(parameters, [
      `return { ${members.join(', ')} };`,
    ]);
    return (host, info, given) => run(host, info, ...FACTS.map((each) => given[each]));
  }
}

/** Counts calls without `per` by credential: the world's key, another key, or a token. */
function keyOfCall(_: Host, { key, token }: RequestInfo): Json {
  return token ?? key ?? '';
}
