import { RandomStream, seedOf } from '../../engine/world/index.js';

/** What can happen to the deliveries of one event. */
const DISTURBANCES = {
  duplicate: { order: { kind: 'duplicate' }, text: 'comes twice' },
  overtaken: { order: { kind: 'reorder' }, text: 'comes after the next one' },
  late: { order: { kind: 'reorder', times: 100 }, text: 'comes after all others' },
  lost: { order: { kind: 'drop' }, text: 'never comes' },
} as const;

export type FaultChoice = keyof typeof DISTURBANCES;

/** Trouble for the `nth` event of a name, counted from 0. */
export interface PlannedFault {
  readonly fault: FaultChoice;
  readonly event: string;
  readonly nth: number;
}

/** An event of a run. */
export type EventOccurrence = Omit<PlannedFault, 'fault'>;

/** Names in the order in which events happened, each with how many of it came before. */
export function occurrencesOf(names: readonly string[]): EventOccurrence[] {
  const seen = new Map<string, number>();
  return names.map((event) => {
    const nth = seen.get(event) ?? 0;
    seen.set(event, nth + 1);
    return { event, nth };
  });
}

/** Schedules of one fault each: the shortest there are. */
export function single(occurrences: readonly EventOccurrence[], choices: readonly FaultChoice[]): PlannedFault[][] {
  return choices.flatMap((choice) => occurrences.map((each) => [{ fault: choice, ...each }]));
}

/** Schedules in which about a third of the events have a fault, the same for the same seed. */
export function* combined(
  occurrences: readonly EventOccurrence[],
  choices: readonly FaultChoice[],
  seed: string,
): Generator<readonly PlannedFault[]> {
  const random = new RandomStream(seedOf(`chaos ${seed}`));
  if (occurrences.length < 2) return;
  for (;;) {
    const hit = occurrences.filter(() => random.integer(0, 2) === 0);
    if (hit.length < 2) continue;
    yield hit.map((each) => ({ fault: choices[random.integer(0, choices.length - 1)], ...each }));
  }
}

/** The body of POST /__admin__/webhooks/faults. */
export function faultBody({ fault, event, nth }: PlannedFault): Readonly<Record<string, unknown>> {
  return { ...DISTURBANCES[fault].order, event, count: 1, ...(nth === 0 ? {} : { after: nth }) };
}

/** A fault in words. */
export function describePlannedFault({ fault, event, nth }: PlannedFault): string {
  return `${event}${nth === 0 ? '' : ` (number ${nth + 1})`} ${DISTURBANCES[fault].text}`;
}

/** A fault as a command. */
export function commandOf(planned: PlannedFault): string {
  const { kind, ...options } = faultBody(planned);
  const words = Object.entries(options).map(([name, value]) => `--${name} ${String(value)}`);
  return `sandbox delivery-fault ${String(kind)} ${words.join(' ')}`;
}
