import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { live } from '../live.js';
import { Section } from '../parts.js';
import { useStore } from '../store.js';
import { Terms } from '../tables.js';
import { plural } from '../text.js';
import type { Fields, JsonObject } from '../types.js';
import { useWorld } from '../world.js';
import { CauseButton } from './cause.js';
import { DurationTable } from './durations.js';
import { FaultSection } from './fault-section.js';
import { Pins } from './pins.js';

interface Fault {
  readonly id: string;
  readonly resource: string;
  readonly operation: string;
  readonly kind: string;
  readonly status: number | null;
  readonly error: JsonObject;
  readonly remaining: number | null;
  readonly match: JsonObject | null;
  readonly delay_ms: number;
  readonly delay_max_ms?: number;
}

/** Shows controls of the world: faults, overrides, durations and external events. */
export function ControlsScreen(): JSX.Element {
  useStore(live);
  return (
    <div class="page two">
      <div>
        <Faults />
        <Pins />
      </div>
      <div>
        <WorldEvents />
        <DurationTable />
        <Scenarios />
      </div>
    </div>
  );
}

function Faults(): JSX.Element {
  const { pack } = useWorld();
  const operations = useMemo(
    () => ['*', ...pack.resources.flatMap(({ operations: own }) => own.map(({ operation }) => operation))],
    [pack],
  );
  const fields: Fields = {
    operation: { type: 'enum', values: operations, required: true },
    kind: { type: 'enum', values: ['error', 'delay', 'reset', 'lost_response'], default: 'error' },
    status: { type: 'integer', min: 400, max: 599 },
    code: { type: 'string' },
    message: { type: 'string' },
    count: { type: 'integer', min: 1 },
    delay_ms: { type: 'integer', min: 0 },
    match: { type: 'object' },
  };
  return (
    <FaultSection<Fault>
      title="Faults"
      path="/faults"
      empty="No active faults. Your app's calls behave normally."
      heads={['Operation', 'Fault', 'Remaining']}
      rowOf={(fault) => ({
        named: `${fault.resource}.${fault.operation}`,
        cells: [
          <>
            {fault.resource}.{fault.operation}
            {fault.match && <span class="muted"> {JSON.stringify(fault.match)}</span>}
          </>,
          <>
            {fault.kind} {fault.status ?? ''} {delayText(fault)}{' '}
            <span class="muted">{String(fault.error['code'] ?? '')}</span>
          </>,
          fault.remaining ?? 'Until cleared',
        ],
      })}
      add="Add a fault"
      fields={fields}
      bodyOf={faultOf}
    />
  );
}

function delayText({ delay_ms: least, delay_max_ms: most }: Fault): string {
  if (most !== undefined) return `${least}–${most} ms`;
  return least > 0 ? `${least} ms` : '';
}

/** Converts the form's values to a body for the control API. */
function faultOf({ operation, code, message, ...rest }: JsonObject): JsonObject {
  const [resource, name = '*'] = String(operation).split('.');
  const error = { ...(code === undefined ? {} : { code }), ...(message === undefined ? {} : { message }) };
  return { resource, operation: name, ...rest, ...(Object.keys(error).length > 0 ? { error } : {}) };
}

/** Shows external events without a particular object; other events are shown with their objects. */
function WorldEvents(): JSX.Element {
  const { pack } = useWorld();
  const own = pack.causes.filter(({ variants }) => variants.some(({ subject }) => subject === null));
  const others = pack.causes.filter((cause) => !own.includes(cause));
  return (
    <Section title="External events">
      {own.map(({ cause, variants }) => (
        <CauseButton key={cause} possible={{ cause, params: {}, description: variants[0].description }} />
      ))}
      <details>
        <summary>{plural(others.length, 'more event applies', 'more events apply')} to a single object</summary>
        <p class="muted">Open an object to trigger them.</p>
        <ul class="plain">
          {others.map(({ cause, variants }) => (
            <li key={cause}>
              <code>{cause}</code> <span class="muted">{variants[0].description}</span>
            </li>
          ))}
        </ul>
      </details>
    </Section>
  );
}

function Scenarios(): JSX.Element {
  const { pack } = useWorld();
  return (
    <Section title="Scenarios">
      <p class="muted">
        Send the header <code>X-Mock-Scenario</code> to use one.
      </p>
      <details>
        <summary>{plural(pack.scenarios.length, 'scenario')}</summary>
        <Terms of={pack.scenarios.map(({ name, description }) => ({ name, text: description }))} />
      </details>
    </Section>
  );
}
