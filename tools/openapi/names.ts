/** Converts a name to snake case: `petOrders` and `pet-orders` to `pet_orders`. */
export function snake(name: string): string {
  const made = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
  return /^[a-z]/.test(made) ? made : `x_${made}`;
}

/** The singular of a noun: `companies` -> `company`, `boxes` -> `box`, `pets` -> `pet`. */
export function singular(name: string): string {
  if (/ies$/.test(name)) return name.replace(/ies$/, 'y');
  if (/(?:ss|sh|ch|x|z)es$/.test(name)) return name.replace(/es$/, '');
  return /s$/.test(name) && !/(?:ss|us|is)$/.test(name) ? name.replace(/s$/, '') : name;
}

/** Reserves a free name: the preferred one, or the same with a number. */
export function freeName(preferred: string, taken: Set<string>): string {
  let name = preferred;
  for (let n = 2; taken.has(name); n++) name = `${preferred}_${n}`;
  taken.add(name);
  return name;
}

/** Reserved words of expressions. */
const RESERVED = new Set(
  'as break const continue else false for function if import in let loop namespace null package return true var void while'.split(
    ' ',
  ),
);

/** Whether an expression can read a member of this name with a dot. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !RESERVED.has(name);
}

/** Names of the parameters in a path, in order. */
export function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
}

/** Names of the language's standard operations. */
export const STANDARD: ReadonlySet<string> = new Set(['create', 'retrieve', 'update', 'delete', 'list', 'search']);
