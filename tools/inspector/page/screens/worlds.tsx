import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ADMIN, get, post, remove } from '../api.js';
import { Field, ParamForm } from '../form.js';
import { live } from '../live.js';
import { Action, Empty, Problem, Section } from '../parts.js';
import { go } from '../router.js';
import { type Asked, useAsked, useStore } from '../store.js';
import { Table } from '../tables.js';
import { plural, timeText } from '../text.js';
import type { Diff, JsonObject, World } from '../types.js';
import { useWorld } from '../world.js';
import { FieldChanges } from './changes.js';

interface Moment {
  readonly name: string;
  readonly entry: number;
}

/** Shows further worlds, saved moments, and comparisons. */
export function WorldsScreen({ parts }: { parts: readonly string[] }): JSX.Element {
  useStore(live);
  const { mayFork } = useWorld();
  const worlds = useAsked(
    () => (mayFork ? get<{ data: World[] }>('/worlds') : Promise.resolve({ data: [] })),
    [live.changes, parts.join(' ')],
  );
  const moments = useAsked(() => get<{ data: Moment[] }>('/moments'), [live.changes]);
  return (
    <div class="page">
      {mayFork ? (
        <WorldTable worlds={worlds} />
      ) : (
        <Empty>Open the first world to list and create worlds. Moments and compare work in any world.</Empty>
      )}
      <Moments moments={moments} />
      <Compare
        key={parts.join(' ')}
        parts={parts}
        worlds={worlds.value?.data ?? []}
        moments={moments.value?.data ?? []}
      />
      <Section title="This world">
        <div class="actions">
          <Action run={exported} title="For `sandbox replay` and `sandbox shrink`">
            Export
          </Action>
          <Action tone="danger" run={() => confirmed('Delete all data and reset the clock?', () => post('/reset'))}>
            Reset world
          </Action>
        </div>
      </Section>
    </div>
  );
}

async function confirmed(question: string, then: () => Promise<unknown>): Promise<void> {
  if (confirm(question)) await then();
}

