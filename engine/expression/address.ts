import type { Compiled } from './compiled.js';
import type { ExpressionNode } from './parse.js';
import { asKept, asSeen } from './origin.js';
import { addressIn, type OfAddress, type Type } from './types.js';
import type { CodeUnit } from './unit.js';

/* Inside of the sandbox the address of a world is a text of its own (`ORIGIN`); what looks at texts sees what callers see. */

/** JavaScript of a value as callers see it. */
export function seenByCallers({ constant, type, js }: Compiled, unit: CodeUnit): string {
  return constant !== undefined || !holdsText(type) ? js : `${unit.refer(asSeen, 'asSeen')}(x, ${js})`;
}

/** JavaScript of a value that was made of what callers see, as the world keeps it. */
export function keptInside(type: Type, js: string, unit: CodeUnit): string {
  return holdsText(type) ? `${unit.refer(asKept, 'asKept')}(x, ${js})` : js;
}

/** Functions whose results say something else of an address at another address: no text of it can follow the world. */
const COMPUTE: ReadonlySet<string> = new Set(
  'base64 base64url url_encode form digest hmac sha256 hmac_sha256 jwt bytes byte_size size upper substring split'.split(
    ' ',
  ),
);

/** What a value that is put together of others has to do with the address. */
export function joinedAddress(parts: readonly Pick<Compiled, 'type'>[]): OfAddress | undefined {
  const all = parts.map(({ type }) => addressIn(type));
  return all.includes('computed') ? 'computed' : all.find((each) => each !== undefined);
}

/** What the result of a function has to do with the address, by its arguments. */
export function addressOfResult(name: string, args: readonly Compiled[]): OfAddress | undefined {
  const address = joinedAddress(args);
  return address !== undefined && COMPUTE.has(name) ? 'computed' : address;
}

/** Whether an expression is a text that a pack wrote down and that may be an address, or a list with one. */
export function isWrittenAddress(node: ExpressionNode): boolean {
  if (node.op === 'list') return node.items.some(isWrittenAddress);
  return node.op === 'literal' && typeof node.value === 'string' && node.value.includes('://');
}

function holdsText({ kind }: Type): boolean {
  return kind !== 'number' && kind !== 'boolean' && kind !== 'null' && kind !== 'duration';
}
