import { Exit, Failure } from '../command/output.js';
import type { ValueShape } from './contract.js';

/** Parses a user's value: JSON if valid, else text. `"51"` stays text. */
function valueOf(text: string): unknown {
  if (!/^(?:-?\d|[[{"]|(?:true|false|null)$)/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Parses `name=value` pairs to a map. @throws Failure for one without a name */
function namedValues(texts: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at < 1)
        throw new Failure(Exit.cannotRun, 'invalid_pair', `'${text}' is no name=value`, 'For example: amount=500');
      const value = text.slice(at + 1);
      return [text.slice(0, at), valueOf(value)];
    }),
  );
}

/** Converts a command line value to the contract's type. @throws Failure if it isn't possible */
export function shapedValue(name: string, shape: ValueShape, given: unknown): unknown {
  if (Array.isArray(given)) {
    const texts = given.map(String);
    return shape.kind === 'list' ? texts.flatMap((text) => text.split(',')) : namedValues(texts);
  }
  if (typeof given !== 'string') return given;
  switch (shape.kind) {
    case 'integer':
      if (!/^-?\d+(?:\.\d+)?$/.test(given))
        throw new Failure(Exit.cannotRun, 'invalid_number', `${name} is a number, not '${given}'`);
      return Number(given);
    case 'list':
      return given.split(',');
    case 'map':
      return namedValues([given]);
    case 'any':
      return valueOf(given);
    default:
      return given;
  }
}
