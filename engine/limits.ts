/** The unit of a limit. */
export type LimitUnit =
  | 'bytes'
  | 'characters'
  | 'ms'
  | 'levels'
  | 'parameters'
  | 'steps'
  | 'values'
  | 'timers'
  | 'events'
  | 'entries'
  | 'calls'
  | 'connections'
  | 'percent';

/** A limit of the sandbox: what it bounds, how much is allowed, and what the caller gets beyond it. */
export interface Limit {
  readonly value: number;
  readonly unit: LimitUnit;
  readonly what: string;
  readonly beyond: string;
}

const KIB = 1024;
const MIB = 1024 * KIB;

function limit(value: number, unit: LimitUnit, what: string, beyond: string): Limit {
  return { value, unit, what, beyond };
}

/**
 * All limits of the sandbox. They are checked before the work that they limit; work of unknown size is counted in steps instead
 * of time, so that the same calls get the same responses on every machine.
 */
export const LIMITS = {
  body: limit(MIB, 'bytes', 'Body of a call', '413'),
  seedBody: limit(64 * MIB, 'bytes', 'Body of `POST /__admin__/seed`', '413'),
  files: limit(
    4 * 1024 * MIB,
    'bytes',
    'Files of a world that are kept apart from its values (above 64 KiB each)',
    'those that only its history refers to are deleted; else 413',
  ),
  formBody: limit(64 * KIB, 'bytes', 'Body that a hosted page sends', '413'),
  bodyDepth: limit(64, 'levels', 'Nesting of a JSON body', '400'),
  parameters: limit(1_000, 'parameters', 'Parameters of a form or a query', '400'),
  parameterDepth: limit(20, 'levels', 'Brackets in the name of a parameter', '400'),

  smtpMail: limit(40 * MIB, 'bytes', 'Mail by SMTP', '552'),
  smtpRecipients: limit(1_000, 'values', 'Recipients of a mail by SMTP', '452'),
  smtpClients: limit(100, 'connections', 'Connections by SMTP', '421'),

  graphqlTokens: limit(5_000, 'values', 'Words and signs of a GraphQL document', 'an error of GraphQL'),
  graphqlDepth: limit(15, 'levels', 'Nesting of fields of a GraphQL document', 'an error of GraphQL'),
  graphqlFields: limit(1_000, 'values', 'Fields of a GraphQL document, fragments written out', 'an error of GraphQL'),
  graphqlCalls: limit(200, 'steps', 'Operations that one GraphQL document calls', 'an error of GraphQL'),

  graphqlValues: limit(50_000, 'values', 'Values in the response to a GraphQL document', 'an error of GraphQL'),
  graphqlRead: limit(
    16 * MIB,
    'bytes',
    'What the operations that one GraphQL document calls return',
    'an error of GraphQL',
  ),
  response: limit(
    4 * MIB,
    'characters',
    'JSON of a response, with expanded objects',
    'the vendor’s error, 400 unless its pack says otherwise; nothing changes',
  ),

  headersTime: limit(15_000, 'ms', 'Time for the headers of a request to arrive', '408, and the connection ends'),
  requestTime: limit(60_000, 'ms', 'Time for a whole request to arrive', '408, and the connection ends'),
  openCalls: limit(
    1_000,
    'calls',
    'Calls a minute of one address that need no key, bring none, and may change the world; of all addresses four times as many',
    '429',
  ),
  unread: limit(
    64 * MIB,
    'bytes',
    'Responses of all connections that clients have not read yet',
    'connections without progress end, those that wait longest first; with twice as many bytes, any that wait',
  ),
  unreadTime: limit(60_000, 'ms', 'Time for which a client may read nothing of its response', 'the connection ends'),
  connections: limit(10_000, 'connections', 'Open connections', 'the connection ends'),
  listeners: limit(100, 'connections', 'Listeners of a world', 'the connection is not made'),
  listenerMessage: limit(4 * 1024 * KIB, 'bytes', 'A message of a listener', 'its connection ends'),
  drain: limit(
    10_000,
    'ms',
    'Time to finish calls after SIGTERM or SIGINT; deliveries in flight are broken off',
    'the process ends',
  ),
  stall: limit(
    1_000,
    'ms',
    'Time for which nothing else gets a turn before the watchdog reports it',
    'a line in the log',
  ),

  pattern: limit(1_000, 'characters', 'A regular expression of a pack or a schema', 'rejected when it is given'),
  patternProgram: limit(10_000, 'steps', 'A regular expression, compiled', 'rejected when it is given'),
  schema: limit(64 * KIB, 'characters', 'A JSON Schema that a call gives', '400 or 422 when it is given'),
  schemaItems: limit(
    10_000,
    'values',
    '`minItems`, `minContains` and `minProperties` of such a schema',
    '400 or 422 when it is given',
  ),
  schemaLength: limit(100_000, 'characters', '`minLength` of such a schema', '400 or 422 when it is given'),
  schemaSteps: limit(500_000, 'steps', 'Checking a value against such a schema', 'the value is rejected'),
  synthesisValues: limit(
    20_000,
    'values',
    'Values in what is made up from such a schema',
    '400 or 422 when it is given',
  ),
  synthesisText: limit(
    500_000,
    'characters',
    'Text in what is made up from such a schema',
    '400 or 422 when it is given',
  ),

  commandSteps: limit(1_000_000, 'steps', 'Steps of a pack in one command', '500, and nothing changes'),
  commandDepth: limit(200, 'levels', 'Nesting of flows and actions in one command', '500, and nothing changes'),
  expressionSteps: limit(
    5_000_000,
    'steps',
    'Turns of loops, rows, items and text that the expressions of one command go through',
    '500, and nothing changes; 400 (`response_too_large`) for a call that brings more than 16 KiB',
  ),
  immediateTimers: limit(
    5_000,
    'timers',
    'Timers without waiting time that one command fires',
    '500, and nothing changes',
  ),

  advanceTimers: limit(
    5_000_000,
    'timers',
    'Timers that one advance fires',
    '422 `too_much_due`; earlier changes stay',
  ),
  advanceEvents: limit(
    2_000_000,
    'events',
    'Events that one advance causes',
    '422 `too_much_due`; earlier changes stay',
  ),
  advanceMemory: limit(
    65,
    'percent',
    'Share of the heap (without 100 MB in reserve, at most three tenths) that may be in use while the clock advances',
    '422 `too_much_due`; earlier changes stay',
  ),
  heavyMemory: limit(
    100,
    'percent',
    'Share of the heap (without 100 MB in reserve, at most three tenths) that may be in use when a seed, a rewind, a fork, an export or a list of the state begins, and while an earlier moment is folded',
    '507 `memory_short`, and nothing is changed; an export or a list of the state on its way ends in the middle when half of the reserve is in use',
  ),
  advanceTold: limit(10_000, 'events', 'Events in the response of an advance', '`events_total` has their number'),
  failuresTold: limit(
    1_000,
    'timers',
    'Failed timers in the response of an advance',
    '`failed_total` has their number',
  ),
  failuresKept: limit(1_000, 'timers', 'Failed timers that `GET /__admin__/clock` lists', 'the oldest are dropped'),

  flush: limit(30_000, 'ms', 'Time that a flush waits for receivers', '`flushed: false` and how many are left'),
  retryAfter: limit(86_400_000, 'ms', 'Wait that a receiver may ask for with `Retry-After`', 'it waits so long'),
  slice: limit(5, 'ms', 'Time until an advance or a seed pauses for other calls', 'nothing'),
  duration: limit(3_650_000 * 86_400_000, 'ms', 'A duration that a call gives (3,650,000 days)', '400'),
  latest: limit(Date.UTC(9999, 0), 'ms', 'The world’s time, from 1970 (the start of year 9999)', '400'),
  faultDelay: limit(600_000, 'ms', '`delay_ms` of a fault', '400'),
  copies: limit(100, 'entries', '`times` of a fault of deliveries', '400'),
  controlList: limit(1_000, 'entries', 'Deliveries, traces and events on a page', '400'),
  worldsAtOnce: limit(1_000, 'entries', '`count` of `POST /__admin__/worlds`', '400'),

  ledger: limit(10_000, 'entries', 'Newest ledger entries in memory', 'older ones are dropped'),
  traces: limit(10_000, 'entries', 'Newest traces in memory', 'older ones are dropped'),
  deliveries: limit(10_000, 'entries', 'Newest deliveries in memory', 'older ones are dropped'),
  exchanges: limit(1_000, 'entries', 'Newest calls with their bodies', 'older ones are dropped'),
  exchangeBody: limit(64 * KIB, 'bytes', 'A body that can be looked at', 'only its size is shown'),
  exchangeBodies: limit(8 * MIB, 'bytes', 'All bodies that can be looked at', 'older ones are dropped'),
  streams: limit(200, 'connections', 'Event streams of a world’s vendor API that are open', 'the oldest is cut'),
  longPolls: limit(200, 'connections', 'Calls of a world’s vendor API that wait (long polling)', 'the oldest responds'),
  streamEvents: limit(10_000, 'events', 'Events of one stream', '500, and a report of the pack’s defect'),
  streamSize: limit(MIB, 'bytes', 'All events of one stream', '500, and a report of the pack’s defect'),
  streamReaders: limit(200, 'connections', 'Readers of `GET /__admin__/stream` of a world', 'the oldest is ended'),
  streamWaiting: limit(1_000, 'events', 'Events that wait for a reader of `GET /__admin__/stream`', 'a `gap` is sent'),
} as const satisfies Readonly<Record<string, Limit>>;
