import type { JSX } from 'preact';
import { post } from '../api.js';
import { ParamForm } from '../form.js';
import { Action } from '../parts.js';
import { causeTitle } from '../titles.js';
import type { Fields, Json, Possible } from '../types.js';
import { useWorld } from '../world.js';

/** Shows a button that triggers an external event, with a form if the event has parameters. */
export function CauseButton({ possible: { cause, params, description } }: { possible: Possible }): JSX.Element {
  const { pack } = useWorld();
  const title = causeTitle(pack, cause);
  const isSaid = description.replace(/\.$/, '') === title;
  const variants = pack.causes.find((each) => each.cause === cause)?.variants ?? [];
  const variant =
    variants.find(({ subject }) => subject !== null && Object.hasOwn(params, subject.param)) ?? variants.at(0);
  const fields: Fields = variant?.params ?? {};
  const fire = (more: Readonly<Record<string, Json>>): Promise<unknown> =>
    post('/world/events', { cause, params: { ...params, ...more } });
  const isNeeded = Object.values(fields).some(({ required }) => required);
  const hasFields = Object.keys(fields).length > 0;
  return (
    <div class="cause">
      {!isNeeded && (
        <Action run={() => fire({})} title={description}>
          {title}
        </Action>
      )}
      {hasFields && (
        <details>
          <summary>{isNeeded ? title : 'Options'}</summary>
          <ParamForm fields={fields} button={`Trigger: ${title}`} send={fire} />
        </details>
      )}
      <p class="muted">
        <code>{cause}</code>
        {isSaid ? '' : ` ${description}`}
      </p>
    </div>
  );
}
