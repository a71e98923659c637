import type { ControlCommand } from '../command.js';
import { type Column, fields, rowsOf, shownValue, textTable } from '../tables.js';

const PIN: readonly Column[] = [
  ['id', 'id'],
  ['resource', 'resource'],
  ['object', ({ object, of }) => object ?? (of === undefined ? 'every one' : `objects of ${shownValue(of)}`)],
  ['path', 'path'],
  ['value', ({ value }) => JSON.stringify(value)],
];

/** The commands for external events and overrides. */
export const OUTSIDE: readonly ControlCommand[] = [
  {
    name: 'next',
    group: 'Events and failures',
    operations: ['possibleCauses'],
    summary: 'List external events that are possible now',
    view: ({ causes }) =>
      textTable(
        rowsOf(causes),
        [
          ['cause', 'cause'],
          ['params', ({ params }) => pairs(params)],
          ['also needs', 'also_needs'],
          ['description', 'description'],
        ],
        'no external events are possible now',
      ),
    examples: ['sandbox next --id pi_123', 'sandbox next --cause payment.declined'],
  },
  {
    name: 'event',
    group: 'Events and failures',
    operations: ['fireCause'],
    summary: 'Trigger an external event, such as a declined renewal',
    args: [
      ['<cause>', "name of the event; 'sandbox next' lists possible ones"],
      ['[params...]', 'parameters of the event, as name=value'],
    ],
    view: ({ events, changed }) => [
      ...fields({ changed }),
      ...textTable(
        rowsOf(events),
        [
          ['event', 'type'],
          ['id', 'id'],
        ],
        Array.isArray(changed) && changed.length === 0
          ? 'set: its effect comes later, so there are no events yet'
          : 'no events',
      ),
    ],
    examples: ['sandbox event payment.declined payment_intent_id=pi_123 decline_code=insufficient_funds'],
  },
  {
    name: 'pin',
    group: 'Events and failures',
    operations: ['pin'],
    summary: 'Override an external value',
    args: [
      ['<resource>', 'collection, or id of one object'],
      ['[path]', 'path of the value, such as outcome.risk_level'],
      ['[value]', 'new value: JSON, or text'],
    ],
    view: (response) => textTable([response], PIN, ''),
    examples: ['sandbox pin charges outcome.risk_level elevated', 'sandbox pin task_runs --branch failed'],
  },
  {
    name: 'pins',
    group: 'Events and failures',
    operations: ['pins'],
    summary: 'List overrides',
    view: ({ data }) => textTable(rowsOf(data), PIN, 'no overrides'),
  },
  {
    name: 'unpin',
    group: 'Events and failures',
    operations: ['unpin'],
    summary: 'Remove an override',
    args: [['<id>', 'id of the override']],
    view: fields,
  },
];

function pairs(params: unknown): string {
  if (typeof params !== 'object' || params === null) return '';
  return Object.entries(params)
    .map(([name, value]) => `${name}=${shownValue(value)}`)
    .join(' ');
}
