import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { get, post, remove } from '../api.js';
import { Field, ParamForm, valueOf } from '../form.js';
import { live } from '../live.js';
import { Action, Empty, Id, Problem, Section, Value } from '../parts.js';
import { useAsked, useStore } from '../store.js';
import { plural } from '../text.js';
import type { Fields, Json, JsonObject, PackResource, Shape } from '../types.js';
import { useWorld } from '../world.js';
import { CauseButton } from './objects.js';

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
}

interface Pin {
  readonly id: string;
  readonly resource: string;
  readonly object: string | null;
  readonly path: string;
  readonly value: Json;
}

type Durations = Readonly<
  Record<
    string,
    { readonly default: string; readonly value: string; readonly overridden: boolean; readonly description: string }
  >
>;

/** What a person decides: calls that fail, values from outside, how long waits take, what happens in the world. */
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
        <Durations />
        <Scenarios />
      </div>
    </div>
  );
}

function Faults(): JSX.Element {
  const { pack } = useWorld();
  const { value, error } = useAsked(() => get<{ data: Fault[] }>('/faults'), [live.changes]);
  const operations = useMemo(
    () => pack.resources.flatMap(({ operations: own }) => own.map(({ operation }) => operation)),
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
  const arm = ({ operation, code, message, ...rest }: JsonObject): Promise<unknown> => {
    const [resource, name] = String(operation).split('.');
    const said = { ...(code === undefined ? {} : { code }), ...(message === undefined ? {} : { message }) };
    return post('/faults', {
      resource,
      operation: name,
      ...rest,
      ...(Object.keys(said).length > 0 ? { error: said } : {}),
    });
  };
  return (
    <Section
      title="Faults"
      aside={
        value && value.data.length > 0 ? (
          <Action tone="quiet" run={() => remove('/faults')}>
            Clear all
          </Action>
        ) : undefined
      }
    >
      <Problem error={error} />
      {value?.data.length === 0 && <Empty>No call is made to fail.</Empty>}
      {value && value.data.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Calls</th>
              <th scope="col">What</th>
              <th scope="col">Left</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {value.data.map((fault) => (
              <tr key={fault.id}>
                <th scope="row">
                  {fault.resource}.{fault.operation}
                  {fault.match && <span class="muted"> {JSON.stringify(fault.match)}</span>}
                </th>
                <td>
                  {fault.kind} {fault.status ?? ''} {fault.delay_ms > 0 ? `${fault.delay_ms} ms` : ''}{' '}
                  <span class="muted">{String(fault.error['code'] ?? '')}</span>
                </td>
                <td>{fault.remaining ?? 'until cleared'}</td>
                <td class="end">
                  <Action
                    tone="quiet"
                    run={() => remove(`/faults/${fault.id}`)}
                    title={`clear the fault of ${fault.operation}`}
                  >
                    Clear
                  </Action>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <details class="add">
        <summary>Let calls fail</summary>
        <ParamForm fields={fields} button="Arm the fault" send={arm} />
      </details>
    </Section>
  );
}

function Pins(): JSX.Element {
  const { pack } = useWorld();
  const { value, error } = useAsked(() => get<{ data: Pin[] }>('/exogenous/pins'), [live.changes]);
  const pinnable = pack.resources.filter(({ pins, branches }) => pins.length > 0 || branches.length > 0);
  const [name, setName] = useState('');
  const resource = pinnable.find(({ collection }) => collection === name);
  return (
    <Section title="Pins">
      <Problem error={error} />
      {value?.data.length === 0 && <Empty>Values from outside are what the pack says.</Empty>}
      {value && value.data.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Value of</th>
              <th scope="col">Is</th>
              <th scope="col">For</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {value.data.map((pin) => (
              <tr key={pin.id}>
                <th scope="row">
                  {pin.resource}.{pin.path}
                </th>
                <td>
                  <Value value={pin.value} />
                </td>
                <td>{pin.object === null ? 'all' : <Id id={pin.object} />}</td>
                <td class="end">
                  <Action
                    tone="quiet"
                    run={() => remove(`/exogenous/pins/${pin.id}`)}
                    title={`remove the pin of ${pin.path}`}
                  >
                    Remove
                  </Action>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <details class="add">
        <summary>Pin a value</summary>
        <Field
          name="of"
          shape={{ type: 'enum', values: pinnable.map(({ collection }) => collection) }}
          value={name}
          onInput={setName}
          isRequired
        />
        {resource && <PinForm key={name} resource={resource} />}
      </details>
    </Section>
  );
}

function PinForm({ resource: { collection, pins, branches } }: { resource: PackResource }): JSX.Element {
  const paths = [...(branches.length > 0 ? ['branch'] : []), ...pins.map(({ path }) => path)];
  const [path, setPath] = useState('');
  const [member, setMember] = useState('');
  const [id, setId] = useState('');
  const [text, setText] = useState('');
  const pin = pins.find((each) => each.path === path);
  const shape: Shape =
    path === 'branch' ? { type: 'enum', values: branches } : pin && !pin.members ? pin.value : { type: 'any' };
  const send = async (): Promise<void> => {
    const value = valueOf(shape, text) ?? null;
    await post('/exogenous/pins', {
      resource: collection,
      ...(id === '' ? {} : { id }),
      path: path.endsWith('.*') ? path.slice(0, -1) + member : path,
      value,
    });
    setText('');
  };
  return (
    <div class="params">
      <Field name="path" shape={{ type: 'enum', values: paths }} value={path} onInput={setPath} isRequired />
      {path.endsWith('.*') && (
        <Field name="member" shape={{ type: 'string' }} value={member} onInput={setMember} isRequired />
      )}
      {pin && (
        <p class="muted">
          {pin.description} {pin.at.length > 0 ? `(takes effect: ${pin.at.join(', ')})` : ''}
        </p>
      )}
      <Field name="value" shape={shape} value={text} onInput={setText} />
      <Field name="one object only (its id)" shape={{ type: 'string' }} value={id} onInput={setId} />
      <div class="submit">
        <Action tone="primary" run={send} disabled={path === ''}>
          Pin
        </Action>
      </div>
    </div>
  );
}

function Durations(): JSX.Element {
  const { value, error } = useAsked(() => get<{ durations: Durations }>('/clock/durations'), [live.changes]);
  const rows = Object.entries(value?.durations ?? {});
  const set = (name: string, to: Json): Promise<unknown> => post('/clock/durations', { durations: { [name]: to } });
  return (
    <Section title="Durations">
      <Problem error={error} />
      {value && rows.length === 0 && <Empty>This pack names no waits.</Empty>}
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Wait</th>
              <th scope="col">Takes</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, row]) => (
              <Duration key={name} name={name} row={row} set={set} />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function Duration({
  name,
  row: { value, default: usual, overridden, description },
  set,
}: {
  name: string;
  row: Durations[string];
  set: (name: string, to: Json) => Promise<unknown>;
}): JSX.Element {
  const [text, setText] = useState<string | null>(null);
  return (
    <tr class={overridden ? 'changed' : ''}>
      <th scope="row">
        {name}
        {description !== '' && <span class="muted block">{description}</span>}
      </th>
      <td>
        <input
          class="short"
          aria-label={`how long ${name} takes`}
          value={text ?? value}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        {overridden && <span class="muted"> instead of {usual}</span>}
      </td>
      <td class="end">
        {text !== null && text !== value && (
          <Action
            run={async () => {
              await set(name, text);
              setText(null);
            }}
            title={`set ${name}`}
          >
            Set
          </Action>
        )}
        {overridden && (
          <Action tone="quiet" run={() => set(name, null)} title={`${name} as usual`}>
            As usual
          </Action>
        )}
      </td>
    </tr>
  );
}

/** What can happen that is about no object in particular; the others stand with their objects. */
function WorldEvents(): JSX.Element {
  const { pack } = useWorld();
  const own = pack.causes.filter(({ variants }) => variants.some(({ subject }) => subject === null));
  const others = pack.causes.filter((cause) => !own.includes(cause));
  return (
    <Section title="World events">
      {own.map(({ cause, variants }) => (
        <CauseButton key={cause} possible={{ cause, params: {}, description: variants[0].description }} />
      ))}
      <details>
        <summary>{plural(others.length, 'event')} of objects</summary>
        <p class="muted">They stand as buttons on the page of the object to which they can happen.</p>
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
        A call asks for one by its header <code>X-Mock-Scenario</code>.
      </p>
      <details>
        <summary>{plural(pack.scenarios.length, 'scenario')}</summary>
        <dl class="list">
          {pack.scenarios.map(({ name, description }) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>{description}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Section>
  );
}
