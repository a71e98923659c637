import type { ControlCommand } from '../command.js';
import { type Column, fields, rowsOf, shownValue, textTable } from '../tables.js';

const PIN: readonly Column[] = [
  ['id', 'id'],
  ['resource', 'resource'],
  ['object', ({ object, of }) => object ?? (of === undefined ? 'every one' : `those of ${shownValue(of)}`)],
  ['path', 'path'],
  ['value', ({ value }) => JSON.stringify(value)],
];

/** What happens outside of the vendor, and what is decided there. */
export const OUTSIDE: readonly ControlCommand[] = [
  {
    name: 'next',
    group: 'Outside',
    operations: ['possibleCauses'],
    summary: 'list what can happen now',
    view: ({ causes }) =>
      textTable(
        rowsOf(causes),
        [
          ['cause', 'cause'],
          ['params', ({ params }) => pairs(params)],
          ['also needs', 'also_needs'],
          ['what it is', 'description'],
        ],
        'nothing can happen now',
      ),
    examples: ['sandbox next --id pi_123', 'sandbox next --cause payment.declined'],
  },
  {
    name: 'event',
    group: 'Outside',
    operations: ['fireCause'],
    summary: 'let something happen outside (a world event)',
    args: [
      ['<cause>', "what: 'sandbox next' lists them"],
      ['[params...]', 'parameters as name=value'],
    ],
    view: ({ events, changed }) => [
      ...fields({ changed }),
      ...textTable(
        rowsOf(events),
        [
          ['event', 'type'],
          ['id', 'id'],
        ],
        'it set off no events',
      ),
    ],
    examples: ['sandbox event payment.declined payment_intent_id=pi_123 decline_code=insufficient_funds'],
  },
  {
    name: 'pin',
    group: 'Outside',
    operations: ['pin'],
    summary: 'decide a value that comes from outside',
    args: [
      ['<resource>', "a collection, or one object's id"],
      ['[path]', 'such as outcome.risk_level'],
      ['[value]', 'JSON, or text'],
    ],
    view: (response) => textTable([response], PIN, ''),
    examples: ['sandbox pin charges outcome.risk_level elevated', 'sandbox pin task_runs --branch failed'],
  },
  {
    name: 'pins',
    group: 'Outside',
    operations: ['pins'],
    summary: 'list pins',
    view: ({ data }) => textTable(rowsOf(data), PIN, 'nothing is pinned'),
  },
  {
    name: 'unpin',
    group: 'Outside',
    operations: ['unpin'],
    summary: 'clear a pin',
    args: [['<id>', 'of the pin']],
    view: fields,
  },
];

function pairs(params: unknown): string {
  if (typeof params !== 'object' || params === null) return '';
  return Object.entries(params)
    .map(([name, value]) => `${name}=${shownValue(value)}`)
    .join(' ');
}
