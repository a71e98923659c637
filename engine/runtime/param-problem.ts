import type { Json } from '../values/index.js';
import { didYouMean, suggest } from '../pack/index.js';
import type { ParamProblem } from './param-errors.js';

/** A problem of a parameter, as the control API describes it. */
interface ParamMessage {
  readonly code: 'missing_key' | 'unknown_key' | 'invalid_value';
  readonly message: string;
  /** Path of the parameter with the problem. */
  readonly path: string;
}

/** Describes the problem of a pack's error: the given value, the allowed ones, and a suggestion. */
export function paramMessage({ error, args }: ParamProblem): ParamMessage {
  const path = String(args['param']);
  const { value, limit, values, format, reason, suggestion } = args;
  const given = value === undefined || value === null ? '' : `, not ${JSON.stringify(value)}`;
  const wrong = (message: string): ParamMessage => ({ code: 'invalid_value', message: `'${path}' ${message}`, path });
  switch (error) {
    case 'parameter_unknown':
      return { code: 'unknown_key', message: `there is no parameter '${path}'${didYouMean(text(suggestion))}`, path };
    case 'parameter_missing':
      return { code: 'missing_key', message: `'${path}' is missing`, path };
    case 'parameter_empty':
      return wrong('must not be empty');
    case 'parameter_invalid_enum':
      return wrong(oneOf(values, value));
    case 'parameter_below_minimum':
      return wrong(`must be at least ${String(limit)}${given}`);
    case 'parameter_above_maximum':
      return wrong(`must be at most ${String(limit)}${given}`);
    case 'parameter_too_long':
      return wrong(`must have at most ${String(limit)} characters`);
    case 'parameter_too_many':
      return wrong(`must have at most ${String(limit)} items`);
    case 'parameter_invalid_format':
      return wrong(`must be a valid ${String(format)}${given}`);
    case 'parameter_invalid_json_schema':
      return wrong(`must be a JSON Schema: ${String(reason)}`);
    case 'not_found':
      return wrong(`names an object that does not exist${given === '' ? '' : `: ${JSON.stringify(value)}`}`);
    default:
      return wrong(`must be of type ${error.replace(/^parameter_invalid_/, '')}${given}`);
  }
}

/** Lists the allowed values: all if they are few, else those close to the given one. */
function oneOf(values: Json | undefined, given: Json | undefined): string {
  const known = Array.isArray(values) ? values.map(String) : [];
  const near = typeof given === 'string' ? suggest(given, known) : undefined;
  const allowed =
    known.length > FEW
      ? `one of ${known.slice(0, FEW).join(', ')} and ${known.length - FEW} more`
      : `one of ${known.join(', ')}`;
  return `must be ${allowed}${given === undefined || given === null ? '' : `, not ${JSON.stringify(given)}`}${didYouMean(near)}`;
}

/** Maximum number of allowed values that a message lists. */
const FEW = 12;

function text(given: Json | undefined): string | undefined {
  return typeof given === 'string' ? given : undefined;
}
