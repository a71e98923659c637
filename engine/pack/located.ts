import type { ErrorObject } from 'ajv';
import { type Json, pathOfPointer } from '../values/index.js';
import type { LocatedText } from './explain.js';

/** Adds to each Ajv error the path of its data. */
export function located(errors: readonly ErrorObject[], data: Json): LocatedText[] {
  return errors.map((error) => ({ error, path: pathOfPointer(error.instancePath, data) }));
}

/** Drops errors that only repeat another: wrappers, alternatives that don't apply, more errors about a wrong type. */
export function essential(located: readonly LocatedText[]): LocatedText[] {
  const mistyped = new Map<string, LocatedText>();
  for (const each of located) {
    const { keyword, instancePath } = each.error;
    // Of several errors about a value's type, the first comes from the outermost schema, which lists all valid types.
    if (keyword === 'type' && !mistyped.has(instancePath)) mistyped.set(instancePath, each);
  }
  return located.filter((each) => {
    const { keyword, instancePath, schemaPath, propertyName } = each.error;
    if (keyword === 'if' || keyword === 'propertyNames' || /\/anyOf\/\d+\//.test(schemaPath)) return false;
    const first = propertyName === undefined ? mistyped.get(instancePath) : undefined;
    return first === undefined || first === each;
  });
}
