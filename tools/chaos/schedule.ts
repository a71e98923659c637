/** Faults that a schedule can inject into the deliveries of one event, with a description of each. */
const DISTURBANCES = {
  duplicate: { order: { kind: 'duplicate' }, text: 'comes twice' },
  overtaken: { order: { kind: 'reorder' }, text: 'comes after the next one' },
  late: { order: { kind: 'reorder', times: 100 }, text: 'comes after all others' },
  lost: { order: { kind: 'drop' }, text: 'never comes' },
} as const;

export type FaultChoice = keyof typeof DISTURBANCES;

/** A fault for the `nth` event of a name, counted from 0. */
export interface PlannedFault {
  readonly fault: FaultChoice;
  readonly event: string;
  readonly nth: number;
}

/** An event that a run emits, identified by its name and the number of earlier events of that name. */
export type EventOccurrence = Omit<PlannedFault, 'fault'>;

/** Events in order, each with the number of earlier ones of its name. */
export function occurrencesOf(names: readonly string[]): EventOccurrence[] {
  const seen = new Map<string, number>();
  return names.map((event) => {
    const nth = seen.get(event) ?? 0;
    seen.set(event, nth + 1);
    return { event, nth };
  });
}

/** Lists all possible faults, grouped by event. */
export function plannedFaultsOf(
  occurrences: readonly EventOccurrence[],
  choices: readonly FaultChoice[],
): readonly (readonly PlannedFault[])[] {
  return occurrences.map((each) => choices.map((fault) => ({ fault, ...each })));
}

/** Creates the body of `POST /__admin__/webhooks/faults` for a fault. */
export function faultBody({ fault, event, nth }: PlannedFault): Readonly<Record<string, unknown>> {
  return { ...DISTURBANCES[fault].order, event, count: 1, ...(nth === 0 ? {} : { after: nth }) };
}

/** Describes a fault of a schedule in words. */
export function describePlannedFault({ fault, event, nth }: PlannedFault): string {
  return `${event}${nth === 0 ? '' : ` (number ${nth + 1})`} ${DISTURBANCES[fault].text}`;
}

/** Formats the `sandbox` command that creates a fault. */
export function commandOf(planned: PlannedFault): string {
  const { kind, ...options } = faultBody(planned);
  const words = Object.entries(options).map(([name, value]) => `--${name} ${String(value)}`);
  return `sandbox delivery-fault ${String(kind)} ${words.join(' ')}`;
}
