import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { get } from '../api.js';
import { live } from '../live.js';
import { Empty, Problem, Section, Value } from '../parts.js';
import { useAsked } from '../store.js';
import type { Json, JsonObject, ObjectView } from '../types.js';
import { useWorld } from '../world.js';

/** Finds fields that differ between two versions of the vendor API. */
function fieldsThatDiffer(
  one: JsonObject,
  other: JsonObject,
): { readonly field: string; readonly one: Json | undefined; readonly other: Json | undefined }[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]))
    .map((field) => ({ field, one: one[field], other: other[field] }));
}

/** Shows an object in two versions of the vendor API side by side. Empty if the pack has no versions, or the object was deleted. */
export function InVersions({ object: { id, tenant, deleted } }: { object: ObjectView }): JSX.Element | null {
  const { versions } = useWorld().pack;
  if (!versions || versions.all.length < 2 || deleted) return null;
  return <Chosen id={id} tenant={tenant} names={versions.all.map(({ name }) => name)} current={versions.current} />;
}

function Chosen({
  id,
  tenant,
  names,
  current,
}: {
  id: string;
  tenant: string | undefined;
  names: readonly string[];
  current: string;
}): JSX.Element {
  const newest = names[names.length - 1];
  const [before, setBefore] = useState(current === newest ? names[0] : current);
  const [after, setAfter] = useState(newest);
  const { value, error } = useAsked(async () => {
    const shown = async (version: string) =>
      (await get<ObjectView>(`/objects/${encodeURIComponent(id)}`, { version, tenant })).shown?.value ?? {};
    return Promise.all([shown(before), shown(after)]);
  }, [id, tenant, before, after, live.changes]);
  const rows = value ? fieldsThatDiffer(...value) : [];
  return (
    <Section title="Compare versions">
      {error && <Problem error={error} />}
      <table class="changes versions">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">
              <Choice label="Version A" names={names} value={before} choose={setBefore} />
            </th>
            <th scope="col">
              <Choice label="Version B" names={names} value={after} choose={setAfter} />
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ field, one, other }) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td>{one === undefined ? <span class="muted">(none)</span> : <Value value={one} />}</td>
              <td>{other === undefined ? <span class="muted">(none)</span> : <Value value={other} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {value && rows.length === 0 && <Empty>No differences.</Empty>}
    </Section>
  );
}

function Choice({
  label,
  names,
  value,
  choose,
}: {
  label: string;
  names: readonly string[];
  value: string;
  choose: (name: string) => void;
}): JSX.Element {
  return (
    <select aria-label={label} value={value} onInput={({ currentTarget }) => choose(currentTarget.value)}>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
