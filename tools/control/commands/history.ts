import { writeFileSync } from 'node:fs';
import type { ControlCommand, Given } from '../command.js';
import { at, fields, instantText, isGiven, rowsOf, shownValue, textTable } from '../tables.js';

/** The commands that show the world's history and its causes. */
export const HISTORY: readonly ControlCommand[] = [
  {
    name: 'ledger',
    group: 'History',
    operations: ['entry', 'ledger'],
    summary: 'List the event log, or show one entry with its changes',
    args: [['[id]', 'number of an entry (default: list the newest)']],
    view: (response) =>
      'changes' in response
        ? JSON.stringify(response, null, 2).split('\n')
        : textTable(
            rowsOf(response['data']),
            [
              ['entry', 'entry'],
              ['at', ({ at: when }) => instantText(when)],
              ['by', 'origin'],
              ['what', 'command'],
              ['objects', ({ objects }) => rowsOf(objects).map(({ id }) => shownValue(id))],
            ],
            'nothing has happened',
          ),
    examples: ['sandbox ledger --object pi_1', 'sandbox ledger 17'],
  },
  {
    name: 'trace',
    group: 'History',
    operations: ['trace', 'traces'],
    summary: 'Explain a response, or list recent calls',
    args: [['[id]', 'id of a trace, from the header X-Mock-Resolution-Trace (default: list recent calls)']],
    view: (response) =>
      'data' in response
        ? textTable(
            rowsOf(response['data']),
            [
              ['id', 'id'],
              ['call', ({ request }) => `${shownValue(at(request, 'method'))} ${shownValue(at(request, 'path'))}`],
              ['status', 'status'],
              ['decided by', decidedBy],
              ['error', 'error'],
            ],
            'no calls were made',
          )
        : traced(response),
    examples: ['sandbox trace', 'sandbox trace trc_123', 'sandbox trace --operation payment_intents.create'],
  },
  {
    name: 'exchange',
    group: 'History',
    operations: ['exchange'],
    summary: 'Show the request and response of a recent call',
    args: [['<id>', 'id of a trace']],
    view: ({ url, request, response }) => [
      shownValue(url),
      ...messageLines('request', request),
      ...messageLines('response', response),
    ],
    examples: ['sandbox exchange trc_123'],
  },
  {
    name: 'why',
    group: 'History',
    operations: ['why'],
    summary: 'Explain the value of a field',
    args: [
      ['<object>', 'id of an object'],
      ['<field>', 'name or path of the field, such as status or outcome.risk_level'],
    ],
    view: ({ object, field, value, chain, earlier }) => [
      `${shownValue(object)}.${shownValue(field)} is ${JSON.stringify(value)}`,
      ...textTable(
        rowsOf(chain),
        [
          ['entry', 'entry'],
          ['at', ({ at: when }) => instantText(when)],
          ['did', 'did'],
          ['by', 'origin'],
          ['what', 'command'],
          ['from', ({ from }) => (from === undefined ? '' : JSON.stringify(from))],
          ['source', 'source'],
        ],
        'nothing is known of it',
      ),
      ...(rowsOf(earlier).length === 0 ? [] : [`changed ${rowsOf(earlier).length} times before`]),
    ],
    examples: ['sandbox why pi_1 status'],
  },
  {
    name: 'diff',
    group: 'History',
    operations: ['diff'],
    summary: 'Compare two moments',
    args: [
      ['<from>', 'moment: number of an entry, instant, id of a trace, name of a moment, or world@moment'],
      ['[to]', 'another moment (default: the present)'],
    ],
    view: ({ objects }) =>
      rowsOf(objects).length === 0
        ? ['nothing differs']
        : rowsOf(objects).flatMap(({ change, collection, id, fields: changed }) => [
            `${shownValue(change)} ${shownValue(collection)} ${shownValue(id)}`,
            ...rowsOf(changed).map(
              ({ field, from, to, by }) =>
                `  ${shownValue(field)}: ${JSON.stringify(from) ?? 'nothing'} -> ${JSON.stringify(to) ?? 'nothing'}  (entry ${shownValue(by)})`,
            ),
          ]),
    examples: ['sandbox diff 17', 'sandbox diff before after', 'sandbox diff main@ w2@'],
  },
  {
    name: 'moments',
    group: 'History',
    operations: ['moments'],
    summary: 'List named moments',
    view: ({ data }) =>
      textTable(
        rowsOf(data),
        [
          ['name', 'name'],
          ['entry', 'entry'],
          ['now', ({ now }) => instantText(now)],
        ],
        'no moments are saved',
      ),
  },
  {
    name: 'save',
    group: 'History',
    operations: ['saveMoment'],
    summary: 'Name this moment, or an earlier one',
    args: [['<name>', 'name of the moment']],
    view: ({ name, entry, now }) => [`${shownValue(name)} is entry ${shownValue(entry)}, at ${instantText(now)}`],
  },
  {
    name: 'forget',
    group: 'History',
    operations: ['deleteMoment'],
    summary: 'Delete the name of a moment',
    args: [['<id>', 'name of the moment']],
    view: fields,
  },
  {
    name: 'rewind',
    group: 'History',
    operations: ['rewind'],
    summary: 'Go back to an earlier moment',
    args: [['<to>', 'moment: number of an entry, instant, id of a trace, or name of a moment']],
    view: ({ entry, now }) => [`back at ${instantText(now)}, as entry ${shownValue(entry)}`],
  },
  {
    name: 'export',
    group: 'History',
    operations: ['exportWorld'],
    summary: 'Save this run as a file, for sandbox replay and sandbox shrink',
    options: [['-o, --out <file>', 'write it to a file']],
    hidden: [],
    order: () => ({}),
    view: (response, { out }) => exported(response, out),
    examples: ['sandbox export --out bug.sandbox'],
  },
];

