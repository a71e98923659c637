import type { JSX, TargetedInputEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Problem } from './parts.js';
import type { Json, JsonObject, Shape } from './types.js';

/** Parses a text to a declared type; returns undefined for an empty text. */
export function valueOf(shape: Shape, text: string): Json | undefined {
  if (text === '') return undefined;
  switch (shape.type) {
    case 'integer':
    case 'number':
      return Number.isNaN(Number(text)) ? text : Number(text);
    case 'boolean':
      return text === 'true';
    case 'string':
    case 'reference':
    case 'enum':
      return text;
    default:
      try {
        return JSON.parse(text) as Json;
      } catch {
        return text;
      }
  }
}

/** The declaration of a form's value, with suggested texts. */
interface FormShape extends Shape {
  readonly suggested?: readonly string[];
}

export type FormFields = Readonly<Record<string, FormShape>>;

/** Shows the input for a value of a declared type. */
export function Field({
  name,
  shape,
  value,
  onInput,
  isRequired = false,
}: {
  name: string;
  shape: FormShape;
  value: string;
  onInput: (text: string) => void;
  isRequired?: boolean;
}): JSX.Element {
  const id = useId();
  const hint = hintOf(shape);
  const common = { id, value, required: isRequired, 'aria-describedby': hint === '' ? undefined : `${id}-hint` };
  const take = (event: TargetedInputEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>): void =>
    onInput(event.currentTarget.value);
  return (
    <div class="field">
      <label for={id}>
        {name}
        {isRequired && <span class="muted"> (required)</span>}
      </label>
      {shape.values !== undefined || shape.type === 'boolean' ? (
        <select {...common} onInput={take}>
          <option value="">{shape.default === undefined ? '–' : `Default: ${textOf(shape.default)}`}</option>
          {(shape.values ?? ['true', 'false']).map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      ) : isLong(shape) ? (
        <textarea {...common} rows={2} onInput={take} spellcheck={false} />
      ) : (
        <input
          {...common}
          type="text"
          list={shape.suggested && `${id}-list`}
          inputMode={shape.type === 'integer' || shape.type === 'number' ? 'decimal' : undefined}
          onInput={take}
          autocomplete="off"
          spellcheck={false}
        />
      )}
      {shape.suggested && (
        <datalist id={`${id}-list`}>
          {shape.suggested.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {hint !== '' && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

function isLong({ type }: Shape): boolean {
  return type === 'object' || type === 'map' || type === 'array' || type === 'any' || type === 'json_schema';
}

/** Formats a default value as the text of an input. */
function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function hintOf({ type, default: usual, min, max, values }: Shape): string {
  const parts = [
    values ? '' : isLong({ type }) ? 'JSON' : type === 'string' ? '' : type,
    min !== undefined && max !== undefined
      ? `${min}–${max}`
      : min !== undefined
        ? `Minimum ${min}`
        : max !== undefined
          ? `Maximum ${max}`
          : '',
    usual === undefined || values ? '' : `Default: ${textOf(usual)}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Shows a form for declared parameters with a button. Its fields may depend on the input. */
export function ParamForm({
  fields: asked,
  button,
  tone = 'primary',
  send,
}: {
  fields: FormFields | ((texts: Readonly<Record<string, string>>) => FormFields);
  button: string;
  tone?: 'primary' | 'plain';
  send: (params: JsonObject) => Promise<unknown>;
}): JSX.Element {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const fields = typeof asked === 'function' ? asked(texts) : asked;
  const submit = (event: Event): void => {
    event.preventDefault();
    const given = Object.entries(fields).flatMap(([name, shape]): [string, Json][] => {
      const value = valueOf(shape, texts[name] ?? '');
      return value === undefined ? [] : [[name, value]];
    });
    setBusy(true);
    setError(undefined);
    send(Object.fromEntries(given))
      .then(
        () => setTexts({}),
        (reason: unknown) => setError(reason instanceof Error ? reason : new Error(String(reason))),
      )
      .finally(() => setBusy(false));
  };
  return (
    <form class="params" onSubmit={submit}>
      {Object.entries(fields).map(([name, shape]) => (
        <Field
          key={name}
          name={name}
          shape={shape}
          value={texts[name] ?? ''}
          isRequired={shape.required ?? false}
          onInput={(text) => setTexts((before) => ({ ...before, [name]: text }))}
        />
      ))}
      <div class="submit">
        <button type="submit" class={tone} disabled={isBusy} aria-busy={isBusy}>
          {button}
        </button>
      </div>
      <Problem error={error} />
    </form>
  );
}

/** Shows an input that filters the shown items. */
export function Search({
  label,
  placeholder,
  value,
  onInput,
}: {
  label: string;
  placeholder: string;
  value: string;
  onInput: (text: string) => void;
}): JSX.Element {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  );
}
