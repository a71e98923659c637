import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';

/** Returns the value at a path such as `labels[].name`: a text, or a list of texts; null if there is none. */
export function textAtPath(value: JsonObject, path: string): Json {
  const [before, after] = path.split('[].');
  if (after !== undefined) return textsIn(value[before], after).filter(Boolean);
  const [first, second] = path.split('.');
  return shownText(mapIn(value[first])[second]) || null;
}

/** Reconstructs the text before or after a patch. */
export function sideOfPatch(patch: string, isAfter: boolean): string {
  return patch
    .split('\n')
    .filter((line) => line.startsWith(' ') || line.startsWith(isAfter ? '+' : '-'))
    .map((line) => line.slice(1))
    .join('\n');
}

export function blobSha(text: string): string {
  return digest(`blob ${Buffer.byteLength(text)}\u0000${text}`);
}

export function digest(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

export function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}

export function pick(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (name in value ? [[name, value[name]]] : [])));
}

export function mapIn(value: Json | undefined): JsonObject {
  return isObject(value ?? null) ? (value as JsonObject) : {};
}

export function listIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : [];
}

export function shownText(value: Json | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Returns the login in a user or organization object; empty if there is none. */
export function loginIn(value: Json | undefined): string {
  return shownText(mapIn(value)['login']);
}

/** Returns the texts of one member in all items of a list. */
export function textsIn(value: Json | undefined, name: string): string[] {
  return listIn(value).map((each) => shownText(each[name]));
}
