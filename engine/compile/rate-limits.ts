import { type Json, type JsonObject, lazy } from '../values/index.js';
import { accepts, ANY, describeType, type Host, mapType, NUMBER } from '../expression/index.js';
import { glob, inside, type SourceLocation, type RateLimitSettings, type RequestInfo } from '../model/index.js';
import type { OfCall, Operation, RateFacts, RateLimit } from '../program/index.js';
import { checkErrorUse } from './error-use.js';
import { type Compiler, rootScope } from './context.js';

/** What headers and errors are told, in the order in which compiled headers take it. */
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
      diagnostics.unknown(place, 'argument', arg, ARGUMENTS, 'key');
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

  /** @param more another variable that the expression sees */
  function overCall(source: string, key: 'when' | 'per' | 'cost' | 'spent', ...more: readonly string[]): OfCall {
    const at = inside(place, key);
    const scope = rootScope(`${key} of rate limit ${name}`, at, env);
    const request = scope.declare('request', env.request).js;
    const params = scope.declare('params', mapType(ANY)).js;
    const seen = more.map((each) => scope.declare(each, ANY).js);
    const expression = diagnostics[key === 'when' ? 'condition' : 'bare'](at, source, scope, env);
    if ((key === 'cost' || key === 'spent') && !accepts(NUMBER, expression.type))
      diagnostics.problem(at, 'wrong-type', `what a call costs is a number, this is ${describeType(expression.type)}`);
    return scope.unit.expression(['x', request, params, ...seen], expression);
  }

  function limitOf(value: Json): (host: Host, request: RequestInfo) => Json {
    const at = inside(place, 'limit');
    const scope = rootScope(`rate limit ${name}`, at, env);
    const request = scope.declare('request', env.request).js;
    const expression = diagnostics.template(at, value, scope, env);
    if (!accepts(NUMBER, expression.type))
      diagnostics.problem(at, 'wrong-type', `a limit is a number, this is ${describeType(expression.type)}`);
    return scope.unit.expression(['x', request], expression);
  }

  function headersOf(
    value: JsonObject,
    at: SourceLocation,
  ): (host: Host, request: RequestInfo, facts: RateFacts) => JsonObject {
    const scope = rootScope(`headers of rate limit ${name}`, at, env);
    const request = scope.declare('request', env.request).js;
    const facts = FACTS.map((each) => scope.declare(each, each === 'reset' ? ANY : NUMBER).js);
    const members = Object.entries(value).map(
      ([header, text]) => `${JSON.stringify(header)}: ${diagnostics.template(inside(at, header), text, scope, env).js}`,
    );
    const run = scope.unit.function<(host: Host, request: RequestInfo, ...facts: Json[]) => JsonObject>(
      ['x', request, ...facts],
      [`return { ${members.join(', ')} };`],
    );
    return (host, info, given) => run(host, info, ...FACTS.map((each) => given[each]));
  }
}

/** Without `per` calls are counted by what opened them: the world's key, another one, or a token. */
function keyOfCall(_: Host, { key, token }: RequestInfo): Json {
  return token ?? key ?? '';
}
