import { writeFileSync } from 'node:fs';
import type { ControlCommand, Given } from '../command.js';
import { at, fields, instant, isMap, rowsOf, shown, table } from '../tables.js';

/** What happened, and why. */
export const HISTORY: readonly ControlCommand[] = [
  {
    name: 'ledger',
    group: 'History',
    operations: ['entry', 'ledger'],
    summary: 'list what has happened, or show one entry with its changes',
    args: [['[id]', 'number of an entry']],
    view: (response) =>
      'changes' in response
        ? JSON.stringify(response, null, 2).split('\n')
        : table(
            rowsOf(response['data']),
            [
              ['entry', 'entry'],
              ['at', ({ at: when }) => instant(when)],
              ['by', 'origin'],
              ['what', 'command'],
              ['objects', ({ objects }) => rowsOf(objects).map(({ id }) => shown(id))],
            ],
            'nothing has happened',
          ),
    examples: ['sandbox ledger --object pi_1', 'sandbox ledger 17'],
  },
  {
    name: 'trace',
    group: 'History',
    operations: ['trace', 'traces'],
    summary: 'show why a call got its response, or list the newest calls',
    args: [['[id]', 'of a trace: header X-Mock-Resolution-Trace']],
    view: (response) =>
      'data' in response
        ? table(
            rowsOf(response['data']),
            [
              ['id', 'id'],
              ['call', ({ request }) => `${shown(at(request, 'method'))} ${shown(at(request, 'path'))}`],
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
    summary: 'show what went over the wire in one of the newest calls',
    args: [['<id>', 'of a trace']],
    view: ({ url, request, response }) => [
      shown(url),
      ...messageLines('request', request),
      ...messageLines('response', response),
    ],
    examples: ['sandbox exchange trc_123'],
  },
  {
    name: 'why',
    group: 'History',
    operations: ['why'],
    summary: 'show how the value of a field came about',
    args: [
      ['<object>', 'id of an object'],
      ['<field>', 'such as status, or outcome.risk_level'],
    ],
    view: ({ object, field, value, chain, earlier }) => [
      `${shown(object)}.${shown(field)} is ${JSON.stringify(value)}`,
      ...table(
        rowsOf(chain),
        [
          ['entry', 'entry'],
          ['at', ({ at: when }) => instant(when)],
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
    summary: 'show what differs between two moments',
    args: [
      ['<from>', 'a moment: number of an entry, instant, id of a trace, a name, or world@moment'],
      ['[to]', 'another; the present unless given'],
    ],
    view: ({ objects }) =>
      rowsOf(objects).length === 0
        ? ['nothing differs']
        : rowsOf(objects).flatMap(({ change, collection, id, fields: changed }) => [
            `${shown(change)} ${shown(collection)} ${shown(id)}`,
            ...rowsOf(changed).map(
              ({ field, from, to, by }) =>
                `  ${shown(field)}: ${JSON.stringify(from) ?? 'nothing'} -> ${JSON.stringify(to) ?? 'nothing'}  (entry ${shown(by)})`,
            ),
          ]),
    examples: ['sandbox diff 17', 'sandbox diff before after', 'sandbox diff main@ w2@'],
  },
  {
    name: 'moments',
    group: 'History',
    operations: ['moments'],
    summary: 'list saved moments',
    view: ({ data }) =>
      table(
        rowsOf(data),
        [
          ['name', 'name'],
          ['entry', 'entry'],
          ['now', ({ now }) => instant(now)],
        ],
        'no moments are saved',
      ),
  },
  {
    name: 'save',
    group: 'History',
    operations: ['saveMoment'],
    summary: 'save the present moment, or an earlier one, under a name',
    args: [['<name>', 'for it']],
    view: ({ name, entry, now }) => [`${shown(name)} is entry ${shown(entry)}, at ${instant(now)}`],
  },
  {
    name: 'forget',
    group: 'History',
    operations: ['deleteMoment'],
    summary: 'forget the name of a moment',
    args: [['<id>', 'the name']],
    view: fields,
  },
  {
    name: 'rewind',
    group: 'History',
    operations: ['rewind'],
    summary: 'make an earlier moment the present',
    args: [['<to>', 'a moment: number of an entry, instant, id of a trace, or a name']],
    view: ({ entry, now }) => [`back at ${instant(now)}, as entry ${shown(entry)}`],
  },
  {
    name: 'export',
    group: 'History',
    operations: ['exportWorld'],
    summary: 'write the world down, for sandbox replay and sandbox shrink',
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
  return `${shown(outcome)} ${shown(what)}`.trimEnd();
}

function traced(trace: Given): string[] {
  return [
    ...fields({
      call: `${shown(at(trace, 'request.method'))} ${shown(at(trace, 'request.path'))}`,
      operation: trace['operation'],
      status: trace['status'],
      error: trace['error'],
      decided_by: decidedBy(trace),
      replayed: trace['replayed'] === true ? 'an idempotency key was seen before' : '',
      stood_back: rowsOf(trace['stood_back']).map(({ pin }) => shown(pin)),
      at: instant(trace['at']),
      entry: trace['entry'],
      meant: trace['suggestion'],
    }),
    ...rowsOf(trace['exogenous']).map(
      ({ field_path: path, source, value }) => `${shown(path)} = ${JSON.stringify(value)}  from ${shown(source)}`,
    ),
    ...rowsOf(trace['transitions']).map(
      ({ id, from, to, trigger }) => `${shown(id)}: ${shown(from)} -> ${shown(to)}  (${shown(trigger)})`,
    ),
    ...rowsOf(trace['events']).map(({ type, id }) => `event ${shown(type)} ${shown(id)}`),
    ...rowsOf(trace['deliveries']).map(
      ({ event, status, url }) =>
        `delivery of ${shown(isMap(event) ? event['type'] : event)}: ${shown(status)} ${shown(url)}`,
    ),
  ];
}

/** Headers and body of a message. */
function messageLines(title: string, message: unknown): string[] {
  const headers = at(message, 'headers');
  return [
    '',
    title,
    ...Object.entries(isMap(headers) ? headers : {}).map(([name, value]) => `  ${name}: ${shown(value)}`),
    '',
    shown(at(message, 'body')),
  ];
}
