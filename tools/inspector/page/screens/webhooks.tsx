import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { get, post, remove } from '../api.js';
import { ParamForm, Search } from '../form.js';
import { live } from '../live.js';
import { Action, Copied, Empty, Id, Problem, Section, Status, Tag, Time, toneOf } from '../parts.js';
import { go } from '../router.js';
import { useAsked, useStore } from '../store.js';
import { AskedTable, Headers } from '../tables.js';
import { plural, prettyBody, timeText } from '../text.js';
import type { Attempt, Delivery, DeliveryFault, Endpoint } from '../types.js';
import { VirtualList } from '../virtual.js';
import { DeliveryFaults, HoldButton, isHeld } from './delivery-faults.js';

/** Maximum number of deliveries that the screen requests. */
const MOST = 1_000;

/** Shows endpoints, deliveries, and responses of receivers. */
export function WebhooksScreen({ shown }: { shown: string | undefined }): JSX.Element {
  useStore(live);
  const [text, setText] = useState('');
  const { value, error } = useAsked(
    () => get<{ data: Delivery[] }>('/webhooks/deliveries', { limit: MOST }),
    [live.changes],
  );
  const { value: faults } = useAsked(() => get<{ data: DeliveryFault[] }>('/webhooks/faults'), [live.changes]);
  const words = text.toLowerCase();
  const rows = (value?.data ?? []).filter(({ event, url, status, id }) =>
    `${event.type} ${event.id} ${url ?? ''} ${status} ${id}`.toLowerCase().includes(words),
  );
  const heightOf = useMemo(() => () => 34, []);
  const failed = rows.filter(({ status }) => status === 'failed');
  const chosen = value?.data.find(({ id }) => id === shown);
  return (
    <div class={shown === undefined ? 'split' : 'split opened'}>
      <section class="pane list" aria-label="Deliveries">
        <div class="above">
          <Endpoints />
          <DeliveryFaults />
        </div>
        <div class="bar">
          <h2>Deliveries</h2>
          <Search label="Filter" placeholder="Filter by event, URL, or status" value={text} onInput={setText} />
          <HoldButton faults={faults?.data ?? []} held={(value?.data ?? []).filter(isHeld).length} />
          <Action tone="quiet" run={() => post('/webhooks/flush')} title="Wait until all due webhooks are sent">
            Send all now
          </Action>
          {failed.length > 0 && (
            <Action tone="quiet" run={() => sendAgain(failed)} title="Send each failed webhook again, in its order">
              Send {failed.length.toLocaleString('en')} failed again
            </Action>
          )}
        </div>
        <Problem error={error} />
        {value && rows.length === 0 && (
          <Empty>{value.data.length === 0 ? 'No webhooks yet. Add an endpoint above.' : 'No match.'}</Empty>
        )}
        {rows.length > 0 && (
          <VirtualList
            items={rows}
            keyOf={({ id }) => id}
            heightOf={heightOf}
            label="Deliveries"
            selected={shown ?? null}
            onSelect={({ id }) => go('webhooks', id)}
            draw={(row) => <Line row={row} />}
          />
        )}
        <p class="foot" aria-live="polite">
          {plural(rows.length, 'delivery', 'deliveries')}
          {value?.data.length === MOST ? ', the newest' : ''}
        </p>
      </section>
      <section class="pane details" aria-label="Details">
        {shown !== undefined && (
          <button type="button" class="quiet back" onClick={() => go('webhooks')}>
            Back to the list
          </button>
        )}
        {chosen ? (
          <DeliveryView key={chosen.id} delivery={chosen} />
        ) : (
          <Empty>Select a webhook to see its attempts.</Empty>
        )}
      </section>
    </div>
  );
}

/** Sends deliveries again, one after the other, oldest first, so that a receiver gets them in order. */
async function sendAgain(failed: readonly Delivery[]): Promise<void> {
  for (const { id } of [...failed].reverse()) await post(`/webhooks/deliveries/${id}/replay`);
}

function Line({ row }: { row: Delivery }): JSX.Element {
  const { event, url, attempts, next_attempt_at } = row;
  const last = attempts.at(-1);
  return (
    <div class="line first">
      <DeliveryStatus delivery={row} />
      <strong>{event.type}</strong>
      <span class="path muted">{url}</span>
      <span class="end muted">
        {last?.status ?? last?.error ?? ''} {attempts.length > 1 ? `${attempts.length} attempts` : ''}
        {next_attempt_at === null ? '' : ` next at ${timeText(next_attempt_at)}`}
      </span>
    </div>
  );
}

