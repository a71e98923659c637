/** Splits a JSON pointer (RFC 6901) into its keys: `/a~1b/0` into `a/b` and `0`. */
export function keysOfPointer(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescaped);
}

/** Returns the keys of a JSON pointer in the fragment of a reference; an invalid percent sign stays unchanged. */
export function keysOfFragment(fragment: string): string[] {
  return fragment
    .split('/')
    .slice(1)
    .map((key) => unescaped(decoded(key)));
}

/** Converts a JSON pointer to a path in data: its keys, with numbers for list indexes. */
export function pathOfPointer(pointer: string, data: unknown): (string | number)[] {
  const path: (string | number)[] = [];
  let at = data;
  for (const key of keysOfPointer(pointer)) {
    const step = Array.isArray(at) ? Number(key) : key;
    path.push(step);
    at = typeof at === 'object' && at !== null ? (Reflect.get(at, step) as unknown) : undefined;
  }
  return path;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}
