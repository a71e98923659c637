import { counted, Exit, Failure } from '../../command/output.js';
import type { ControlCommand, Given } from '../command.js';
import { at, fields, instantText, isGiven, rowsOf, shownValue, textTable } from '../tables.js';

/** Maximum number of events that are printed. */
const MOST = 50;

/** The commands for the clock. */
export const CLOCK: readonly ControlCommand[] = [
  {
    name: 'clock',
    group: 'Time',
    operations: ['clock'],
    summary: 'Show the clock',
    view: (response) =>
      fields({
        ...response,
        now: instantText(response['now']),
        t0: instantText(response['t0']),
        next_due: instantText(response['next_due']),
        failed: rowsOf(response['failed']).length,
      }),
  },
  {
    name: 'timers',
    group: 'Time',
    operations: ['timers'],
    summary: 'List timers, soonest first',
    view: ({ data }) =>
      textTable(
        rowsOf(data),
        [
          ['due', (row) => instantText(row['due'])],
          ['timer', 'timer'],
          ['object', 'id'],
          ['collection', 'collection'],
        ],
        'no timer runs',
      ),
  },
  {
    name: 'advance',
    group: 'Time',
    operations: ['advance'],
    summary: "Advance the clock and run everything that's due",
    args: [['[how_far]', 'a duration (32d, 1d12h), or an instant (2025-03-01)']],
    options: [
      ['--until <event>', 'stop right after an event of this type'],
      ['--object <id>', 'with --until: only an event about this object'],
      ['--of <id>', 'advance only the clock of this object, such as a test clock'],
      ['--pace', 'wait for the responses to webhooks before the clock advances further'],
    ],
    hidden: ['duration', 'to', 'until', 'pace'],
    order: async ({ how_far, until, object, at_most, pace, of }) => ({
      ...(until === undefined ? await howFar(how_far) : { until: { event: until, object }, at_most }),
      ...(pace === undefined ? {} : { pace }),
      ...(of === undefined ? {} : { of }),
    }),
    view: ({ now, fired, events, events_total: total, failed }) => {
      const rows = rowsOf(events);
      return [
        `now ${instantText(now)}, ${counted(Number(fired), 'timer')} fired, ${counted(Number(total), 'event')}`,
        ...(rows.length === 0
          ? []
          : textTable(
              rows.slice(0, MOST),
              [
                ['event', 'type'],
                ['id', 'id'],
              ],
              '',
            )),
        ...(rows.length > MOST ? [`... and ${rows.length - MOST} more: --json prints all`] : []),
        ...textTable(
          rowsOf(failed),
          [
            ['timer that failed', 'timer'],
            ['object', 'object'],
            ['error', 'error.message'],
          ],
          '',
        ).filter((line) => line !== ''),
      ];
    },
    examples: ['sandbox advance 32d', 'sandbox advance --until invoice.paid --object sub_1 --at-most 60d'],
  },
  {
    name: 'durations',
    group: 'Time',
    operations: ['overrideDurations', 'durations'],
    summary: 'List or change durations, such as retry intervals',
    args: [['[durations...]', 'new values: name=0s; name=none: never; name=null: the default of the pack']],
    view: ({ durations }) =>
      textTable(
        Object.entries(isGiven(durations) ? durations : {}).map(([name, each]) => ({ name, each })),
        [
          ['name', 'name'],
          ['value', 'each.value'],
          ['', ({ each }) => (at(each, 'overridden') === true ? `instead of ${shownValue(at(each, 'default'))}` : '')],
          ['what it is', 'each.description'],
        ],
        'the pack has none',
      ),
    examples: ['sandbox durations', 'sandbox durations run_time=0s'],
  },
];

/** Parses how far to advance the clock: a duration or a time. @throws Failure if the text is neither */
async function howFar(given: unknown): Promise<Given> {
  const { parseDuration, parseInstant } = await import('../../../engine/world/index.js');
  const text = String(given ?? '');
  if (parseDuration(text) !== undefined) return { duration: text };
  if (parseInstant(text) !== undefined) return { to: text };
  throw new Failure(
    Exit.cannotRun,
    'invalid_call',
    given === undefined ? 'the amount is missing' : `'${text}' is neither a duration nor a time`,
    'Pass a duration (8d, 1d12h), a time (2025-03-01, 2025-03-01T12:00:00Z), or --until EVENT.',
  );
}
