import type { Json } from '../values/index.js';
import { bare, keysOfLiteral, objectLiteral } from './javascript.js';
import type { Variable } from './scope.js';
import { LastMade, MemberNames, unlessSame, unlessSameMembers } from './support.js';
import { BOOLEAN, NULL, NUMBER, STRING, type Type } from './types.js';
import type { CodeUnit } from './unit.js';

/**
 * An expression checked against its scope, as JavaScript: an expression that can be anywhere without brackets around it. It
 * sees the host as `x`.
 */
export interface Compiled {
  readonly type: Type;
  /** Gives the value; null, never undefined. */
  readonly js: string;
  /** As `js`, shorter, but undefined may stand for null. */
  readonly raw?: string;
  /** Present when the value does not depend on anything. */
  readonly constant?: Json;
  /** What the value is in any case, never null. */
  readonly gives?: 'boolean' | 'number' | 'string';
  /** Of a text of several parts: all that it can be. */
  readonly texts?: readonly string[];
  /** Present for a variable. */
  readonly variable?: Variable;
  /** Of a map with one member: its key and its value. */
  readonly entry?: readonly [key: string, value: string];
  /** Gives the row of the object or null, where the host is an execution. */
  readonly row?: string;
}

/** JavaScript that is true or false, never null. */
export function truth(js: string): Compiled {
  return { type: BOOLEAN, js, gives: 'boolean' };
}

/** A value that is always the same. */
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

/** What may be undefined as what may be null. */
export function orNull(type: Type, raw: string): Compiled {
  return { type, js: `(${raw} ?? null)`, raw };
}

/** An object of these entries. */
export function compiledObject(
  type: Type,
  entries: readonly (readonly [string, Compiled])[],
  { unit }: { readonly unit: CodeUnit },
): Compiled {
  return { type, js: sharedObject(objectLiteral(entries.map(([key, { js }]) => [key, js])), unit) };
}

/** A list of these items. */
export function compiledList(type: Type, items: readonly Compiled[], { unit }: { readonly unit: CodeUnit }): Compiled {
  return { type, js: `${unit.refer(new LastMade(), 'last')}.list([${items.map(({ js }) => js).join(', ')}])` };
}

/** JavaScript of the object that a place makes, always of the same keys: the one that it made last, if that is equal. */
export function sharedObject(js: string, unit: CodeUnit): string {
  return `${unit.refer(new LastMade(), 'last')}.object(${bare(js)})`;
}

/**
 * JavaScript of an object where what was made of it has its very members, else of that.
 * @param members of what was made; null: they may be others each time
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

/** Text put together of parts. */
export function compiledText(parts: readonly string[]): Compiled {
  return { type: STRING, js: `(${parts.join(' + ')})`, gives: 'string' };
}
