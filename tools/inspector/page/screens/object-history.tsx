import type { JSX } from 'preact';
import { Section, Time } from '../parts.js';
import { to } from '../router.js';
import { shortText, triggerText } from '../text.js';
import type { ObjectStep, ObjectView } from '../types.js';

/** Shows the history of an object, newest first. */
export function History({ object: { history } }: { object: ObjectView }): JSX.Element {
  return (
    <Section title="History">
      <ol class="history">
        {history.map((step) => (
          <Step key={step.entry} step={step} />
        ))}
      </ol>
    </Section>
  );
}

function Step({ step: { entry, at, command, trace, change, fields, args } }: { step: ObjectStep }): JSX.Element {
  const trigger =
    typeof args === 'object' && args !== null && 'trigger' in args ? triggerText(String(args['trigger'])) : '';
  return (
    <li>
      <div>
        <Time at={at} /> {trace ? <a href={to('timeline', trace)}>{command}</a> : <strong>{command}</strong>}{' '}
        <span class="muted">
          {trigger} {change === 'changed' ? '' : change} · entry {entry}
        </span>
      </div>
      {fields.length > 0 && (
        <ul class="plain inner">
          {fields.slice(0, 6).map(({ field, from, to: target }) => (
            <li key={field}>
              <span class="muted">{field}</span> {shortText(from, 30)} → {shortText(target, 60)}
            </li>
          ))}
          {fields.length > 6 && <li class="muted">and {fields.length - 6} more</li>}
        </ul>
      )}
    </li>
  );
}
