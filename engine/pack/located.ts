import type { ErrorObject } from 'ajv';
import { type Json, pathOfPointer } from '../values/index.js';
import type { LocatedText } from './explain.js';

/** Complaints with the paths in the data that they are about. */
export function located(errors: readonly ErrorObject[], data: Json): LocatedText[] {
  return errors.map((error) => ({ error, path: pathOfPointer(error.instancePath, data) }));
}

/** Leaves out what only repeats another error: wrappers, untaken alternatives, and the rest about a value of a wrong type. */
export function essential(located: readonly LocatedText[]): LocatedText[] {
  const mistyped = new Map<string, LocatedText>();
  for (const each of located) {
    const { keyword, instancePath } = each.error;
    // Of several schemas for one value the first is the outermost, which names every type that would do.
    if (keyword === 'type' && !mistyped.has(instancePath)) mistyped.set(instancePath, each);
  }
  return located.filter((each) => {
    const { keyword, instancePath, schemaPath, propertyName } = each.error;
    if (keyword === 'if' || keyword === 'propertyNames' || /\/anyOf\/\d+\//.test(schemaPath)) return false;
    const first = propertyName === undefined ? mistyped.get(instancePath) : undefined;
    return first === undefined || first === each;
  });
}
