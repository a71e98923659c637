import { type Json, type JsonObject, define, isList, isObject, toText } from '../values/index.js';

/**
 * A map as `application/x-www-form-urlencoded`: members of maps in brackets, items of lists one after another under the same
 * name. Null is left out.
 */
export function formText(values: JsonObject): string {
  const parameters = new URLSearchParams();
  const put = (name: string, value: Json): void => {
    if (value === null) return;
    if (isList(value)) for (const item of value) put(name, item);
    else if (isObject(value)) for (const key of Object.keys(value)) put(`${name}[${key}]`, value[key]);
    else parameters.append(name, toText(value));
  };
  for (const name of Object.keys(values)) put(name, values[name]);
  return parameters.toString();
}

/** The parameters of such a text by name, undecoded; repeated ones become a list. */
export function formValues(text: string): JsonObject {
  const parameters = new URLSearchParams(text);
  const made: Record<string, Json> = {};
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name);
    define(made, name, values.length > 1 ? values : values[0]);
  }
  return made;
}