function DeliveryStatus({ delivery }: { delivery: Delivery }): JSX.Element {
  return isHeld(delivery) ? <Tag tone="warn">paused</Tag> : <Status status={delivery.status} />;
}

function DeliveryView({ delivery }: { delivery: Delivery }): JSX.Element {
  const { id, event, url, attempts, next_attempt_at, endpoint, fault } = delivery;
  return (
    <article class="explain" aria-label="Webhook">
      <header>
        <h2>
          <DeliveryStatus delivery={delivery} /> {event.type}
        </h2>
        <p class="muted">
          <Id id={event.id} /> to {url ?? delivery.transport} · endpoint <code>{endpoint}</code>
          {fault !== undefined && (
            <>
              {' '}
              · delivery fault: <code>{fault}</code>
            </>
          )}
        </p>
      </header>
      {isHeld(delivery) && <p>Paused until you clear the fault or send it.</p>}
      {next_attempt_at != null && (
        <p>
          Next attempt at <Time at={next_attempt_at} /> (simulated time).
        </p>
      )}
      <div class="actions">
        <Action
          run={() => post(`/webhooks/deliveries/${id}/replay`)}
          title={attempts.length === 0 ? 'Send without waiting' : 'Send the same webhook again'}
        >
          {attempts.length === 0 ? 'Send now' : 'Send again'}
        </Action>
      </div>
      {attempts.map((attempt, at) => (
        <AttemptView key={at} attempt={attempt} number={at + 1} isOpen={at === attempts.length - 1} />
      ))}
    </article>
  );
}

function AttemptView({ attempt, number, isOpen }: { attempt: Attempt; number: number; isOpen: boolean }): JSX.Element {
  const { status, error, world_time, duration_ms, request, response } = attempt;
  return (
    <details class="attempt" open={isOpen}>
      <summary>
        Attempt {number}: {status ?? error ?? 'No response'}{' '}
        <span class="muted">
          Scheduled <Time at={world_time} /> · {duration_ms} ms
        </span>
      </summary>
      <h3>Request</h3>
      <Headers headers={request.headers} />
      <Copied text={prettyBody(request.body, request.headers['content-type'])} label="Request body" />
      <h3>Response</h3>
      {response ? (
        <>
          <Headers headers={response.headers} />
          <pre tabIndex={0} aria-label="Response body">
            {response.body === '' ? '(empty)' : response.body}
          </pre>
        </>
      ) : (
        <p class="muted">{error ?? 'No response'}</p>
      )}
    </details>
  );
}

function Endpoints(): JSX.Element {
  const asked = useAsked(() => get<{ data: Endpoint[] }>('/webhooks/endpoints'), [live.changes]);
  const register = ({ url, events }: Readonly<Record<string, unknown>>): Promise<unknown> =>
    post('/webhooks/endpoints', {
      url,
      events: typeof events === 'string' ? events.split(/[\s,]+/).filter((each) => each !== '') : ['*'],
    });
  return (
    <Section title="Endpoints">
      <AskedTable
        asked={asked}
        empty="No endpoints. Add one to receive webhooks."
        heads={['URL', 'Events', 'Signing secret']}
        rowOf={({ id, url, events, status, secret }) => ({
          key: id,
          cells: [
            <>
              {url} <Tag tone={toneOf(status)}>{status}</Tag>
            </>,
            Array.isArray(events) ? events.join(', ') : '',
            secret === null ? 'Unsigned' : <Secret text={secret} />,
          ],
          actions: (
            <Action tone="quiet" run={() => remove(`/webhooks/endpoints/${id}`)} title={`remove ${url ?? id}`}>
              Remove
            </Action>
          ),
        })}
      />
      <details class="add">
        <summary>Add an endpoint</summary>
        <ParamForm
          fields={{ url: { type: 'string', required: true }, events: { type: 'string', default: '*' } }}
          button="Add"
          send={register}
        />
      </details>
    </Section>
  );
}

function Secret({ text }: { text: string }): JSX.Element {
  const [isShown, setShown] = useState(false);
  return isShown ? (
    <code>{text}</code>
  ) : (
    <button type="button" class="quiet" onClick={() => setShown(true)}>
      Reveal
    </button>
  );
}
