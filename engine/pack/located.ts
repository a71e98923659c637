import type { ErrorObject } from 'ajv';
import type { Json } from '../expression/host.js';
import type { Located } from './explain.js';
import type { DataPath } from './source.js';

/** Complaints with the paths in the data that they are about. */
export function located(errors: readonly ErrorObject[], data: Json): Located[] {
  return errors.map((error) => ({ error, path: pathOf(error.instancePath, data) }));
}

/** Leaves out what only repeats another error: wrappers, untaken alternatives, and the rest about a value of a wrong type. */
export function essential(located: readonly Located[]): Located[] {
  const mistyped = new Map<string, Located>();
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

/** The path that a JSON pointer leads to; indexes of lists become numbers. */
function pathOf(pointer: string, data: Json): DataPath {
  const path: (string | number)[] = [];
  let value: unknown = data;
  for (const part of pointer.split('/').slice(1)) {
    const step = Array.isArray(value) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(step);
    value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
  }
  return path;
}
