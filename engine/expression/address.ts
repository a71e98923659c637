import type { Compiled } from './compiled.js';
import type { ExpressionNode } from './parse.js';
import { asKept, asSeen } from './origin.js';
import { addressIn, type OfAddress, type Type } from './types.js';
import type { CodeUnit } from './unit.js';

/*
 * Inside the sandbox, the address of a world is a placeholder (`ORIGIN`). Text functions work on the real address, which
 * callers see.
 */

/** JavaScript of a value with the world's real address, as callers see it. */
export function seenByCallers({ constant, type, js }: Compiled, unit: CodeUnit): string {
  return constant !== undefined || !holdsText(type) ? js : `${unit.refer(asSeen, 'asSeen')}(x, ${js})`;
}

/** JavaScript that replaces the real address in a value by the world's placeholder. */
export function keptInside(type: Type, js: string, unit: CodeUnit): string {
  return holdsText(type) ? `${unit.refer(asKept, 'asKept')}(x, ${js})` : js;
}

/** Functions whose results depend on the address in such a way that it can't be replaced in them. */
const COMPUTE: ReadonlySet<string> = new Set(
  'base64 base64url url_encode form digest hmac sha256 hmac_sha256 jwt bytes byte_size size upper substring split'.split(
    ' ',
  ),
);

/** Whether a value made of several parts contains the address, or was computed from it. */
export function joinedAddress(parts: readonly Pick<Compiled, 'type'>[]): OfAddress | undefined {
  const all = parts.map(({ type }) => addressIn(type));
  return all.includes('computed') ? 'computed' : all.find((each) => each !== undefined);
}

/** Whether the result of a function contains the address, or was computed from it. */
export function addressOfResult(name: string, args: readonly Compiled[]): OfAddress | undefined {
  const address = joinedAddress(args);
  return address !== undefined && COMPUTE.has(name) ? 'computed' : address;
}

/** Whether an expression is a text literal that may be an address, or a list with one. */
export function isWrittenAddress(node: ExpressionNode): boolean {
  if (node.op === 'list') return node.items.some(isWrittenAddress);
  return node.op === 'literal' && typeof node.value === 'string' && node.value.includes('://');
}

function holdsText({ kind }: Type): boolean {
  return kind !== 'number' && kind !== 'boolean' && kind !== 'null' && kind !== 'duration';
}