/** Downloads the exported world as a file. */
async function exported(): Promise<void> {
  const text = JSON.stringify(await get('/export'));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = 'world.sandbox';
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Returns the URL of a world's inspector. Its key, if known, is in the fragment, which browsers don't send. */
function pageOf({ id, url, key }: World, worlds: readonly World[]): string | null {
  if (url === null) return null;
  const isShared = worlds.filter((other) => other.url === url).length > 1 || ADMIN !== '/__admin__';
  return `${url}${isShared ? `/w/${encodeURIComponent(id)}` : ''}/__admin__/${key === null ? '' : `#key=${encodeURIComponent(key)}`}`;
}

function WorldTable({ worlds: { value, error, again } }: { worlds: Asked<{ data: World[] }> }): JSX.Element {
  const list = value?.data ?? [];
  const make = async (options: JsonObject): Promise<void> => {
    const { fork_at, ...rest } = options;
    await post('/worlds', fork_at === undefined ? rest : { ...rest, from: fork_at === 'now' ? {} : { at: fork_at } });
    again();
  };
  return (
    <Section title="Worlds">
      <Problem error={error} />
      <Table
        heads={['World', 'Clock', 'Entries', 'Forked from']}
        rows={treeOf(list).map(({ world, depth }) => ({
          key: world.id,
          cells: [
            <span style={{ paddingLeft: `${depth * 18}px` }}>
              {depth > 0 && <span aria-hidden="true">↳ </span>}
              {world.name}{' '}
              <span class="muted">
                {world.id}
                {world === list[0] ? ' (current)' : ''}
              </span>
            </span>,
            timeText(world.now) || 'idle',
            world.head.toLocaleString('en'),
            world.from ? `${world.from.world} at entry ${world.from.entry}` : '–',
          ],
          actions: world !== list[0] ? <OtherWorld world={world} list={list} again={again} /> : '',
        }))}
      />
      <details class="add">
        <summary>Create a world</summary>
        <ParamForm
          fields={{
            name: { type: 'string' },
            fork_at: { type: 'string', default: 'now' },
            expires: { type: 'string' },
          }}
          button="Create"
          send={(options) => make({ fork_at: 'now', ...options })}
        />
        <p class="muted">
          <code>fork_at</code>: entry, time, trace, or saved moment. <code>expires</code>: a duration, for example 24h.
        </p>
        <Action
          run={async () => {
            await post('/worlds', {});
            again();
          }}
        >
          Create an empty world
        </Action>
      </details>
    </Section>
  );
}

/** Lists worlds with each fork below its original. */
function treeOf(worlds: readonly World[]): readonly { readonly world: World; readonly depth: number }[] {
  const ids = new Set(worlds.map(({ id }) => id));
  const below = (parent: string | null, depth: number): { world: World; depth: number }[] =>
    worlds
      .filter(({ from }) => (from !== null && ids.has(from.world) ? from.world : null) === parent)
      .flatMap((world) => [{ world, depth }, ...below(world.id, depth + 1)]);
  return below(null, 0);
}

/** Shows buttons for a further world. */
function OtherWorld({ world, list, again }: { world: World; list: readonly World[]; again: () => void }): JSX.Element {
  const page = pageOf(world, list);
  return (
    <>
      {page !== null && (
        <a href={page} target="_blank" rel="noreferrer">
          Open<span class="hidden"> {world.name}</span>
        </a>
      )}{' '}
      <button type="button" class="quiet" onClick={() => go('worlds', 'compare', `${list[0].id}@`, `${world.id}@`)}>
        Compare<span class="hidden"> with {world.name}</span>
      </button>
      <Action
        tone="quiet"
        run={async () => {
          await confirmed(`Delete world ${world.name}? This can't be undone.`, () => remove(`/worlds/${world.id}`));
          again();
        }}
        title={`Delete ${world.name}`}
      >
        Delete
      </Action>
    </>
  );
}

function Moments({ moments: { value, error, again } }: { moments: Asked<{ data: Moment[] }> }): JSX.Element {
  const list = value?.data ?? [];
  return (
    <Section title="Saved moments">
      <Problem error={error} />
      {list.length > 0 && (
        <Table
          heads={['Moment', 'Entry']}
          rows={list.map(({ name, entry }) => ({
            key: name,
            cells: [name, entry],
            actions: (
              <>
                <Action tone="quiet" run={() => post('/rewind', { to: name })} title={`Rewind to ${name}`}>
                  Rewind
                </Action>
                <Action
                  tone="quiet"
                  run={async () => {
                    await remove(`/moments/${encodeURIComponent(name)}`);
                    again();
                  }}
                  title={`Delete ${name}`}
                >
                  Delete
                </Action>
              </>
            ),
          }))}
        />
      )}
      <details class="add">
        <summary>Save moment</summary>
        <ParamForm
          fields={{ name: { type: 'string', required: true } }}
          button="Save"
          send={async (body) => {
            await post('/moments', body);
            again();
          }}
        />
      </details>
    </Section>
  );
}

/** Shows the differences between two moments, of one world or two. */
function Compare({
  parts,
  worlds,
  moments,
}: {
  parts: readonly string[];
  worlds: readonly World[];
  moments: readonly Moment[];
}): JSX.Element {
  const [mode, first = '', second = ''] = parts;
  const [from, setFrom] = useState(mode === 'compare' ? first : '');
  const [to, setTo] = useState(mode === 'compare' ? second : '');
  const asked = mode === 'compare' && first !== '';
  const { value, error } = useAsked(
    () => (asked ? get<Diff>('/diff', { from: first, to: second, limit: 200 }) : Promise.resolve(null)),
    [first, second, live.changes],
  );
  const later = second === '' ? 'now' : nameOf(second, worlds);
  const known = [...worlds.map(({ id }) => `${id}@`), ...moments.map(({ name }) => name)];
  return (
    <Section title="Compare">
      <form
        class="compare"
        onSubmit={(event) => {
          event.preventDefault();
          go('worlds', 'compare', from, to);
        }}
      >
        <Field name="from" shape={{ type: 'string', required: true }} value={from} onInput={setFrom} isRequired />
        <Field name="to" shape={{ type: 'string' }} value={to} onInput={setTo} />
        <button type="submit" class="primary">
          Compare
        </button>
      </form>
      <p class="muted">
        Entry, time, trace, or name; for another world: <code>w2@17</code>, or <code>w2@</code> for its latest state.
        {known.length > 0 ? ` Known: ${known.join(', ')}.` : ''}
      </p>
      <Problem error={error} />
      {asked && value && value.objects.length === 0 && <Empty>No differences.</Empty>}
      {asked && value && value.objects.length > 0 && (
        <>
          <p role="status">{plural(value.objects_total, 'object differs', 'objects differ')}.</p>
          <FieldChanges
            diff={value}
            from={nameOf(first, worlds)}
            to={later}
            onlyFrom={`Only in ${nameOf(first, worlds)}`}
            onlyTo={`Only in ${later}`}
          />
        </>
      )}
    </Section>
  );
}

function nameOf(moment: string, worlds: readonly World[]): string {
  const [id, at] = moment.split('@');
  const world = worlds.find((each) => each.id === id || each.name === id);
  return world && at !== undefined ? `${world.name}${at === '' ? '' : ` at ${at}`}` : moment;
}
