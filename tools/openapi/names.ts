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
