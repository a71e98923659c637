import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';

/** Parses an object; returns an empty one if the text can't be parsed or isn't an object. @param parse default: as JSON */
export function parseObject(text: string, parse: (text: string) => unknown = JSON.parse): JsonObject {
  try {
    const value = parse(text) as Json;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Returns an object's member if it is an object itself, otherwise an empty object. */
export function membersOf(of: Json, key: string): JsonObject {
  const value = isObject(of) ? of[key] : undefined;
  return isObject(value ?? null) ? (value as JsonObject) : {};
}
