import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { post, remove } from '../api.js';
import type { FormFields } from '../form.js';
import { Action } from '../parts.js';
import type { Delivery, DeliveryFault, JsonObject } from '../types.js';
import { useWorld } from '../world.js';
import { FaultSection } from './fault-section.js';

const KINDS = ['duplicate', 'reorder', 'drop', 'delay', 'hold'];

/** Trouble of deliveries: seen, ordered with a form of the pack's event names, and cleared. */
export function DeliveryFaults(): JSX.Element {
  const { pack } = useWorld();
  const events = useMemo(() => ['*', ...patternsOf(pack.events), ...pack.events], [pack]);
  return (
    <FaultSection<DeliveryFault>
      title="Faults of deliveries"
      path="/webhooks/faults"
      empty="Deliveries go out at once, in order."
      heads={['Events', 'What', 'Left']}
      rowOf={(fault) => ({
        named: `the fault of ${fault.event}`,
        cells: [
          <>
            {fault.event} {fault.endpoint !== null && <span class="muted">to {fault.endpoint}</span>}
          </>,
          <>
            {fault.kind} <span class="muted">{moreOf(fault)}</span>
          </>,
          fault.remaining ?? 'until cleared',
        ],
      })}
      clear={({ kind }) => (kind === 'hold' ? 'Let go' : 'Clear')}
      add="Make trouble for deliveries"
      fields={(texts) => fieldsOf(texts['kind'] ?? '', events)}
      bodyOf={(filled) => filled}
    />
  );
}

/** Patterns of names that begin alike. */
function patternsOf(events: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of events) {
    const end = name.lastIndexOf('.');
    if (end > 0) counts.set(name.slice(0, end), (counts.get(name.slice(0, end)) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 1).map(([start]) => `${start}.*`);
}

/** A kind is asked only for what means something to it. */
function fieldsOf(kind: string, events: readonly string[]): FormFields {
  return {
    kind: { type: 'enum', values: KINDS, required: true },
    event: { type: 'string', suggested: events, default: '*' },
    ...(kind === 'delay' || kind === 'duplicate' ? { delay: { type: 'duration', required: kind === 'delay' } } : {}),
    ...(kind === 'duplicate' || kind === 'reorder' ? { times: { type: 'integer', min: 1, default: 1 } } : {}),
    count: { type: 'integer', min: 1 },
    after: { type: 'integer', min: 0, default: 0 },
    probability: { type: 'number', min: 0, max: 1, default: 1 },
  };
}

function moreOf({ kind, delay, times, after = 0, probability = 1 }: DeliveryFault): string {
  const parts = [
    kind === 'reorder' && times !== undefined ? `behind the next ${times}` : '',
    kind === 'duplicate' && times !== undefined ? `${times} more` : '',
    delay === undefined ? '' : `by ${delay}`,
    after > 0 ? `after the first ${after}` : '',
    probability < 1 ? `of ${Math.round(probability * 100)} %` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Whether a delivery waits for somebody to let it go. */
export function isHeld({ status, next_attempt_at }: Delivery): boolean {
  return status === 'pending' && next_attempt_at === null;
}

/** Holds all deliveries from now on, or lets go what is held. */
export function HoldButton({
  faults,
  held,
}: {
  faults: readonly DeliveryFault[];
  /** How many deliveries are held. */
  held: number;
}): JSX.Element {
  const holding = faults.filter(({ kind }) => kind === 'hold');
  const letGo = async (): Promise<void> => {
    for (const { id } of holding) await remove(`/webhooks/faults/${id}`);
  };
  const hold = (): Promise<unknown> => post<JsonObject>('/webhooks/faults', { kind: 'hold' });
  return holding.length > 0 ? (
    <Action run={letGo} title="sends what is held, in its order">
      Let {held.toLocaleString('en')} go
    </Action>
  ) : (
    <Action tone="quiet" run={hold} title="nothing is sent until it is let go">
      Hold
    </Action>
  );
}
