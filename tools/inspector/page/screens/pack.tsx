import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Diagram } from '../diagram.js';
import { Search } from '../form.js';
import { Empty, Section, Tag } from '../parts.js';
import { to } from '../router.js';
import { Codes, Table, Terms } from '../tables.js';
import { plural } from '../text.js';
import type { Fields, PackResource, Shape } from '../types.js';
import { useWorld } from '../world.js';

/** Shows the pack's declarations: resources, operations and events. */
export function PackScreen({ shown }: { shown: string | undefined }): JSX.Element {
  const { pack } = useWorld();
  const [text, setText] = useState('');
  const words = text.toLowerCase();
  const found = pack.resources.filter((each) => searched(each).includes(words));
  const resource = pack.resources.find(({ collection }) => collection === shown);
  return (
    <div class="split narrow-left">
      <section class="pane list" aria-label="Resources">
        <div class="bar">
          <Search
            label="Search"
            placeholder="Search resources, fields, operations, events"
            value={text}
            onInput={setText}
          />
        </div>
        <ul class="collections scroll" tabIndex={-1}>
          <li>
            <a href={to('pack')} aria-current={resource ? undefined : 'true'}>
              Overview
            </a>
          </li>
          {found.map(({ collection, title, machine }) => (
            <li key={collection}>
              <a href={to('pack', collection)} aria-current={collection === shown ? 'true' : undefined}>
                <span>{collection}</span>{' '}
                <span class="muted">{machine ? plural(machine.states.length, 'state') : ''}</span>
                {title.toLowerCase() !== collection && <span class="hidden"> {title}</span>}
              </a>
            </li>
          ))}
        </ul>
        <p class="foot" aria-live="polite">
          {plural(found.length, 'resource')}
        </p>
      </section>
      <section class="pane details" aria-label={resource?.title ?? 'Overview'}>
        {resource ? <ResourceView key={resource.collection} resource={resource} words={words} /> : <Overview />}
      </section>
    </div>
  );
}

function searched({ collection, title, fields, operations, events }: PackResource): string {
  return [
    collection,
    title,
    ...Object.keys(fields),
    ...operations.flatMap(({ operation, path }) => [operation, path]),
    ...events,
  ]
    .join(' ')
    .toLowerCase();
}

function Overview(): JSX.Element {
  const { pack } = useWorld();
  const operations = pack.resources.reduce((sum, each) => sum + each.operations.length, 0);
  const machines = pack.resources.filter(({ machine }) => machine).length;
  return (
    <article class="explain" aria-label="Overview">
      <header>
        <h2>
          {pack.title} <span class="muted">{pack.version}</span>
        </h2>
        {pack.faithful_to !== '' && <p class="muted">Based on {pack.faithful_to}</p>}
      </header>
      <p>
        {plural(pack.resources.length, 'resource')}, {plural(operations, 'operation')}, {plural(machines, 'machine')},{' '}
        {plural(pack.events.length, 'event')}, {plural(pack.errors.length, 'error')}.
      </p>
      <Section title="External events" level={3}>
        <Terms of={pack.causes.map(({ cause, variants }) => ({ name: cause, text: variants[0].description }))} />
      </Section>
      <Section title="Test values" level={3}>
        {pack.magic_values.length === 0 && <Empty>None in this pack.</Empty>}
        {pack.magic_values.map(({ family, stands_for, values }) => (
          <details key={family}>
            <summary>
              {family}: {plural(values.length, 'value')} for a {stands_for}
            </summary>
            <Codes of={values} />
          </details>
        ))}
      </Section>
      <Section title="Scenarios" level={3}>
        <Terms of={pack.scenarios.map(({ name, description }) => ({ name, text: description }))} />
      </Section>
      <Section title="Durations" level={3}>
        <Terms
          of={pack.durations.map(({ name, default: usual, description }) => ({
            name,
            beside: usual,
            text: description,
          }))}
        />
      </Section>
    </article>
  );
}

function ResourceView({ resource, words }: { resource: PackResource; words: string }): JSX.Element {
  const { collection, title, machine, operations, fields, events, event_descriptions: texts, pins, status } = resource;
  const marked = (name: string): string => (words !== '' && name.toLowerCase().includes(words) ? 'changed' : '');
  return (
    <article class="explain" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p class="muted">
          {collection} · <a href={to('objects', collection)}>objects</a>
        </p>
      </header>
      {machine && (
        <Section title="States" level={3}>
          <Diagram collection={collection} state={null} />
          <Terms of={machine.states.map(({ name, description }) => ({ name, text: description }))} />
          <details>
            <summary>Transitions as text</summary>
            <ul class="plain">
              {machine.transitions.map(({ from, to: target, triggers, timers, always }) => (
                <li key={`${from} ${target}`}>
                  {from} → {target}{' '}
                  <span class="muted">
                    {[
                      ...triggers,
                      ...timers.map((timer) => `when ${timer} ends`),
                      ...(always ? ['immediately'] : []),
                    ].join(', ')}
                  </span>
                </li>
              ))}
            </ul>
          </details>
        </Section>
      )}
      <Section title="Operations" level={3}>
        <Table
          rows={operations.map(({ operation, title: name, description, method, path, params }) => ({
            key: operation,
            mark: marked(`${operation} ${path}`),
            cells: [
              operation.split('.')[1],
              <>
                <span class="method">{method}</span> <code>{path}</code> <span class="muted">{name}</span>
                {description !== '' && <p>{description}</p>}
                <Params fields={params} />
              </>,
            ],
          }))}
        />
      </Section>
      <Section title="Fields" level={3}>
        <Table
          rows={Object.entries(fields).map(([name, shape]) => ({
            key: name,
            mark: marked(name),
            cells: [
              <>
                {name} {name === status && <Tag tone="accent">status</Tag>}
              </>,
              <>
                {typeText(shape)} {shape.description !== undefined && <span class="muted">{shape.description}</span>}
              </>,
            ],
          }))}
        />
      </Section>
      {events.length > 0 && (
        <Section title="Events" level={3}>
          <Terms of={events.map((name) => ({ name, text: texts[name] }))} />
        </Section>
      )}
      {pins.length > 0 && (
        <Section title="External values" level={3}>
          <Terms
            of={pins.map(({ path, description, at }) => ({
              name: path,
              text: (
                <>
                  {description} <span class="muted">{at.join(', ')}</span>
                </>
              ),
            }))}
          />
        </Section>
      )}
    </article>
  );
}

function Params({ fields }: { fields: Fields }): JSX.Element | null {
  const entries = Object.entries(fields);
  if (entries.length === 0) return null;
  return (
    <details>
      <summary>{plural(entries.length, 'parameter')}</summary>
      <Terms
        of={entries.map(([name, shape]) => ({
          name,
          beside: shape.required ? 'required' : '',
          text: shape.description === undefined ? typeText(shape) : `${shape.description} (${typeText(shape)})`,
        }))}
      />
    </details>
  );
}

/** Describes a type in a few words. */
function typeText({ type, nullable, refs, values, items, constant, default: usual }: Shape): string {
  const base =
    refs !== undefined
      ? `${refs.join(' or ')} ID`
      : values !== undefined
        ? values.join(' | ')
        : items !== undefined
          ? `list of ${typeText(items)}`
          : type === 'const'
            ? `constant ${JSON.stringify(constant ?? null)}`
            : type;
  return `${base}${nullable === true ? ', nullable' : ''}${usual === undefined ? '' : `, default ${typeof usual === 'string' ? usual : JSON.stringify(usual)}`}`;
}
