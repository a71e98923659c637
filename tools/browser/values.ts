type Values = { [name: string]: unknown };

/**
 * Returns the value at a path of names separated by dots; undefined if there is none. A group of elements has the names of its options, and `values`.
 */
function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path === '' ? [] : path.split('.')) {
    if (found instanceof ElementGroup) found = name === 'values' ? found.values() : found.options[name];
    else if (isMap(found)) found = found[name];
    else return undefined;
  }
  return found;
}

function put(values: Values, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let place = values;
  for (const name of names) {
    const inner = isMap(place[name]) ? place[name] : {};
    place[name] = inner;
    place = inner;
  }
  place[last] = value;
}

function holdsAny(named: Values, wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).some(([path, value]) => valueAt(named, path) === value);
}

function holdsAll(value: Values, wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).every(([path, each]) => valueAt(value, path) === each);
}

/** Flattens parameters to the names of forms: `a[b][0]=c`. */
function pairsOf(value: unknown, name = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [[name, textOf(value)]];
  return Object.entries(value).flatMap(([key, each]) => pairsOf(each, name === '' ? key : `${name}[${key}]`));
}

function beforeSecret(text: string, secret: string | null): string {
  const end = secret === null ? -1 : text.indexOf(secret);
  return end < 0 ? text : text.slice(0, end);
}

function textOf(value: unknown): string {
  return typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
}

function isFunction(value: unknown): value is (...given: unknown[]) => unknown {
  return typeof value === 'function';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
