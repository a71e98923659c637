import { type Json, type JsonObject, define, isList, isObject, toText } from '../values/index.js';

/**
 * Encodes a map as `application/x-www-form-urlencoded`: members of inner maps get their keys in brackets, and items of lists
 * repeat the name. Null is left out.
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

/** Decodes `application/x-www-form-urlencoded` to texts by name, brackets included; a repeated name becomes a list. */
export function formValues(text: string): JsonObject {
  const parameters = new URLSearchParams(text);
  const made: Record<string, Json> = {};
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name);
    define(made, name, values.length > 1 ? values : values[0]);
  }
  return made;
}
