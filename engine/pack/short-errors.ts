import type { Json } from '../values/index.js';
import { isJsonMap, type JsonMap, type Origins, type ShortProblem } from './short-form.js';
import { suggest } from './suggest.js';

/** Keys of an error beside `body`. A key of the body with one of these names must be inside `body`. */
const OWN_KEYS = ['status', 'args', 'body', 'empty', 'open', 'envelope', 'headers', 'description'] as const;
const OWN: ReadonlySet<string> = new Set(OWN_KEYS);
const DEFAULTS = ['status', 'body'];

/**
 * Expands errors with `defaults: { status, body }` of errors.yaml: an error declares the differences. Keys of `defaults.body`
 * may be beside `status`, a single text is the `message`, an empty error equals the defaults, and `args: [key]` are texts. An
 * error with its own body, or without one, gets no default for it.
 */
export function lowerErrors(data: Json, origins: Origins, problems: ShortProblem[]): Json {
  if (!isJsonMap(data) || !isJsonMap(data.errors)) return data;
  const { defaults, ...rest } = data;
  if (isJsonMap(defaults)) checkDefaults(defaults, problems);
  else if (defaults !== undefined)
    problems.push({ path: ['defaults'], code: 'wrong-type', message: "'defaults' must be a map: { status, body }" });
  const usual = isJsonMap(defaults) ? defaults : {};
  const errors = Object.entries(data.errors).map(
    ([name, own]) => [name, lowered(name, own, usual, origins, problems)] as const,
  );
  return { ...rest, errors: Object.fromEntries(errors) };
}

function checkDefaults(defaults: JsonMap, problems: ShortProblem[]): void {
  for (const key of Object.keys(defaults))
    if (!DEFAULTS.includes(key))
      problems.push({
        path: ['defaults', key],
        at: 'key',
        code: 'unknown-key',
        message: `unknown key '${key}' in defaults, which has only status and body: keys of every body are in 'body'`,
        suggestion: suggest(key, DEFAULTS),
      });
  if (defaults.body !== undefined && !isJsonMap(defaults.body))
    problems.push({ path: ['defaults', 'body'], code: 'wrong-type', message: "'body' of defaults must be a map" });
}

function lowered(name: string, own: Json, defaults: JsonMap, origins: Origins, problems: ShortProblem[]): Json {
  const usual = isJsonMap(defaults.body) ? defaults.body : {};
  const path = ['errors', name];
  if (typeof own === 'string' && !Object.hasOwn(usual, 'message')) {
    const message = "one text is the message of an error, and 'defaults.body' has no 'message'";
    problems.push({ path, code: 'invalid-value', message });
    return { status: 500 };
  }
  if (typeof own !== 'string' && own !== null && !isJsonMap(own)) return own;
  const given: JsonMap = typeof own === 'string' ? { message: own } : (own ?? {});
  const body: Record<string, Json> = {};
  const hasOwnBody = given.body !== undefined || given.empty === true;
  const beside = Object.keys(given).filter((key) => !OWN.has(key));
  for (const key of beside) {
    const known = Object.keys(usual).filter((each) => !OWN.has(each));
    if (!known.includes(key)) {
      const takes = [...OWN_KEYS, ...known];
      const near = suggest(
        key,
        takes.filter((each) => !Object.hasOwn(given, each)),
      );
      const hint = near === undefined ? `, which takes ${takes.join(', ')}` : '';
      const message = `unknown key '${key}' in error${hint}`;
      problems.push({ path: [...path, key], at: 'key', code: 'unknown-key', message, suggestion: near });
    } else if (hasOwnBody) {
      const message =
        given.empty === true
          ? `'${key}' is of the body, and this error has none`
          : `'${key}' belongs into 'body', which this error has`;
      problems.push({ path: [...path, key], at: 'key', code: 'invalid-value', message });
    }
  }
  for (const [key, value] of Object.entries(hasOwnBody ? {} : usual)) {
    const isOwn = beside.includes(key);
    const shown = isOwn ? given[key] : value;
    if (shown === null) continue;
    body[key] = shown;
    const written = typeof own === 'string' || own === null ? path : [...path, key];
    origins.set([...path, 'body', key], isOwn ? written : ['defaults', 'body', key]);
  }
  const made: Record<string, Json> = {};
  if (given.status === undefined && defaults.status !== undefined) {
    made.status = defaults.status;
    origins.set([...path, 'status'], ['defaults', 'status']);
  }
  for (const [key, value] of Object.entries(given)) if (OWN.has(key)) made[key] = value;
  if (Array.isArray(given.args))
    made.args = argsOf(given.args as readonly Json[], [...path, 'args'], origins, problems);
  if (!hasOwnBody && Object.keys(usual).length > 0) made.body = body;
  return made;
}

/** Expands the short form of an error's arguments, `args: [key]`: each is a text. */
function argsOf(names: readonly Json[], path: readonly string[], origins: Origins, problems: ShortProblem[]): Json {
  const args: Record<string, Json> = {};
  names.forEach((name, at) => {
    if (typeof name !== 'string')
      problems.push({
        path: [...path, at],
        code: 'wrong-type',
        message: 'an argument in [ ] is a name; one with a type is in { }',
      });
    else if (Object.hasOwn(args, name))
      problems.push({ path: [...path, at], code: 'invalid-value', message: `'args' has '${name}' twice` });
    else {
      args[name] = 'string';
      origins.set([...path, name], [...path, at]);
    }
  });
  return args;
}
