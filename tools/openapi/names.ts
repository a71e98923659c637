/** `petOrders`, `pet-orders`, `PetOrder` as `pet_orders`, `pet_order`. */
export function snake(name: string): string {
  const made = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
  return /^[a-z]/.test(made) ? made : `x_${made}`;
}

/** One of several: `companies` -> `company`, `boxes` -> `box`, `pets` -> `pet`. */
export function singular(name: string): string {
  if (/ies$/.test(name)) return name.replace(/ies$/, 'y');
  if (/(?:ss|sh|ch|x|z)es$/.test(name)) return name.replace(/es$/, '');
  return /s$/.test(name) && !/(?:ss|us|is)$/.test(name) ? name.replace(/s$/, '') : name;
}

/** A name that is not taken: the preferred one, or that with a number. Takes it. */
export function freeName(preferred: string, taken: Set<string>): string {
  let name = preferred;
  for (let n = 2; taken.has(name); n++) name = `${preferred}_${n}`;
  taken.add(name);
  return name;
}

/** Words that expressions keep for themselves. */
const RESERVED = new Set(
  'as break const continue else false for function if import in let loop namespace null package return true var void while'.split(
    ' ',
  ),
);

/** Whether an expression can read a member of this name with a dot. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !RESERVED.has(name);
}

/** Names in a path, in order. */
export function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
}

/** Names that mean one of the language's own operations. */
export const STANDARD: ReadonlySet<string> = new Set(['create', 'retrieve', 'update', 'delete', 'list', 'search']);
