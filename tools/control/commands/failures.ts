import { Exit, Failure } from '../../command/output.js';
import type { ControlCommand, Given } from '../command.js';
import { type Column, fields, isGiven, rowsOf, shownValue, textTable } from '../tables.js';

const COLUMNS: readonly Column[] = [
  ['id', 'id'],
  ['call', ({ resource, operation }) => `${shownValue(resource)}.${shownValue(operation)}`],
  ['kind', 'kind'],
  ['status', 'status'],
  ['error', ({ error }) => (isGiven(error) && Object.keys(error).length > 0 ? error : '')],
  ['left', ({ remaining }) => remaining ?? 'until cleared'],
  ['match', 'match'],
  ['after', ({ after }) => (after === 0 ? '' : after)],
  ['probability', ({ probability }) => (probability === 1 ? '' : probability)],
  ['delay ms', ({ delay_ms, delay_max_ms }) => delayText(delay_ms, delay_max_ms)],
  ['headers', 'headers'],
  ['body', 'body'],
  ['cut at', 'truncate_at'],
  ['drip ms', ({ drip_ms }) => (drip_ms === 0 ? '' : drip_ms)],
];

/** The commands for faults of calls. */
export const FAILURES: readonly ControlCommand[] = [
  {
    name: 'fault',
    group: 'Events and failures',
    operations: ['armFault'],
    summary: 'Make an operation fail',
    args: [['<call>', "operation, such as payment_intents.create; 'payment_intents.*' or '*' for all"]],
    options: [
      ['--code <text>', 'code of the returned error'],
      ['--type <text>', 'type of the returned error'],
      ['--message <text>', 'message of the returned error'],
    ],
    hidden: ['resource', 'operation'],
    order: ({ call, code, type, message, error, ...rest }) => ({
      ...callNamed(String(call)),
      ...rest,
      ...ofError({ ...(isGiven(error) ? error : {}), code, type, message }),
    }),
    view: (response) => textTable([response], COLUMNS, ''),
    examples: [
      'sandbox fault payment_intents.create --status 402 --code card_declined --count 1',
      'sandbox fault charges.list --kind delay --delay-ms 3000',
      "sandbox fault '*' --status 503",
      'sandbox fault payment_intents.confirm --kind lost_response --match customer=cus_1',
    ],
  },
  {
    name: 'faults',
    group: 'Events and failures',
    operations: ['faults'],
    summary: 'List faults',
    view: ({ data }) => textTable(rowsOf(data), COLUMNS, 'no faults are active'),
  },
  {
    name: 'clear-faults',
    group: 'Events and failures',
    operations: ['clearFault', 'clearFaults'],
    summary: 'Remove all faults, or one',
    args: [['[id]', 'id of one fault (default: all)']],
    view: fields,
  },
];

/** Formats the delay of a fault in milliseconds: a range, or a fixed value; empty for none. */
function delayText(least: unknown, most: unknown): unknown {
  if (most !== undefined) return `${shownValue(least)} to ${shownValue(most)}`;
  return least === 0 ? '' : least;
}

/** Parses `collection.operation`, or `*` for all operations. @throws Failure for another text */
function callNamed(text: string): Given {
  if (text === '*') return {};
  const [, resource, operation] = /^([^.]+)\.(.+)$/.exec(text) ?? [];
  if (operation === undefined)
    throw new Failure(
      Exit.cannotRun,
      'invalid_call',
      `'${text}' names no operation`,
      "Write collection.operation, such as payment_intents.create; 'payment_intents.*' and '*' are all of them.",
    );
  return { resource, operation };
}

function ofError(error: Given): Given {
  const said = Object.entries(error).filter(([, value]) => value !== undefined);
  return said.length === 0 ? {} : { error: Object.fromEntries(said) };
}
