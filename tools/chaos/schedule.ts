import { RandomStream, seedOf } from '../../engine/world/index.js';

/** What can happen to the deliveries of one event. */
const TROUBLES = {
  duplicate: { order: { kind: 'duplicate' }, told: 'comes twice' },
  overtaken: { order: { kind: 'reorder' }, told: 'comes after the next one' },
  late: { order: { kind: 'reorder', times: 100 }, told: 'comes after all others' },
  lost: { order: { kind: 'drop' }, told: 'never comes' },
} as const;

export type Trouble = keyof typeof TROUBLES;

/** Trouble for the `nth` event of a name, counted from 0. */
export interface Strike {
  readonly trouble: Trouble;
  readonly event: string;
  readonly nth: number;
}

/** An event of a run. */
export type EventOccurrence = Omit<Strike, 'trouble'>;

/** Names in the order in which events happened, each with how many of it came before. */
export function occurrencesOf(names: readonly string[]): EventOccurrence[] {
  const seen = new Map<string, number>();
  return names.map((event) => {
    const nth = seen.get(event) ?? 0;
    seen.set(event, nth + 1);
    return { event, nth };
  });
}

/** Schedules of one strike each: the shortest there are. */
export function single(occurrences: readonly EventOccurrence[], troubles: readonly Trouble[]): Strike[][] {
  return troubles.flatMap((trouble) => occurrences.map((each) => [{ trouble, ...each }]));
}

/** Schedules in which about a third of the events are struck, the same for the same seed. */
export function* combined(
  occurrences: readonly EventOccurrence[],
  troubles: readonly Trouble[],
  seed: string,
): Generator<readonly Strike[]> {
  const random = new RandomStream(seedOf(`chaos ${seed}`));
  if (occurrences.length < 2) return;
  for (;;) {
    const hit = occurrences.filter(() => random.integer(0, 2) === 0);
    if (hit.length < 2) continue;
    yield hit.map((each) => ({ trouble: troubles[random.integer(0, troubles.length - 1)], ...each }));
  }
}

/** The body of POST /__admin__/webhooks/faults. */
export function faultBody({ trouble, event, nth }: Strike): Readonly<Record<string, unknown>> {
  return { ...TROUBLES[trouble].order, event, count: 1, ...(nth === 0 ? {} : { after: nth }) };
}

/** A strike in words. */
export function describeStrike({ trouble, event, nth }: Strike): string {
  return `${event}${nth === 0 ? '' : ` (number ${nth + 1})`} ${TROUBLES[trouble].told}`;
}

/** A strike as a command. */
export function commandOf(trouble: Strike): string {
  const { kind, ...options } = faultBody(trouble);
  const words = Object.entries(options).map(([name, value]) => `--${name} ${String(value)}`);
  return `sandbox delivery-fault ${String(kind)} ${words.join(' ')}`;
}
