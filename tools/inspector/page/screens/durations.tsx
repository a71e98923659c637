import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { get, post } from '../api.js';
import { live } from '../live.js';
import { Action, Section } from '../parts.js';
import { useAsked } from '../store.js';
import { AskedTable } from '../tables.js';
import type { Json } from '../types.js';

interface Duration {
  readonly name: string;
  readonly default: string;
  readonly value: string;
  readonly overridden: boolean;
  readonly description: string;
}

type Durations = Readonly<Record<string, Omit<Duration, 'name'>>>;

/** Shows a table of the pack's named durations. */
export function DurationTable(): JSX.Element {
  const asked = useAsked(durations, [live.changes]);
  const set = (name: string, to: Json): Promise<unknown> => post('/clock/durations', { durations: { [name]: to } });
  return (
    <Section title="Durations">
      <AskedTable
        asked={asked}
        empty="This pack has no durations."
        heads={['Duration', 'Value']}
        rowOf={(wait) => ({
          key: wait.name,
          mark: wait.overridden ? 'changed' : '',
          cells: [
            <>
              {wait.name}
              {wait.description !== '' && <span class="muted block">{wait.description}</span>}
            </>,
            <Wait wait={wait} set={set} />,
          ],
          actions: wait.overridden ? (
            <Action tone="quiet" run={() => set(wait.name, null)} title={`Reset ${wait.name}`}>
              Reset
            </Action>
          ) : (
            ''
          ),
        })}
      />
    </Section>
  );
}

async function durations(): Promise<{ data: Duration[] }> {
  const { durations: rows } = await get<{ durations: Durations }>('/clock/durations');
  return { data: Object.entries(rows).map(([name, row]) => ({ name, ...row })) };
}

/** Shows one duration with buttons that override it. */
function Wait({
  wait: { name, value, default: usual, overridden },
  set,
}: {
  wait: Duration;
  set: (name: string, to: Json) => Promise<unknown>;
}): JSX.Element {
  const [text, setText] = useState<string | null>(null);
  return (
    <>
      <input
        class="short"
        aria-label={`Value of ${name}`}
        value={text ?? value}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />{' '}
      {text !== null && text !== value && (
        <Action
          run={async () => {
            await set(name, text);
            setText(null);
          }}
          title={`Set ${name}`}
        >
          Set
        </Action>
      )}
      {overridden && <span class="muted"> default {usual}</span>}
    </>
  );
}
