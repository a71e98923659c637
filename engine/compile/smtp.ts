import { checkJmespath } from './jmespath.js';
import { inside, keyIn, type PackFile, type SourceLocation } from '../model/index.js';
import type { Operation, SmtpPlan } from '../program/index.js';
import type { Compiler } from './context.js';

/** The members that a mail has for JMESPath. */
const MEMBERS = [
  'from',
  'to',
  'cc',
  'bcc',
  'reply_to',
  'subject',
  'text',
  'html',
  'headers',
  'message_id',
  'in_reply_to',
  'date',
  'attachments',
];

/** Reads `smtp` of pack.yaml; null: the pack has none. */
export function linkSmtp(
  { smtp }: Pick<PackFile, 'smtp'>,
  place: SourceLocation,
  operations: readonly Operation[],
  { diagnostics }: Compiler,
): SmtpPlan | null {
  if (!smtp) return null;
  const operation = operations.find(({ key }) => key === smtp.operation);
  if (!operation) {
    const keys = operations.map(({ key }) => key);
    diagnostics.unknown(inside(place, 'operation'), 'operation', smtp.operation, keys);
    return null;
  }
  const known = new Set(operation.params().keys());
  for (const [name, text] of Object.entries(smtp.with)) {
    diagnostics.known(keyIn(place, 'with', name), 'parameter', name, known);
    checkJmespath(text, inside(place, 'with', name), 'invalid-value', diagnostics);
    const first = /^([A-Za-z_]\w*)(?![\w(])/.exec(text)?.[1];
    if (first !== undefined) diagnostics.known(inside(place, 'with', name), 'field', first, MEMBERS);
  }
  if (smtp.error !== undefined) checkJmespath(smtp.error, inside(place, 'error'), 'invalid-value', diagnostics);
  for (const name of operation.routes[0].names)
    if (smtp.with[name] === undefined)
      diagnostics.problem(
        inside(place, 'operation'),
        'invalid-value',
        `nothing gives '${name}' of the path of ${operation.key}`,
      );
  return { operation, with: smtp.with, error: smtp.error ?? null };
}
