/** A file of variables, as dotenv and shells read it. What needs no quotes has none: container engines would take them for a part of the value. */
export function environmentFile(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${quotedValue(value)}\n`)
    .join('');
}

function quotedValue(value: string): string {
  if (/^[\w.,:/@%+=-]*$/.test(value)) return value;
  return value.includes("'") ? `"${value.replace(/["\\$`]/g, '\\$&')}"` : `'${value}'`;
}
