import { isObject, type Json, type JsonObject } from '../values/index.js';
import { inside, keyIn, type SourceLocation } from '../model/index.js';
import type { Compiler } from './context.js';

/** Checks that the key `key` of a declaration names an error of the pack and passes only arguments that the error has. */
export function checkErrorUse(
  name: string,
  args: Json | undefined,
  place: SourceLocation,
  key: string,
  compiler: Compiler,
): void {
  const error = compiler.model.errors.get(name);
  compiler.used.errors.add(name);
  if (!error) compiler.diagnostics.unknown(inside(place, key), 'error', name, compiler.model.errors.keys());
  for (const arg of Object.keys(isObject(args ?? null) ? (args as JsonObject) : {})) {
    if (error) compiler.diagnostics.known(keyIn(place, 'with', arg), 'argument', arg, error.args);
  }
}
