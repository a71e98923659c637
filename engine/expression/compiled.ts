import type { Json } from '../values/index.js';
import { bare, keysOfLiteral, objectLiteral } from './javascript.js';
import type { Variable } from './scope.js';
import { LastMade, MemberNames, unlessSame, unlessSameMembers } from './support.js';
import { BOOLEAN, NULL, NUMBER, STRING, type Type } from './types.js';
import type { CodeUnit } from './unit.js';

/** A checked expression as JavaScript that needs no parentheses. It reads the host as `x`. */
export interface Compiled {
  readonly type: Type;
  /** JavaScript that evaluates to the value or null, never to undefined. */
  readonly js: string;
  /** Shorter JavaScript than `js`, which may evaluate to undefined instead of null. */
  readonly raw?: string;
  /** The value, if it is constant. */
  readonly constant?: Json;
  /** The type of the value, if it is never null. */
  readonly gives?: 'boolean' | 'number' | 'string';
  /** All possible values of a text made of several parts. */
  readonly texts?: readonly string[];
  /** The variable, if the expression is one. */
  readonly variable?: Variable;
  /** The key and value, as JavaScript, of a map with one member. */
  readonly entry?: readonly [key: string, value: string];
  /** JavaScript that evaluates to the object's row or null, if the host is an execution. */
  readonly row?: string;
}

/** Makes a compiled boolean expression that is never null. */
export function truth(js: string): Compiled {
  return { type: BOOLEAN, js, gives: 'boolean' };
}

/** Compiles a constant value. */
export function fixed(value: Json, unit: CodeUnit, type: Type = typeOfConstant(value)): Compiled {
  const kind = typeof value;
  const gives = kind === 'boolean' || kind === 'number' || kind === 'string' ? kind : undefined;
  return {
    type,
    get js() {
      return unit.constant(value);
    },
    constant: value,
    gives,
  };
}

function typeOfConstant(value: Json): Type {
  if (value === null) return NULL;
  if (typeof value === 'string') return { kind: 'string', values: [value] };
  return typeof value === 'number' ? NUMBER : BOOLEAN;
}

/** Compiles an expression whose JavaScript may be undefined: it evaluates to null instead. */
export function orNull(type: Type, raw: string): Compiled {
  return { type, js: `(${raw} ?? null)`, raw };
}

/** Compiles an object with these members. */
export function compiledObject(
  type: Type,
  entries: readonly (readonly [string, Compiled])[],
  { unit }: { readonly unit: CodeUnit },
): Compiled {
  return { type, js: sharedObject(objectLiteral(entries.map(([key, { js }]) => [key, js])), unit) };
}

/** Compiles a list of these items. */
export function compiledList(type: Type, items: readonly Compiled[], { unit }: { readonly unit: CodeUnit }): Compiled {
  return { type, js: `${unit.refer(new LastMade(), 'last')}.list([${items.map(({ js }) => js).join(', ')}])` };
}

/** Returns JavaScript that evaluates an object with constant keys. If equal to its previous result, it returns that one. */
export function sharedObject(js: string, unit: CodeUnit): string {
  return `${unit.refer(new LastMade(), 'last')}.object(${bare(js)})`;
}

/**
 * Returns JavaScript that evaluates to the first object if the second has equal members, else to the second.
 * @param members their names; null: they vary
 */
export function sameObject(
  object: string,
  made: string,
  members: readonly (readonly [string, string])[] | null,
  unit: CodeUnit,
): string {
  if (members === null) return `${unit.refer(unlessSame, 'unlessSame')}(${object}, ${made})`;
  const names = unit.refer(new MemberNames(keysOfLiteral(members)), 'names');
  return `${unit.refer(unlessSameMembers, 'unlessSame')}(${object}, ${made}, ${names})`;
}

/** Compiles a text that is joined from parts. */
export function compiledText(parts: readonly string[]): Compiled {
  return { type: STRING, js: `(${parts.join(' + ')})`, gives: 'string' };
}
