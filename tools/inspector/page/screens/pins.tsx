import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { get, post, remove } from '../api.js';
import { Field, valueOf } from '../form.js';
import { live } from '../live.js';
import { Action, Id, Section, Value } from '../parts.js';
import { useAsked } from '../store.js';
import { AskedTable } from '../tables.js';
import type { Json, PackResource, Shape } from '../types.js';
import { useWorld } from '../world.js';

interface Pin {
  readonly id: string;
  readonly resource: string;
  readonly object: string | null;
  readonly path: string;
  readonly value: Json;
}

/** Shows the overrides that a user has set, and a form to set more. */
export function Pins(): JSX.Element {
  const { pack } = useWorld();
  const asked = useAsked(() => get<{ data: Pin[] }>('/exogenous/pins'), [live.changes]);
  const pinnable = pack.resources.filter(({ pins, branches }) => pins.length > 0 || branches.length > 0);
  const [name, setName] = useState('');
  const resource = pinnable.find(({ collection }) => collection === name);
  return (
    <Section title="Overrides (pins)">
      <AskedTable
        asked={asked}
        empty="No overrides. External values use their defaults."
        heads={['Field', 'Value', 'Object']}
        rowOf={(pin) => ({
          key: pin.id,
          cells: [
            `${pin.resource}.${pin.path}`,
            <Value value={pin.value} />,
            pin.object === null ? 'all' : <Id id={pin.object} />,
          ],
          actions: (
            <Action
              tone="quiet"
              run={() => remove(`/exogenous/pins/${pin.id}`)}
              title={`Remove the override of ${pin.path}`}
            >
              Remove
            </Action>
          ),
        })}
      />
      <details class="add">
        <summary>Override a value</summary>
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
          {pin.description} {pin.at.length > 0 ? `(applies when ${pin.at.join(', ')})` : ''}
        </p>
      )}
      <Field name="value" shape={shape} value={text} onInput={setText} />
      <Field name="Object ID (all, if empty)" shape={{ type: 'string' }} value={id} onInput={setId} />
      <div class="submit">
        <Action tone="primary" run={send} disabled={path === ''}>
          Override
        </Action>
      </div>
    </div>
  );
}
