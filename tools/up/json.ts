import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';

/** Parses a JSON object; returns an empty one if the text isn't JSON or isn't an object. */
export function parseObject(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as Json;
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
