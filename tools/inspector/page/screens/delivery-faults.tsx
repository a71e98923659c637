import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { post, remove } from '../api.js';
import type { FormFields } from '../form.js';
import { Action } from '../parts.js';
import { plural } from '../text.js';
import type { Delivery, DeliveryFault, JsonObject } from '../types.js';
import { useWorld } from '../world.js';
import { FaultSection } from './fault-section.js';

const KINDS = ['duplicate', 'reorder', 'drop', 'delay', 'hold'];

/** Lists faults of deliveries, with a form that adds some and buttons that clear them. */
export function DeliveryFaults(): JSX.Element {
  const { pack } = useWorld();
  const events = useMemo(() => ['*', ...patternsOf(pack.events), ...pack.events], [pack]);
  return (
    <FaultSection<DeliveryFault>
      title="Delivery faults"
      path="/webhooks/faults"
      empty="No delivery faults. Webhooks are sent immediately, in order."
      heads={['Event', 'Fault', 'Remaining']}
      rowOf={(fault) => ({
        named: `delivery fault: ${fault.event}`,
        cells: [
          <>
            {fault.event} {fault.endpoint !== null && <span class="muted">to {fault.endpoint}</span>}
          </>,
          <>
            {fault.kind} <span class="muted">{moreOf(fault)}</span>
          </>,
          fault.remaining ?? 'Until cleared',
        ],
      })}
      clear={({ kind }) => (kind === 'hold' ? 'Resume' : 'Clear')}
      add="Add a delivery fault"
      fields={(texts) => fieldsOf(texts['kind'] ?? '', events)}
      bodyOf={(filled) => filled}
    />
  );
}

/** Returns patterns that match event names with a common prefix. */
function patternsOf(events: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of events) {
    const end = name.lastIndexOf('.');
    if (end > 0) counts.set(name.slice(0, end), (counts.get(name.slice(0, end)) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 1).map(([start]) => `${start}.*`);
}

/** Returns the form fields that apply to a kind of fault. */
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
    kind === 'reorder' && times !== undefined ? `after the next ${times}` : '',
    kind === 'duplicate' && times !== undefined ? `${plural(times, 'copy', 'copies')}` : '',
    delay === undefined ? '' : `delayed ${delay}`,
    after > 0 ? `skips the first ${after}` : '',
    probability < 1 ? `${Math.round(probability * 100)}% of events` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Whether a delivery is blocked until the user releases it. */
export function isHeld({ status, next_attempt_at }: Delivery): boolean {
  return status === 'pending' && next_attempt_at === null;
}

/** Shows a button that blocks all deliveries from now on, or releases them. */
export function HoldButton({
  faults,
  held,
}: {
  faults: readonly DeliveryFault[];
  /** Number of deliveries that are blocked now. */
  held: number;
}): JSX.Element {
  const holding = faults.filter(({ kind }) => kind === 'hold');
  const release = async (): Promise<void> => {
    for (const { id } of holding) await remove(`/webhooks/faults/${id}`);
  };
  const hold = (): Promise<unknown> => post<JsonObject>('/webhooks/faults', { kind: 'hold' });
  return holding.length > 0 ? (
    <Action run={release} title="Send paused webhooks in order">
      Resume ({held.toLocaleString('en')})
    </Action>
  ) : (
    <Action tone="quiet" run={hold} title="Send nothing until you resume">
      Pause deliveries
    </Action>
  );
}