function exported(response: Given, out: unknown): string[] {
  if (typeof out !== 'string') return [JSON.stringify(response)];
  writeFileSync(out, `${JSON.stringify(response)}\n`);
  return [`written to ${out}; 'sandbox replay ${out}' does it again`];
}

function decidedBy({ outcome, fault, scenario, magic_values: values }: Given): string {
  const what =
    outcome === 'fault' ? fault : outcome === 'scenario' ? scenario : outcome === 'magic_value' ? values : '';
  return `${shownValue(outcome)} ${shownValue(what)}`.trimEnd();
}

function traced(trace: Given): string[] {
  return [
    ...fields({
      call: `${shownValue(at(trace, 'request.method'))} ${shownValue(at(trace, 'request.path'))}`,
      operation: trace['operation'],
      status: trace['status'],
      error: trace['error'],
      decided_by: decidedBy(trace),
      replayed: trace['replayed'] === true ? 'an idempotency key was seen before' : '',
      stood_back: rowsOf(trace['stood_back']).map(({ pin }) => shownValue(pin)),
      at: instantText(trace['at']),
      entry: trace['entry'],
      meant: trace['suggestion'],
    }),
    ...rowsOf(trace['exogenous']).map(
      ({ field_path: path, source, value }) =>
        `${shownValue(path)} = ${JSON.stringify(value)}  from ${shownValue(source)}`,
    ),
    ...rowsOf(trace['transitions']).map(
      ({ id, from, to, trigger }) =>
        `${shownValue(id)}: ${shownValue(from)} -> ${shownValue(to)}  (${shownValue(trigger)})`,
    ),
    ...rowsOf(trace['events']).map(({ type, id }) => `event ${shownValue(type)} ${shownValue(id)}`),
    ...rowsOf(trace['deliveries']).map(
      ({ event, status, url }) =>
        `delivery of ${shownValue(isGiven(event) ? event['type'] : event)}: ${shownValue(status)} ${shownValue(url)}`,
    ),
  ];
}

/** Formats the headers and the body of a message. */
function messageLines(title: string, message: unknown): string[] {
  const headers = at(message, 'headers');
  return [
    '',
    title,
    ...Object.entries(isGiven(headers) ? headers : {}).map(([name, value]) => `  ${name}: ${shownValue(value)}`),
    '',
    shownValue(at(message, 'body')),
  ];
}
