import type { Compiled } from './compiled.js';
import type { ExpressionNode } from './parse.js';
import { asKept, asSeen } from './origin.js';
import type { Type } from './types.js';
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

/** Whether an expression is a text that a pack wrote down and that may be an address, or a list with one. */
export function isWrittenAddress(node: ExpressionNode): boolean {
  if (node.op === 'list') return node.items.some(isWrittenAddress);
  return node.op === 'literal' && typeof node.value === 'string' && node.value.includes('://');
}

function holdsText({ kind }: Type): boolean {
  return kind !== 'number' && kind !== 'boolean' && kind !== 'null' && kind !== 'duration';
}
